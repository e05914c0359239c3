"""Writes the tables of bender2009.md anew, from what `muslin reproduce` measured:

    for item in figure4 figure5 figure6 interruption momentum repair choice; do
        muslin reproduce bender2009-$item --json > DIR/$item.json
    done
    python3 docs/papers/bender2009-tables.py DIR

A table stands between `<!-- item -->` and `<!-- /item -->`.
"""

import json
import math
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).with_name("bender2009.md")
SIDES = ["10×10", "20×20", "30×30", "40×40", "50×50"]
TOLERANCES = ["10 %", "1 %", "0.1 %", "0.01 %"]


def number(value, digits=3):
    """A number with so many significant digits, without an exponent unless it is very small."""
    if value == 0:
        return "0"
    if abs(value) < 1e-3:
        mantissa, exponent = f"{value:.{digits - 2}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:.0f}" if rounded == int(rounded) and abs(rounded) >= 10 ** (digits - 1) else f"{rounded:g}"


def below(strain, tolerance):
    """A strain that must be below its tolerance, rounded down so that one sees it."""
    allowed = float(tolerance.split()[0])
    assert strain < allowed, (strain, tolerance)
    share = math.floor(strain / allowed * 1e6) / 1e6
    return f"{share * allowed:.8g}".replace("e-0", "e-")


def table(head, rows):
    align = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, align, *rows])


def figure4(of):
    names = ["largest strain of all steps", "average strain", "passes", "velocity passes", "lowest particle at the end"]
    head = ["tolerance", "largest strain of all steps, %", "average, %", "passes per step", "for velocities", "hem, m below the corners"]
    largest = lambda t: below(of(f"{t}, {names[0]}"), t)
    return table(head, [[t, largest(t), *(number(of(f"{t}, {name}"), 4) for name in names[1:])] for t in TOLERANCES])


def figure5(of):
    times = [[s, *(number(of(f"{s}, {t}, ms per step")) for t in TOLERANCES)] for s in SIDES]
    passes = [[s, *(f"{of(f'{s}, {t}, passes'):.0f} + {of(f'{s}, {t}, velocity passes'):.0f}" for t in TOLERANCES)] for s in SIDES]
    best = [
        [s, *(f"{number(of(f'{s}, {t}, ms per step (best factor)'))} ({of(f'{s}, {t}, passes (best factor)'):.0f})" for t in TOLERANCES)]
        for s in SIDES
    ]
    strains = [
        [s, *(" / ".join(number(of(f"{s}, {t}, {kind} strain"), 2) for kind in ["average", "global"]) for t in TOLERANCES)]
        for s in SIDES
    ]
    largest = [[s, *(below(of(f"{s}, {t}, largest strain"), t) for t in TOLERANCES)] for s in SIDES]
    return "\n\n".join([
        "Milliseconds per step:\n\n" + table(["", *TOLERANCES], times),
        "Passes per step, for positions + for velocities:\n\n" + table(["", *TOLERANCES], passes),
        "Milliseconds per step (passes for positions) with an over-relaxation of 2/(1 + sin(π/2n)) in place of 1.7:\n\n"
        + table(["", *TOLERANCES], best),
        "Strain in per cent, average / global:\n\n" + table(["", *TOLERANCES], strains),
        "Largest strain of any constraint at any step, per cent:\n\n" + table(["", *TOLERANCES], largest),
    ])


def figure6(of):
    names = ["ms per step", "largest strain", "factorisations", "solutions", "degenerate", "ms per factorisation"]
    head = ["", "ms per step", "largest strain, %", "factorisations per step", "solutions", "degenerate", "ms per factorisation"]
    sides = [*SIDES, "100×100", "200×200"]
    cell = lambda value: "–" if value is None else number(value)
    cells = lambda s: [cell(of(f"{s}, {name}", missing=True)) for name in names]
    rows = [[s, *cells(s)] for s in sides]
    for row in rows:
        row[2] = below(of(f"{row[0]}, largest strain"), "0.0001 %")
    exponent = of("growth exponent of a factorisation's time")
    return table(head, rows) + f"\n\nA factorisation's time grows with the number of constraints to the power {number(exponent)}."


def interruption(of):
    cases = [("1 m wide", ""), ("1 m, over-relaxed", " (over-relaxed)"), ("10 m wide", " (10 m wide)"), ("10 m, over-relaxed", " (10 m wide, over-relaxed)")]
    names = ["ms per step", "average strain", "global strain", "largest strain, last fifth", "energy at the end"]
    head = ["", "ms per step", "average strain, %", "global, %", "largest of the last 100 steps, %", "energy at the end, J"]
    return table(head, [[name, *(number(of(f"{what}{case}")) for what in names)] for name, case in cases])


def momentum(of):
    names = ["drift of linear momentum", "drift of angular momentum", "kinetic energy at the end", "largest strain", "ms per step"]
    head = ["", "linear momentum", "angular momentum", "kinetic energy left", "largest strain, %", "ms per step"]
    return table(head, [[m, *(number(of(f"{m}, {name}"), 2) for name in names)] for m in ["iterative", "linear system"]])


def repair(of):
    cases = [("iterative", t) for t in TOLERANCES[:3]] + [("linear system", t) for t in ["1 %", "0.01 %"]]
    sides = ["10×10", "20×20", "40×40"]
    cell = lambda s, c: f"{of(f'{s}, {c}, steps'):.0f} / {of(f'{s}, {c}, passes'):.0f}"
    rows = [[f"{m}, {t}", *(cell(s, f"{m}, {t}") for s in sides)] for m, t in cases]
    return table(["steps / passes", *sides], rows)


def choice(of):
    tolerances = [*TOLERANCES, "0.001 %", "0.0001 %"]
    def cell(s, t):
        times = [of(f"{s}, {t}, {method}") for method in ["iterative", "linear system"]]
        faster = times.index(min(times))
        texts = [f"**{number(x)}**" if i == faster else number(x) for i, x in enumerate(times)]
        failed = [of(f"{s}, {t}, {method}, unsatisfied") > 0 for method in ["iterative", "linear system"]]
        texts = [text + (" (!)" if fails else "") for text, fails in zip(texts, failed)]
        return f"{texts[0]} ({number(of(f'{s}, {t}, iterative (best factor)'))}) / {texts[1]}"
    rows = [[s, *(cell(s, t) for t in tolerances)] for s in [*SIDES, "70×70", "100×100"]]
    return table(["ms", *tolerances], rows) + f"\n\n`auto` is at most {number(of('auto / faster, worst'))} times slower than the faster method."


def main(folder):
    page = PAGE.read_text()
    for item in [figure4, figure5, figure6, interruption, momentum, repair, choice]:
        path = pathlib.Path(folder) / f"{item.__name__}.json"
        if not path.exists():
            print(f"{path} is not there: its table stays", file=sys.stderr)
            continue
        values = {row["label"]: row["ours"] for row in json.loads(path.read_text())["rows"]}
        of = lambda label, missing=False: values.get(label) if missing else values[label]
        name = item.__name__
        pattern = re.compile(f"<!-- {name} -->.*?<!-- /{name} -->", re.S)
        page, count = pattern.subn(lambda _: f"<!-- {name} -->\n\n{item(of)}\n\n<!-- /{name} -->", page)
        assert count == 1, name
    PAGE.write_text(page)


main(sys.argv[1])
