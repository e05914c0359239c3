#!/usr/bin/env python3
"""Writes the meshes of this folder that are ours. Run it in this folder.

They stand in for files whose licences keep them out of this repository, and have what these have that is hard: a scan
with holes, and clothes of several panels whose texture coordinates are the flat cloth in metres, with seam vertices
merged, so that one vertex has several texture coordinates.
"""

import gzip
import io
import os
import sys
from math import cos, hypot, pi, sin, sqrt

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../../scenes/dragon"))
from make import surface, write_ply  # noqa: E402: the dragon's


def save(name, content):
    """Without a time stamp, so that the same mesh is the same file."""
    with open(name, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(content)


def noise(a, b):
    """A number from −1 to 1 that looks random."""
    whole = (a * 73856093 ^ b * 19349663) * 2654435761 % 2**32
    return whole / 2**31 - 1


def scan_with_holes():
    """A bust without a bottom and with four holes: what the scanner did not see."""
    balls = [(0.3 * sin(k * pi / 30), 0.02 * k, 0.05 * cos(k), 0.14 - 0.002 * k) for k in range(40)]
    balls += [(-0.24 + 0.03 * side + 0.03 * side * k / 9, 0.8 + 0.025 * k, 0.0, 0.05 - 0.002 * k) for k in range(10) for side in (-1, 1)]
    vertices, triangles = surface(balls, 0.022)
    low = min(vertex[1] for vertex in vertices)
    # One vertex in each hole, and its radius.
    holes = [(vertices[len(vertices) * k // 9], 0.02 + 0.005 * k) for k in (1, 3, 5, 7)]

    def is_gone(triangle):
        x, y, z = (sum(vertices[k][i] for k in triangle) / 3 for i in range(3))
        return y < low + 0.06 or any(sqrt((x - c[0]) ** 2 + (y - c[1]) ** 2 + (z - c[2]) ** 2) < r for c, r in holes)

    triangles = [triangle for triangle in triangles if not is_gone(triangle)]
    # Where holes touch at a vertex they are made one.
    while True:
        ends = {}
        for triangle in triangles:
            for k in range(3):
                a, b = triangle[k], triangle[(k + 1) % 3]
                ends[a, b] = ends.get((a, b), 0) + 1
        rims = {}
        for a, b in ends:
            if (b, a) not in ends:
                rims[a] = rims.get(a, 0) + 1
        pinched = {a for a, count in rims.items() if count > 1}
        if not pinched:
            break
        triangles = [triangle for triangle in triangles if not pinched & set(triangle)]
    used = sorted({k for triangle in triangles for k in triangle})
    number = {old: new for new, old in enumerate(used)}
    file = io.BytesIO()
    write_ply(file, [vertices[k] for k in used], [tuple(number[k] for k in triangle) for triangle in triangles])
    save("scan_with_holes.ply.gz", file.getvalue())


class Garment:
    """Vertices by place in space, texture coordinates by panel and place in the panel."""

    def __init__(self):
        self.vertices, self.coordinates, self.faces = {}, {}, []

    def corner(self, vertex, position, coordinate):
        """`vertex` and `coordinate` are keys; what has the same key is one."""
        v = self.vertices.setdefault(vertex, (len(self.vertices) + 1, position))[0]
        t = self.coordinates.setdefault(coordinate, len(self.coordinates) + 1)
        return v, t

    def quad(self, corners, turned):
        """Two triangles, divided by one diagonal or the other."""
        a, b, c, d = corners if not turned else corners[1:] + corners[:1]
        self.faces += [(a, b, c), (a, c, d)]

    def save(self, name):
        lines = ["v %.6f %.6f %.6f" % position for _, position in self.vertices.values()]
        lines += ["vt %.6f %.6f" % coordinate for coordinate in self.coordinates]
        lines += ["f " + " ".join("%d/%d" % corner for corner in face) for face in self.faces]
        save(name, ("\n".join(lines) + "\n").encode())


def skirt(gores=6, columns=9, rows=24):
    """A skirt of six gores, in folds at its hem."""
    garment, count = Garment(), gores * columns
    for gore in range(gores):

        def corner(column, row):
            down = row / rows
            inner = 0 < column < columns and 0 < row < rows
            x = column + (0.3 * noise(gore * 100 + column, row) if inner else 0.0)
            angle = 2 * pi * (gore * columns + x) / count
            radius = 0.13 + 0.15 * down + 0.03 * down * sin(3 * gores * angle)
            position = (radius * cos(angle), 1.0 - 0.6 * down, radius * sin(angle))
            width = 2 * pi * (0.13 + 0.15 * down) / gores  # flat, the folds smoothed out
            coordinate = (0.4 * gore + width * (x / columns - 0.5), hypot(0.6, 0.15) * (1 - down))
            return garment.corner(((gore * columns + column) % count, row), position, coordinate)

        for column in range(columns):
            for row in range(rows):
                corners = [corner(column, row), corner(column + 1, row), corner(column + 1, row + 1), corner(column, row + 1)]
                garment.quad(corners, (column + row) % 2 == 1)
    garment.save("skirt.obj.gz")


def shirt():
    """A shirt of eight panels: front and back, each of a body, a yoke and two sleeves."""
    garment, step = Garment(), 0.02
    side, arm, armpit, shoulder, neck = 12, 24, 22, 31, 4  # in steps
    throat = {1: 28, -1: 30}  # where the neck begins, in front and behind

    def is_cloth(i, j, face):
        if not (-arm <= i < arm and 0 <= j < shoulder) or (j < armpit and not -side <= i < side):
            return False
        return not (-neck <= i < neck and j >= throat[face])

    def is_seam(i, j):
        """On the outline where front and back are sewn together."""
        return (abs(i) == side and j <= armpit) or (abs(i) >= side and j == armpit) or (abs(i) >= neck and j == shoulder)

    def depth(i, j):
        """Of the hollow between front and back, half of it, m."""
        if is_seam(i, j):
            return 0.0
        nearest = min(shoulder - j + 1, side - abs(i) if j <= armpit else j - armpit if abs(i) >= side else 99)
        return 0.1 * sqrt(min(max(nearest, 1), 9) / 9)

    for face in (1, -1):

        def panel(i, j):
            return "body" if j < armpit else "left" if i < -side else "right" if i >= side else "yoke"

        places = {"body": (0.0, 0.0), "yoke": (0.6, 0.0), "left": (0.6, 0.5), "right": (0.6, 2.0)}

        def corner(i, j, name):
            inner = all(is_cloth(i - a, j - b, face) and panel(i - a, j - b) == name for a in (0, 1) for b in (0, 1))
            x = step * (i + (0.3 * noise(i + 1000 * face, j) if inner else 0.0))
            y = step * (j + (0.3 * noise(j, i + 1000 * face) if inner else 0.0))
            position = (x, 0.8 + y, face * depth(i, j))
            place = places[name]
            flat = (x, y) if name in ("body", "yoke") else (y, -x)  # sleeves are cut along the cloth
            coordinate = (place[0] + flat[0] + (2.0 if face < 0 else 0.0), place[1] + flat[1])
            return garment.corner((i, j, 0 if is_seam(i, j) else face), position, coordinate)

        for i in range(-arm, arm):
            for j in range(shoulder):
                if is_cloth(i, j, face):
                    name = panel(i, j)
                    corners = [corner(i, j, name), corner(i + 1, j, name), corner(i + 1, j + 1, name), corner(i, j + 1, name)]
                    garment.quad(corners if face > 0 else corners[::-1], (i + j) % 2 == 1)
    garment.save("shirt.obj.gz")


def doubled_faces():
    """A double pyramid on a pentagon, every face twice, the second time turned over."""
    rim = ["v %.6f 0 %.6f" % (cos(2 * pi * k / 5), sin(2 * pi * k / 5)) for k in range(5)]
    lines = rim + ["v 0 1 0", "v 0 -1 0"]
    for k in range(5):
        a, b = k + 1, (k + 1) % 5 + 1
        lines += [f"f {a} 6 {b}", f"f {a} {b} 7", f"f {b} 6 {a}", f"f {b} {a} 7"]
    save("doubled_faces.obj.gz", ("\n".join(lines) + "\n").encode())


scan_with_holes()
skirt()
shirt()
doubled_faces()
