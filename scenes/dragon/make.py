#!/usr/bin/env python3
"""Writes dragon.ply, a dragon with the faults that scans have. Run it in this folder; it takes a few seconds.

The surface is where a blend of balls has the value 0, cut out of a lattice of tetrahedra. Then faults are added, as
many and of the same kinds as in a well-known scan: seven slivers, and five doubled triangles that stand on the
surface like fins, so that some edges have four triangles.
"""

import struct
from math import dist, exp, log, sin

STEP = 0.017  # of the lattice, m
BLEND = 60.0  # 1/m: larger is less blended

# Chains of (x, y, z, radius): the body from tail to nose, legs, horns, and the ridge on the back.
BODY = [(-0.47, 0.06, 0.12, 0.026), (-0.38, 0.06, 0.13, 0.032), (-0.29, 0.10, 0.07, 0.05), (-0.20, 0.18, 0.0, 0.085),
        (-0.08, 0.25, -0.03, 0.105), (0.06, 0.25, -0.01, 0.10), (0.15, 0.33, 0.02, 0.07), (0.19, 0.44, 0.03, 0.055),
        (0.25, 0.53, 0.02, 0.055), (0.33, 0.56, 0.0, 0.055), (0.41, 0.53, -0.01, 0.035), (0.45, 0.50, -0.01, 0.028)]
LEGS = [[(x, 0.18, z, 0.05), (x + 0.05, 0.09, 1.8 * z, 0.035), (x, 0.055, 2 * z, 0.032), (x + 0.05, 0.05, 2 * z, 0.03)]
        for x in (-0.17, 0.07) for z in (-0.08, 0.08)]
HORNS = [[(0.30, 0.60, z, 0.028), (0.25, 0.65, 1.7 * z, 0.022), (0.20, 0.68, 2.2 * z, 0.02)] for z in (-0.03, 0.03)]
RIDGE = [[(x, y - 0.02, z, 0.03), (x - 0.03, y + 0.045, z, 0.018)]
         for x, y, z in ((-0.20, 0.26, 0.0), (-0.12, 0.33, -0.02), (-0.03, 0.35, -0.03), (0.05, 0.34, -0.01))]

# A cube in six tetrahedra around its diagonal from corner 0 to corner 7 (bits: x, y, z).
TETRAHEDRA = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]


def balls():
    """The chains as balls close to each other."""
    found = []
    for chain in [BODY, *LEGS, *HORNS, *RIDGE]:
        for a, b in zip(chain, chain[1:]):
            count = max(2, round(sum((p - q) ** 2 for p, q in zip(a[:3], b[:3])) ** 0.5 / 0.015))
            found += [tuple(p + (q - p) * k / count for p, q in zip(a, b)) for k in range(count + 1)]
    return found


def surface(balls, step, scales=0.003):
    """Vertices and triangles of the surface; a vertex is never on a corner of the lattice, but for 2 % of a step."""
    low = [min(ball[k] - ball[3] for ball in balls) - 3 * step for k in range(3)]
    size = [int((max(ball[k] + ball[3] for ball in balls) + 3 * step - low[k]) / step) + 1 for k in range(3)]
    place = lambda node: tuple(low[k] + step * node[k] for k in range(3))
    sums = {}
    for ball in balls:  # Σ exp(−BLEND·distance), of what is near
        reach = ball[3] + 4 * step
        ranges = [range(max(0, int((ball[k] - reach - low[k]) / step)), min(size[k], int((ball[k] + reach - low[k]) / step) + 2))
                  for k in range(3)]
        for i in ranges[0]:
            for j in ranges[1]:
                for k in ranges[2]:
                    x, y, z = place((i, j, k))
                    distance = ((x - ball[0]) ** 2 + (y - ball[1]) ** 2 + (z - ball[2]) ** 2) ** 0.5 - ball[3]
                    sums[i, j, k] = sums.get((i, j, k), 0.0) + exp(-BLEND * distance)

    def value(node):
        total = sums.get(node)
        if total is None:
            return 1.0
        x, y, z = place(node)
        return -log(total) / BLEND + scales * sin(95 * x + 20 * y) * sin(95 * y - 30 * z) * sin(95 * z + 40 * x) + 0.012

    values = {node: value(node) for node in sums}
    vertices, numbers, triangles = [], {}, []

    def crossing(a, b):
        """The vertex between a corner inside and one outside."""
        key = (min(a, b), max(a, b))
        if key not in numbers:
            p, q, f, g = place(key[0]), place(key[1]), values.get(key[0], 1.0), values.get(key[1], 1.0)
            part = min(max(f / (f - g), 0.02), 0.98)
            numbers[key] = len(vertices)
            vertices.append(tuple(u + part * (v - u) for u, v in zip(p, q)))
        return numbers[key]

    for node in sorted(values):
        corners = [(node[0] + (k & 1), node[1] + (k >> 1 & 1), node[2] + (k >> 2)) for k in range(8)]
        inside = [values.get(corner, 1.0) < 0 for corner in corners]
        if all(inside) or not any(inside):
            continue
        for tetrahedron in TETRAHEDRA:
            found, outwards = cut([corners[k] for k in tetrahedron], [inside[k] for k in tetrahedron], crossing)
            for a, b, c in found:
                turned = sum(x * y for x, y in zip(normal(vertices, (a, b, c)), outwards)) < 0
                triangles.append((a, c, b) if turned else (a, b, c))
    return vertices, triangles


