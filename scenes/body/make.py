#!/usr/bin/env python3
"""Writes the body of garment_walk.toml: 0001.obj … 0046.obj, 15 per second.

A torso of rings around a spine that bends and sways, with the hips turning below the shoulders: a figure
without arms, closed, 1 m tall. It starts upright and at rest. Run it in this folder; no packages are
needed. dress.obj is the garment: it hangs on the shoulders.
"""

from math import cos, pi, sin

FRAMES, FPS = 46, 15.0
RINGS, SEGMENTS = 24, 20
# Height along the spine, half width, half depth, metres: from the knees to the neck.
PROFILE = [
    (0.00, 0.12, 0.11), (0.15, 0.145, 0.12), (0.30, 0.165, 0.125), (0.42, 0.16, 0.12),
    (0.58, 0.125, 0.10), (0.75, 0.15, 0.115), (0.88, 0.165, 0.11), (0.95, 0.11, 0.09), (1.0, 0.06, 0.06),
]


def profile(height):
    for (h0, w0, d0), (h1, w1, d1) in zip(PROFILE, PROFILE[1:]):
        if height <= h1:
            s = (height - h0) / (h1 - h0)
            s = s * s * (3 - 2 * s)
            return w0 + s * (w1 - w0), d0 + s * (d1 - d0)
    return PROFILE[-1][1:]


def vertices(time):
    start = min(time / 0.6, 1.0)
    swing = start * start * (3 - 2 * start)  # the walk sets in over 0.6 s
    phase = 2 * pi * 0.8 * time
    sway, bend = 0.22 * swing * sin(phase), 0.18 * swing * (1 - cos(phase)) / 2  # radians over the spine
    turn = 0.35 * swing * sin(phase)
    shift, drop = 0.05 * swing * sin(phase), 0.015 * swing * (1 - cos(2 * phase)) / 2
    x, y, z = shift, -drop, 0.0
    points = []
    for ring in range(RINGS + 1):
        s = ring / RINGS
        tilt_x, tilt_z = bend * s * s, sway * s * (1 - 0.6 * s)
        if ring:
            step = 1.0 / RINGS
            x, y, z = x - step * sin(tilt_z), y + step * cos(tilt_z) * cos(tilt_x), z + step * sin(tilt_x)
        if ring == 0:
            points.append((x, y, z))
        width, depth = profile(s)
        angle_of_ring = turn * (0.5 - s)
        for k in range(SEGMENTS):
            angle = 2 * pi * k / SEGMENTS
            u, v = width * cos(angle), depth * sin(angle)
            px = u * cos(angle_of_ring) + v * sin(angle_of_ring)
            pz = -u * sin(angle_of_ring) + v * cos(angle_of_ring)
            # Rings stay square to the spine.
            points.append((x + px * cos(tilt_z), y + px * sin(tilt_z) - pz * sin(tilt_x), z + pz * cos(tilt_x)))
    points.append((x, y, z))
    return points


def faces():
    first = lambda ring: 2 + ring * SEGMENTS  # OBJ counts from 1, and the lower middle is the first
    top = 2 + (RINGS + 1) * SEGMENTS
    for k in range(SEGMENTS):
        n = (k + 1) % SEGMENTS
        yield 1, first(0) + k, first(0) + n
        for ring in range(RINGS):
            a, b, c, d = first(ring) + k, first(ring) + n, first(ring + 1) + n, first(ring + 1) + k
            yield a, c, b
            yield a, d, c
        yield top, first(RINGS) + n, first(RINGS) + k


# Height, half width, half depth of the dress below the chest, metres; above it follows the body.
HEM, CHEST = (0.22, 0.27, 0.23), (0.86, 0.172, 0.118)
GAP, NECK = 0.007, 0.97
DRESS_RINGS, DRESS_SEGMENTS = 36, 72


def dress():
    points, faces = [], []
    for ring in range(DRESS_RINGS + 1):
        height = HEM[0] + (NECK - HEM[0]) * ring / DRESS_RINGS
        if height < CHEST[0]:
            s = (height - HEM[0]) / (CHEST[0] - HEM[0])
            width, depth = (h + s * (c - h) for h, c in zip(HEM[1:], CHEST[1:]))
        else:
            width, depth = (size + GAP for size in profile(height))
        for k in range(DRESS_SEGMENTS):
            angle = 2 * pi * (k + 0.5 * (ring % 2)) / DRESS_SEGMENTS
            points.append((width * cos(angle), height, depth * sin(angle)))
    for ring in range(DRESS_RINGS):
        low, high = 1 + ring * DRESS_SEGMENTS, 1 + (ring + 1) * DRESS_SEGMENTS
        for k in range(DRESS_SEGMENTS):
            n = (k + 1) % DRESS_SEGMENTS
            if ring % 2 == 0:
                faces += [(low + k, high + k, low + n), (low + n, high + k, high + n)]
            else:
                faces += [(low + k, high + k, high + n), (low + k, high + n, low + n)]
    return points, faces


def write(name, points, faces):
    with open(name, "w", newline="\n") as file:
        for p in points:
            file.write("v {:.4f} {:.4f} {:.4f}\n".format(*p))
        for f in faces:
            file.write("f {} {} {}\n".format(*f))


for frame in range(FRAMES):
    write(f"{frame + 1:04}.obj", vertices(frame / FPS), faces())
write("dress.obj", *dress())
