#!/usr/bin/env python3
"""Writes funnel.obj: a funnel with a wall, closed, its mouth up. Run it in this folder."""

from math import cos, pi, sin

SEGMENTS = 64
# Radius and height, metres: down the inside and up the outside.
PROFILE = [
    (0.300, 0.200), (0.250, 0.165), (0.200, 0.130), (0.150, 0.095), (0.110, 0.064), (0.085, 0.040),
    (0.072, 0.020), (0.066, 0.000), (0.065, -0.030), (0.065, -0.060), (0.067, -0.070),
    (0.072, -0.074), (0.077, -0.070), (0.079, -0.060), (0.079, 0.000), (0.098, 0.040), (0.160, 0.086),
    (0.310, 0.191), (0.312, 0.198), (0.307, 0.203),
]

with open("funnel.obj", "w", newline="\n") as file:
    for radius, height in PROFILE:
        for k in range(SEGMENTS):
            angle = 2 * pi * k / SEGMENTS
            file.write(f"v {radius * cos(angle):.4f} {height:.4f} {radius * sin(angle):.4f}\n")
    for ring in range(len(PROFILE)):
        a, b = 1 + ring * SEGMENTS, 1 + (ring + 1) % len(PROFILE) * SEGMENTS
        for k in range(SEGMENTS):
            n = (k + 1) % SEGMENTS
            file.write(f"f {a + k} {b + n} {b + k}\nf {a + k} {a + n} {b + n}\n")
