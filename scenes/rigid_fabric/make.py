#!/usr/bin/env python3
"""Writes crumpled.obj: the 10 x 10 points of the fabric, pushed together in folds. Run it in this folder.

The formulas are those of `crumpled` in crates/muslin-papers/src/kelager2010/fabric.rs.
"""

from math import cos, sin

SIDE = 10

with open("crumpled.obj", "w", newline="\n") as file:
    for row in range(SIDE):
        for column in range(SIDE):
            x, y = column / (SIDE - 1), row / (SIDE - 1)
            px = 0.25 + 0.5 * x + 0.07 * sin(9 * y + 4 * x)
            py = 0.2 + 0.6 * y + 0.07 * sin(8 * x - 5 * y)
            pz = 0.12 * sin(14 * x + 3 * y) + 0.08 * cos(11 * y - 6 * x)
            file.write(f"v {px:.5f} {py:.5f} {pz:.5f}\n")
    for row in range(SIDE - 1):
        for column in range(SIDE - 1):
            a = 1 + row * SIDE + column
            b, d = a + 1, a + SIDE
            c = d + 1
            file.write(f"f {a} {b} {c}\nf {a} {c} {d}\n")
