//! The kernels of meshes.

use super::Meshes;
use super::memory::Buffer::{self, *};
use crate::gpu::engine::Binding::{self, Read, Write};
use crate::gpu::engine::{Entry, kernels};

const STEP: &str =
    concat!(include_str!("shaders/mesh_step.wgsl"), include_str!("../engine/shaders/lost.wgsl"));
const PASS: &str = include_str!("shaders/solve/pass.wgsl");
const FAN: &str = include_str!("shaders/solve/fan.wgsl");
const LENGTH: &str = include_str!("shaders/solve/length.wgsl");
const EDGE: &str = include_str!("shaders/solve/edge.wgsl");
const TRIANGLE: &str = include_str!("shaders/solve/triangle.wgsl");
const ARRIVE: &str = include_str!("shaders/predict/arrive.wgsl");

/// One thread for each particle, …
const PARTICLES: Entry = Entry::Each("step.vertices");
/// … or for whatever a pass counts.
const OF_PASS: Entry = Entry::Each("level.count");

/// The set of points that is read.
const FRONT: Binding<Buffer> = Binding::ReadTurn(0);
/// The set of points that is written.
const BACK: Binding<Buffer> = Binding::WriteTurn(1);

kernels! { Meshes:
    PUSH "predict/push", Entry::Each("step.pushes"), Steps, [STEP],
        [Read(Pushes), Write(Travel)],
        |work| 48 * work.items;
    AIR "predict/air", PARTICLES, Steps, [STEP],
        [Read(Travel), Read(Rest), FRONT, Write(Relative)],
        |work| 64 * work.items;
    PREDICT "predict/predict", PARTICLES, Steps, [STEP, ARRIVE],
        [Write(Travel), Read(Pins), FRONT, BACK],
        |work| 96 * work.items;
    PREDICT_IN_WIND "predict/predict_in_wind", PARTICLES, Steps, [STEP, FAN, ARRIVE],
        [Write(Travel), Read(Pins), Read(Slices), Read(Spokes), Read(HalfAngles), Read(Relative), FRONT, BACK],
        |work| 112 * work.items + 12 * work.spokes;
    REST_BEND "solve/rest_bend", OF_PASS, Levels, [PASS],
        [Read(Hinges), Read(HingeWeights), Read(HingeBends), FRONT, Write(Targets)],
        |work| 56 * work.items;
    BEND "solve/bend", OF_PASS, Levels, [PASS],
        [Read(BendingSlices), Read(BendingRows), Read(CurvedSlices), Read(CurvedRows), Read(Targets), Read(Tethers),
            FRONT, BACK],
        |work| 32 * work.items + 8 * (work.bends + work.tethers);
    GATHERED "solve/gathered", OF_PASS, Levels, [PASS, LENGTH],
        [Read(LengthSlices), Read(LengthRows), Read(Lengths), FRONT, BACK],
        |work| 32 * work.items + 8 * work.lengths[0] + 64 * work.lengths[1];
    COLOURED "solve/coloured", OF_PASS, Levels, [PASS, LENGTH],
        [Read(Lengths), BACK],
        |work| 128 * work.items;
    EDGES "solve/edges", OF_PASS, Levels, [PASS, FAN, EDGE],
        [Read(Slices), Read(Spokes), FRONT, BACK],
        |work| 32 * work.items + 8 * work.spokes;
    TRIANGLES "solve/triangles", OF_PASS, Levels, [PASS, FAN, TRIANGLE],
        [Read(Slices), Read(Spokes), Read(HalfAngles), Read(Rest), FRONT, BACK],
        |work| 32 * work.items + 12 * work.spokes;
    RESTRICT "solve/restrict", OF_PASS, Levels, [PASS],
        [Read(MeanSlices), Read(MeanRows), FRONT, BACK, Write(Entered)],
        |work| 48 * work.items + 8 * work.means;
    SMALL_LEVELS "solve/small_levels", Entry::Own(1), Levels, [PASS, FAN, EDGE],
        [Read(SmallLevels), Read(Slices), Read(Spokes), Read(MeanSlices), Read(MeanRows), Read(Interpolations),
            FRONT, BACK],
        |work| (20 + 8 * 6) * work.small; // points, and six spokes for each
    PROLONGATE "solve/prolongate", OF_PASS, Levels, [PASS],
        [Read(Interpolations), Read(Entered), FRONT, BACK],
        |work| 48 * work.items;
    FINISH "conclude/finish", PARTICLES, Steps, [STEP],
        [FRONT, BACK, Write(Travel), Write(Status)],
        |work| 96 * work.items;
    MOMENTA "conclude/momenta", Entry::Own(1), Steps, [STEP],
        [Read(Pieces), FRONT, Read(Travel), Read(Rest), Write(Sums)],
        |work| 52 * work.vertices;
    RIGID_MOTION "conclude/rigid_motion", Entry::Own(1), Steps, [STEP],
        [Read(Pieces), FRONT, Read(Travel), Read(Sums), Write(Motions)],
        |work| 128 * work.stretches;
    DAMP "conclude/damp", PARTICLES, Steps, [STEP],
        [Read(Pieces), FRONT, Read(Motions), Write(Travel)],
        |work| 52 * work.items;
}