def cut(corners, inside, crossing):
    """The triangles of the surface in a tetrahedron, turned anyhow, and a direction out of the solid."""
    within = [corners[k] for k in range(4) if inside[k]]
    without = [corners[k] for k in range(4) if not inside[k]]
    if not within or not without:
        return [], None
    outwards = [sum(c[k] for c in without) / len(without) - sum(c[k] for c in within) / len(within) for k in range(3)]
    if len(within) == 2:
        (a, b), (c, d) = within, without
        quad = [crossing(a, c), crossing(a, d), crossing(b, d), crossing(b, c)]
        return [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])], outwards
    return [tuple(crossing(a, b) for a in within for b in without)], outwards


def normal(vertices, triangle):
    a, b, c = (vertices[k] for k in triangle)
    u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def middle(vertices, triangle, weights):
    return tuple(sum(w * vertices[k][i] for w, k in zip(weights, triangle)) for i in range(3))


def add_slivers(vertices, triangles, count):
    """Splits triangles at a point close to their longest side."""
    for k in range(count):
        at = (2 * k + 1) * len(triangles) // (2 * count)
        turns = [triangles[at][turn:] + triangles[at][:turn] for turn in range(3)]
        a, b, c = max(turns, key=lambda turn: dist(vertices[turn[0]], vertices[turn[1]]))
        new = len(vertices)
        vertices.append(middle(vertices, (a, b, c), (0.45, 0.5498, 0.0002)))
        triangles[at] = (b, c, new)
        triangles += [(c, a, new), (a, b, new)]


def add_fins(vertices, triangles, count):
    """Doubled triangles that stand on an edge, and a last one that stands on two."""
    for k in range(count - 1):
        triangle = triangles[(4 * k + 3) * len(triangles) // (4 * count)]
        a, b, _ = triangle
        up = normal(vertices, triangle)
        length = sum(x * x for x in up) ** 0.5
        tip = tuple(p + 0.8 * STEP * x / length for p, x in zip(middle(vertices, triangle, (0.5, 0.5, 0.0)), up))
        new = len(vertices)
        vertices.append(tip)
        triangles += [(a, b, new), (b, a, new)]
    neighbours = {}
    for triangle in triangles:
        for k in range(3):
            neighbours.setdefault(triangle[k], set()).update(triangle)
    centre = triangles[len(triangles) // 3][0]
    a = min(neighbours[centre] - {centre})
    b = min(neighbours[centre] - neighbours[a])
    triangles += [(a, centre, b), (b, centre, a)]


def write_ply(file, vertices, triangles):
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(vertices)}", "property float x",
              "property float y", "property float z", f"element face {len(triangles)}",
              "property list uchar int vertex_indices", "end_header", ""]
    file.write("\n".join(header).encode())
    for vertex in vertices:
        file.write(struct.pack("<3f", *vertex))
    for triangle in triangles:
        file.write(struct.pack("<B3i", 3, *triangle))


if __name__ == "__main__":
    points, faces = surface(balls(), STEP)
    add_slivers(points, faces, 7)
    add_fins(points, faces, 5)
    with open("dragon.ply", "wb") as output:
        write_ply(output, points, faces)
