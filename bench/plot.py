# SPDX-License-Identifier: BSD-2-Clause
"""The cost of a hit as a picture: bars on a logarithmic scale, in SVG written by hand.

docs/hits.svg has every row of one run, docs/peers.svg, for the README, those of CHOSEN.
"""
import html
import math

OURS, PEER, TEXT, GRID = "#1b6ca8", "#b0b7be", "#1f2328", "#d8dee4"
LABELS, BARS, ROW, TOP = 400, 420, 22, 44
LEAST, DECADES = 0.1, 5  # 0.1 ns to 10 us

# What the README shows of the benchmark's rows, each under a name for newcomers.
CHOSEN = {
    "sdtlink, inline site: count, jump": "sdtlink: count",
    "flag, load-test-branch: count": "flag tested by the program: count",
    "sdtlink, call site: empty handler, jump": "sdtlink, -DSDT_CALL_SITES: empty handler",
    "XRay, entry sled: handler that counts": "LLVM XRay: handler that counts",
    "sdtlink, inline site: empty handler, jump": "sdtlink: empty handler",
    "LTTng-UST: event with 1 field, recorded": "LTTng-UST: event with one field, recorded",
    "<sys/sdt.h> + bpftrace: count": "<sys/sdt.h> + bpftrace: count",
    "<sys/sdt.h> + uprobe, nop1: perf count": "<sys/sdt.h> + perf: count",
    "sdtlink, inline site: count, breakpoint": "sdtlink, by breakpoint (fallback): count",
}


def _x(value):
    return LABELS + BARS * min(max(math.log10(max(value, LEAST) / LEAST) / DECADES, 0.003), 1)


def _text(x, y, words, anchor="start"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{TEXT}">'
            f"{html.escape(words)}</text>")


def _number(value):
    return f"{value:.{0 if value >= 100 else 1}f} ns"


def _one_thread(rows):
    """What -> nanoseconds."""
    return {row["what"].removesuffix(", 1 thread"): row["value"] for row in rows
            if row["what"].endswith(", 1 thread") and "value" in row}


def hits(rows):
    """The rows of `hit` with one thread that are on, cheapest first."""
    return _draw(sorted((value, what) for what, value in _one_thread(rows).items()
                        if ": off" not in what))


def peers(rows):
    """The README's picture."""
    values = _one_thread(rows)
    return _draw(sorted((values[what], name) for what, name in CHOSEN.items() if what in values))


def _draw(chosen):
    height = TOP + ROW * len(chosen) + 34
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABELS + BARS + 80} {height}" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           _text(10, 20, "Nanoseconds per hit, one thread (logarithmic; blue: sdtlink)")]
    for decade in range(DECADES + 1):
        value = LEAST * 10 ** decade
        x = _x(value) if decade else LABELS
        out.append(f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{TOP - 8}" y2="{height - 24}" '
                   f'stroke="{GRID}"/>')
        out.append(_text(x, height - 8, f"{value:g} ns", "middle"))
    for i, (value, what) in enumerate(chosen):
        y = TOP + ROW * i
        colour = OURS if what.startswith("sdtlink") else PEER
        out.append(_text(LABELS - 8, y + 13, what, "end"))
        out.append(f'<rect x="{LABELS}" y="{y + 2}" width="{_x(value) - LABELS:.1f}" '
                   f'height="{ROW - 7}" fill="{colour}"/>')
        out.append(_text(_x(value) + 6, y + 13, _number(value)))
    out.append("</svg>\n")
    return "\n".join(out)
