"""Reads our files with VTK, Pixar's USD library and NumPy, and compares every frame."""

import pathlib
import sys
import xml.etree.ElementTree

import numpy
import vtk
from pxr import Usd, UsdGeom
from vtk.util.numpy_support import vtk_to_numpy

from expected import Expected, Report


def check_vtk(report, expected):
    """The index gives the times and the files; each file is read by VTK's own reader."""
    index = xml.etree.ElementTree.parse(expected.folder / "wave.pvd")
    entries = [entry.attrib for entry in index.iter("DataSet")]
    times = sorted({float(entry["timestep"]) for entry in entries})
    report.compare("VTK times", times, numpy.arange(expected.frames) / expected.fps, 1e-12, unit="s")
    for part, name in enumerate(expected.names):
        read = []
        files = [entry["file"] for entry in entries if entry["part"] == str(part)]
        for file in files:
            reader = vtk.vtkXMLPolyDataReader()
            reader.SetFileName(str(expected.folder / file))
            reader.Update()
            data = reader.GetOutput()
            read.append(vtk_to_numpy(data.GetPoints().GetData()))
            polygons = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
            if not numpy.array_equal(polygons, expected.triangles[name]):
                report.line(False, f"VTK {file}: other triangles")
            if reader.GetErrorCode():
                report.line(False, f"VTK {file}: error {reader.GetErrorCode()}")
        report.compare(f"VTK {name} ({len(files)} files)", read, expected.positions[name], 0)


def check_usd(report, expected):
    stage = Usd.Stage.Open(str(expected.folder / "wave.usda"))
    report.equal("USD up axis", str(UsdGeom.GetStageUpAxis(stage)), "Y")
    report.equal("USD metres per unit", UsdGeom.GetStageMetersPerUnit(stage), 1.0)
    report.equal("USD frames per second", stage.GetTimeCodesPerSecond(), expected.fps)
    report.equal("USD range", (stage.GetStartTimeCode(), stage.GetEndTimeCode()), (0.0, expected.frames - 1.0))
    for name in expected.names:
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/Muslin/{name}"))
        points = mesh.GetPointsAttr()
        samples = points.GetTimeSamples()
        read = [numpy.array(points.Get(time)) for time in samples]
        report.compare(f"USD {name} ({len(samples)} samples)", read, expected.positions[name], 0)
        indices = numpy.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
        report.line(numpy.array_equal(indices, expected.triangles[name]), f"USD {name} triangles: {len(indices)}")
        valid, reason = UsdGeom.Mesh.ValidateTopology(
            mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(), len(read[0])
        )
        report.line(valid, f"USD {name} topology: {reason or 'valid'}")
        st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
        report.equal(f"USD {name} st", (st.GetInterpolation(), len(st.Get())), ("faceVarying", indices.size))
        extent = numpy.array(mesh.GetExtentAttr().Get(0))
        box = [expected.positions[name][0].min(axis=0), expected.positions[name][0].max(axis=0)]
        report.compare(f"USD {name} extent", extent, box, 0)


def check_npz(report, expected):
    for name in expected.names:
        with numpy.load(expected.folder / f"wave_{name}.npz") as archive:
            report.compare(f"NPZ {name}", archive["positions"], expected.positions[name], 0)
            same = numpy.array_equal(archive["triangles"], expected.triangles[name])
            report.line(same, f"NPZ {name} triangles: {archive['triangles'].shape}")
            report.equal(f"NPZ {name} fps", float(archive["fps"]), expected.fps)


def check_caches(report, expected):
    """PC2 and MDD as their descriptions say, by NumPy."""
    for name in expected.names:
        wanted = expected.positions[name]
        pc2 = (expected.folder / f"wave_{name}.pc2").read_bytes()
        report.equal(f"PC2 {name} header", numpy.frombuffer(pc2, "<i4", 2, 12).tolist(), [1, wanted.shape[1]])
        report.compare(f"PC2 {name}", numpy.frombuffer(pc2, "<f4", offset=32).reshape(wanted.shape), wanted, 0)
        mdd = (expected.folder / f"wave_{name}.mdd").read_bytes()
        report.equal(f"MDD {name} header", numpy.frombuffer(mdd, ">i4", 2).tolist(), list(wanted.shape[:2]))
        numbers = numpy.frombuffer(mdd, ">f4", offset=8 + 4 * expected.frames)
        report.compare(f"MDD {name}", numbers.reshape(wanted.shape), wanted, 0)


def main(folder):
    versions = (vtk.vtkVersion.GetVTKVersion(), ".".join(map(str, Usd.GetVersion())), numpy.__version__)
    report = Report("VTK {}, OpenUSD {}, NumPy {}".format(*versions))
    expected = Expected(folder)
    check_vtk(report, expected)
    check_usd(report, expected)
    check_npz(report, expected)
    check_caches(report, expected)
    report.finish()


if __name__ == "__main__":
    main(sys.argv[1])
