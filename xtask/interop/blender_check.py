"""Opens our files in Blender and compares every frame.

Runs in `blender -b --python-exit-code 1 --python blender_check.py -- FOLDER [usd]`, and as a plain
program where Blender is the Python module `bpy`.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import bpy
import numpy

from expected import Expected, Report

# Debian 12 pairs Blender 3.4 with a NumPy that has no `bool` any more, on which Blender's own glTF
# importer fails, whatever the file.
if "bool" not in numpy.__dict__:
    numpy.bool = bool

TOLERANCE = 1e-6  # metres; positions are up to 2 m and float32


def clear(fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(fps)


def meshes():
    return {thing.name.split(".")[0]: thing for thing in bpy.data.objects if thing.type == "MESH"}


def evaluated(thing, world):
    """Vertices and triangles as Blender shows them in the present frame, turned back to y up."""
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    numbers = numpy.empty(3 * len(mesh.vertices), dtype="f4")
    mesh.vertices.foreach_get("co", numbers)
    corners = numpy.empty(len(mesh.loops), dtype="i4")
    mesh.loops.foreach_get("vertex_index", corners)
    points = numbers.reshape(-1, 3).astype("f8")
    if world:
        matrix = numpy.array(shown.matrix_world)
        points = points @ matrix[:3, :3].T + matrix[:3, 3]
        points = points[:, [0, 2, 1]] * [1, 1, -1]
    shown.to_mesh_clear()
    return points, corners


def check_animated(report, expected, what, things, first_frame, world):
    """Compares the corners of all triangles in every frame."""
    for name in expected.names:
        thing = things[name]
        read, wanted = [], []
        for frame in range(expected.frames):
            bpy.context.scene.frame_set(first_frame + frame)
            points, corners = evaluated(thing, world)
            read.append(points[corners])
            wanted.append(expected.corners(name, frame))
        counts = f"{len(points)} vertices, {expected.frames} frames"
        report.compare(f"{what} {name} ({counts})", numpy.array(read), numpy.array(wanted), TOLERANCE)


def check_obj(report, expected):
    """Every frame of the sequence is imported on its own."""
    read, wanted, vertices = [], [], {}
    for frame in range(expected.frames):
        clear(expected.fps)
        bpy.ops.wm.obj_import(filepath=str(expected.folder / f"wave_{frame:04}.obj"))
        for name in expected.names:
            points, corners = evaluated(meshes()[name], world=True)
            vertices[name] = len(points)
            read.append(points[corners])
            wanted.append(expected.corners(name, frame))
    counts = {name: len(expected.positions[name][0]) for name in expected.names}
    report.equal("OBJ vertices", vertices, counts)
    report.compare(
        f"OBJ ({expected.frames} frames)", numpy.concatenate(read), numpy.concatenate(wanted), TOLERANCE
    )


def check_cache(report, expected, extension, cache_format):
    """Imports the first frame and lets the cache move it, as an artist would."""
    clear(expected.fps)
    bpy.ops.wm.obj_import(filepath=str(expected.folder / "wave_0000.obj"))
    for name, thing in meshes().items():
        modifier = thing.modifiers.new("cloth", "MESH_CACHE")
        modifier.cache_format = cache_format
        modifier.filepath = str(expected.folder / f"wave_{name}.{extension}")
        # The cache is in the axes of the file, as is the imported mesh: nothing is turned.
        modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
        modifier.frame_start = 1
    check_animated(report, expected, cache_format, meshes(), first_frame=1, world=True)


def check_glb(report, expected):
    clear(expected.fps)
    bpy.ops.import_scene.gltf(filepath=str(expected.folder / "wave.glb"))
    things = meshes()
    for name in expected.names:
        keys = things[name].data.shape_keys.key_blocks
        report.equal(f"GLB {name} shape keys", len(keys), expected.frames)
        report.equal(f"GLB {name} has texture coordinates", len(things[name].data.uv_layers), 1)
    # The importer puts time 0 at frame 0 or 1, by version: the first key says which.
    key = things[expected.names[0]].data.shape_keys.animation_data
    action = key.action or key.nla_tracks[0].strips[0].action
    first = round(action.frame_range[0])
    report.equal("GLB length in frames", round(action.frame_range[1]) - first + 1, expected.frames)
    check_animated(report, expected, "GLB", things, first, world=True)


def check_usd(report, expected):
    clear(expected.fps)
    bpy.ops.wm.usd_import(filepath=str(expected.folder / "wave.usda"), set_frame_range=True)
    scene = bpy.context.scene
    report.equal("USD frame range", (scene.frame_start, scene.frame_end), (0, expected.frames - 1))
    check_animated(report, expected, "USD", meshes(), first_frame=0, world=True)


def main(folder, with_usd):
    report = Report(f"Blender {bpy.app.version_string}, Python {sys.version.split()[0]}")
    expected = Expected(folder)
    check_obj(report, expected)
    check_cache(report, expected, "pc2", "PC2")
    check_cache(report, expected, "mdd", "MDD")
    check_glb(report, expected)
    if with_usd:
        check_usd(report, expected)
    report.finish()


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    main(arguments[0], "usd" in arguments[1:])
