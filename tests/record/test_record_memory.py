# SPDX-License-Identifier: BSD-2-Clause
"""Events with one text or array, which are copied into the ring in the step that commits them: by
babeltrace2, and by the bytes of the streams."""
import pytest

import recorded

pytestmark = pytest.mark.plain  # what the runtime does

LONGEST, MANY = 40, 3_000
WAYS = {"rseq": {}, "without": {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}}


def length(i):
    return 980 + i % 90 if i % 100 == 99 else 1 + i % 77


def numbers(tag, count, is_there=True):
    values = [-i * 1000003 for i in range(count)] if is_there else []
    yield "rec:numbers", [tag, values, tag + count]
    yield "rec:last", [count, values]


def expected(most):
    for n in range(LONGEST + 1):
        for space in range(9):
            yield "rec:bytes", [n, bytes(range(n, 2 * n)), space]
    for n in range(LONGEST + 1):
        for space in range(3):
            yield from numbers(space, n)
    for i in range(MANY):
        yield "rec:text", [i, "y" * min(length(i), most), i + 1]
    for space in range(LONGEST + 1):
        yield "rec:text", [space, "t" * (LONGEST + space), space + 1]
        yield "rec:bytes", [LONGEST, b"t" * LONGEST, space]
    yield "rec:text", [1, "there", 2]
    yield "rec:bytes", [5, b"there", 1]
    yield "rec:text", [2, "<fault>", 3]
    yield "rec:bytes", [5, b"", 2]
    yield from numbers(3, 2, is_there=False)
    yield "rec:text", [3, "after", 4]


def values(event):
    """Without the lengths of sequences."""
    return [value for name, value in event.fields.items() if not name.endswith("_length")]


@pytest.mark.parametrize("flags", [[], ["-DSDT_CALL_SITES"]], ids=["inline", "call"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("most", [1000, 256])
def test_one_text_or_array(sdt, flags, way, most):
    exe = recorded.build(sdt, "record_memory.c", *flags)
    sdt.command(exe, env={**recorded.wish(sdt, options=f"ring=8M,text={most}"), **WAYS[way]})
    events, discarded, _ = recorded.read(sdt)
    assert discarded == 0
    wanted = list(expected(most))
    for event, (name, fields) in zip(events, wanted):
        assert (event.name, values(event)) == (name, fields)
    assert len(events) == len(wanted) == len(recorded.words(sdt))
