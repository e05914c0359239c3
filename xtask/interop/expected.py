"""What the files of `cargo xtask interop` should hold, and how differences are reported."""

import json
import pathlib
import sys

import numpy


class Expected:
    """The clip: `expected.json` and, for each mesh, its positions as plain numbers."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        description = json.loads((self.folder / "expected.json").read_text())
        self.frames, self.fps = description["frames"], description["fps"]
        self.names = [mesh["name"] for mesh in description["meshes"]]
        self.positions, self.triangles = {}, {}
        for mesh in description["meshes"]:
            numbers = numpy.fromfile(self.folder / (mesh["name"] + ".f32"), dtype="<f4")
            self.positions[mesh["name"]] = numbers.reshape(self.frames, mesh["vertices"], 3)
            self.triangles[mesh["name"]] = numpy.array(mesh["triangles"]).reshape(-1, 3)

    def corners(self, name, frame):
        """The positions of the corners of all triangles: what does not depend on numbering."""
        return self.positions[name][frame][self.triangles[name].ravel()]


class Report:
    """Counts what was compared; says at the end whether all of it agreed."""

    def __init__(self, reader):
        self.reader, self.failed = reader, False
        print("interop: reader " + reader, flush=True)

    def compare(self, what, read, expected, tolerance, unit="m"):
        """Compares arrays, of positions unless said otherwise, by their largest difference."""
        read, expected = numpy.asarray(read, dtype="f8"), numpy.asarray(expected, dtype="f8")
        if read.shape != expected.shape:
            self.line(False, f"{what}: shape {read.shape}, expected {expected.shape}")
            return
        largest = float(numpy.abs(read - expected).max())
        self.line(largest <= tolerance, f"{what}: shape {read.shape}, largest difference {largest:.1e} {unit}")

    def equal(self, what, read, expected):
        """Compares numbers or names that must be the same."""
        self.line(read == expected, f"{what}: {read}" + ("" if read == expected else f", expected {expected}"))

    def line(self, good, text):
        self.failed |= not good
        print("interop: " + ("ok   " if good else "FAIL ") + text, flush=True)

    def finish(self):
        print(f"interop: {'FAILED' if self.failed else 'done'}: {self.reader}", flush=True)
        sys.exit(1 if self.failed else 0)
