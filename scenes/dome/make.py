#!/usr/bin/env python3
"""Writes dome.obj, a shallow dome, and pushed.obj, the same pushed in: its mirror image. Run it in this folder."""

from math import cos, pi, sin

RADIUS, HEIGHT, RINGS = 0.5, 0.25, 7


def write(name, height):
    with open(name, "w", newline="\n") as file:
        file.write(f"v 0 {height:.5f} 0\n")
        for ring in range(1, RINGS + 1):
            part = ring / RINGS
            for k in range(6 * ring):
                angle = 2 * pi * k / (6 * ring)
                x, z = RADIUS * part * cos(angle), RADIUS * part * sin(angle)
                file.write(f"v {x:.5f} {height * (1 - part * part):.5f} {z:.5f}\n")
        first = [1] + [2 + 3 * ring * (ring - 1) for ring in range(1, RINGS + 1)]
        for ring in range(1, RINGS + 1):
            for sector in range(6):
                for k in range(ring):
                    outer = sector * ring + k
                    inner = sector * (ring - 1) + k
                    a = first[ring] + outer
                    b = first[ring] + (outer + 1) % (6 * ring)
                    c = first[ring - 1] + inner % max(1, 6 * (ring - 1))
                    file.write(f"f {a} {c} {b}\n")
                    if k + 1 < ring:
                        d = first[ring - 1] + (inner + 1) % (6 * (ring - 1))
                        file.write(f"f {b} {c} {d}\n")


write("dome.obj", HEIGHT)
write("pushed.obj", -HEIGHT)
