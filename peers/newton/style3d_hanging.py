"""The hanging cloth in Newton's Style3D solver: the scene of `muslin bench hanging`, the same figures.

5 m x 5 m, 101 x 101 quads, 0.2 kg/m2, pinned at the two upper corners, hanging straight down from the start, no
collisions, 5 ms steps, one substep, 5 iterations. Warp runs CPU kernels on one thread. The stretch stiffness (N/m)
is a property of the cloth here, so the strain at rest depends on it as much as on the solver; see peers/README.md.

Prints one JSON object per setting, with the keys of `muslin bench --json` and a few more.
"""

import argparse
import contextlib
import json
import math
import sys
import time

import newton
import numpy as np
import warp as wp
from newton.solvers import style3d

SIZE = 5.0  # m
QUADS = 101  # along one side: 20,402 triangles
DENSITY = 0.2  # kg/m2
TIME_STEP = 0.005  # s
BLOCK = 200  # steps in a block of measurements


def build(stiffness, shear, bending):
    """The model; its upper corners are the last row's ends, as the grid grows upwards."""
    builder = newton.ModelBuilder(up_axis=newton.Axis.Z)
    newton.solvers.SolverStyle3D.register_custom_attributes(builder)
    cell = SIZE / QUADS
    vertices = (QUADS + 1) ** 2
    style3d.add_cloth_grid(
        builder,
        pos=wp.vec3(0.0, 0.0, 0.0),
        # The grid's y becomes the world's z: vertical.
        rot=wp.quat_from_axis_angle(wp.vec3(1.0, 0.0, 0.0), math.pi / 2.0),
        vel=wp.vec3(0.0, 0.0, 0.0),
        dim_x=QUADS,
        dim_y=QUADS,
        cell_x=cell,
        cell_y=cell,
        # The grid turns this back into a density, and lumps the masses by area.
        mass=DENSITY * SIZE * SIZE / vertices,
        tri_aniso_ke=wp.vec3(stiffness, stiffness, shear),
        edge_aniso_ke=wp.vec3(bending, bending, bending),
    )
    model = builder.finalize(device="cpu")
    pins = [vertices - QUADS - 1, vertices - 1]
    flags = model.particle_flags.numpy()
    for pin in pins:
        flags[pin] &= ~int(newton.ParticleFlags.ACTIVE)
    model.particle_flags = wp.array(flags, dtype=model.particle_flags.dtype, device="cpu")
    model.set_gravity((0.0, 0.0, -9.81))
    return model, pins


def triangle_edges(triangles):
    """Each edge of the triangles once."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def peak_rss_mib():
    """The most memory this process had; none on Windows."""
    try:
        import resource
    except ImportError:
        return None
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)


class Strain:
    """Edge and global strain of a state, as fractions."""

    def __init__(self, model, pins):
        self.edges = triangle_edges(model.tri_indices.numpy().reshape(-1, 3))
        rest = model.particle_q.numpy().astype(np.float64)
        self.pin_height = rest[pins, 2].min()
        self.rest_length = self._lengths(rest)

    def _lengths(self, points):
        return np.linalg.norm(points[self.edges[:, 0]] - points[self.edges[:, 1]], axis=1)

    def of(self, state):
        """(average, largest edge, global)."""
        points = state.particle_q.numpy().astype(np.float64)
        strain = np.abs(self._lengths(points) - self.rest_length) / self.rest_length
        return strain.mean(), strain.max(), (self.pin_height - points[:, 2].min()) / SIZE - 1.0


def run(args):
    model, pins = build(args.stiffness, args.shear, args.bending)
    solver = newton.solvers.SolverStyle3D(model, iterations=args.iterations, linear_iterations=args.linear)
    solver.collision = None  # the solver's own way to switch collisions off
    strain = Strain(model, pins)
    control = model.control()
    states = [model.state(), model.state()]
    step_length = TIME_STEP / args.substeps

    def step():
        for _ in range(args.substeps):
            states[0].clear_forces()
            solver.step(states[0], states[1], control, None, step_length)
            states.reverse()

    for _ in range(args.settle):
        step()

    # Other work on the machine can only add time: believe the block with the smallest median.
    median = p95 = cpu = math.inf
    samples = []
    for _ in range(args.blocks):
        times = []
        cpu_start = time.process_time()
        for _ in range(BLOCK):
            start = time.perf_counter()
            step()
            times.append((time.perf_counter() - start) * 1e3)
        cpu = min(cpu, (time.process_time() - cpu_start) * 1e3 / BLOCK)
        if np.median(times) < median:
            median, p95 = float(np.median(times)), float(np.percentile(times, 95))
        samples.append(strain.of(states[0]))

    samples = np.array(samples)
    average, largest, extent = samples.mean(axis=0)
    speed = float(np.linalg.norm(states[0].particle_qd.numpy(), axis=1).max())
    triangles = int(model.tri_count)
    return {
        "name": "hanging",
        "solver": f"newton {newton.__version__} style3d, {args.substeps} x {args.iterations} iterations, "
        f"{args.linear} linear, {args.stiffness:g} N/m",
        "backend": "cpu",
        "device": "cpu",
        "threads": 1,
        "triangles": triangles,
        "total_triangles": triangles,
        "vertices": int(model.particle_count),
        "dt": TIME_STEP,
        "substeps": args.substeps,
        "steps": args.settle + args.blocks * BLOCK,
        "ms_per_step_median": round(median, 4),
        "ms_per_step_p95": round(p95, 4),
        "ms_per_step_cpu": round(cpu, 4),
        "stages": {},
        "strain_avg": round(float(average), 6),
        "strain_avg_min": round(float(samples[:, 0].min()), 6),
        "strain_avg_max": round(float(samples[:, 0].max()), 6),
        "strain_max_edge": round(float(largest), 6),
        "strain_global": round(float(extent), 6),
        "max_speed": round(speed, 6),
        "peak_rss_mib": peak_rss_mib(),
    }


def main():
    parser = argparse.ArgumentParser(description="Newton Style3D: the hanging cloth")
    parser.add_argument("--iterations", type=int, default=5, help="non-linear iterations per substep")
    parser.add_argument("--linear", type=int, default=10, help="conjugate gradient iterations in each (its default: 10)")
    parser.add_argument("--substeps", type=int, default=1)
    parser.add_argument("--stiffness", type=float, default=1.0e4, help="warp and weft stretch, N/m")
    parser.add_argument("--shear", type=float, default=1.0e3, help="shear, N/m")
    parser.add_argument("--bending", type=float, default=1.0e-4, help="bending, N m")
    parser.add_argument("--settle", type=int, default=2000, help="steps before the measurement")
    parser.add_argument("--blocks", type=int, default=5, help=f"blocks of {BLOCK} steps to measure")
    args = parser.parse_args()
    # Warp and Newton report on stdout; that is kept for the result.
    with contextlib.redirect_stdout(sys.stderr):
        result = run(args)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
