# SPDX-License-Identifier: BSD-2-Clause
"""Programs that make it hard to keep a site and the types of its arguments together."""
import random

TYPES = {"i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32",
         "u32": "uint32", "i64": "int64", "u64": "uint64", "bool": "bool", "f32": "float",
         "f64": "double", "&str": "string"}
HEAD = """#![allow(warnings)]
struct Guard<'a>(&'a str);
impl Drop for Guard<'_> {
    #[inline(always)]
    fn drop(&mut self) { sdt::probe!(made, drop, name = self.0); }
}
"""


class Maker:
    """One program: functions that call those before them, and what its probes should look like."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.listed = {"drop": "name: string"}
        self.calls = []
        self.entries = []

    def value(self, kind):
        choose = self.random.choice
        if kind == "&str":
            return choose(["s", '"text"', "&s[..1]"])
        if kind == "bool":
            return choose(["x > 3", "true", "y == x as u64"])
        return f"{choose(['x', 'y', 'x.wrapping_mul(3)', '7u8'])} as {kind}"

    def probe(self):
        kinds = [self.random.choice([*TYPES]) for _ in range(self.random.randint(0, 6))]
        name = f"p{len(self.listed)}"
        self.listed[name] = ", ".join(f"a{i}: {TYPES[kind]}" for i, kind in enumerate(kinds))
        values = "".join(f", a{i} = {self.value(kind)}" for i, kind in enumerate(kinds))
        return f"sdt::probe!(made, {name}{values});"

    def block(self, depth):
        kind = self.random.random()
        inner = [self.block(depth - 1) for _ in range(3)] if depth and kind > 0.35 else []
        if not inner:
            is_call = self.calls and self.random.random() < 0.4
            return self.random.choice(self.calls) if is_call else self.probe()
        if kind < 0.6:
            condition = self.random.choice(["x > 5", "y & 1 == 0", "s.is_empty()"])
            return f"if {condition} {{ {inner[0]} {inner[1]} }} else {{ {inner[2]} }}"
        if kind < 0.75:
            return f"for i in 0..3 {{ let x = x.wrapping_add(i); {inner[0]} }}"
        if kind < 0.85:
            return f"{{ let _guard = Guard(s); {inner[0]} }}"
        arms = "".join(f"{i} => {{ {text} }} " for i, text in zip("01_", inner))
        return f"match x & 3 {{ {arms} }}"

    def function(self, number):
        inlined = self.random.choice(["#[inline(always)]", "#[inline(never)]", "#[inline]"])
        self_calls = [f"f{number}({x}, y, s, {t});" for x in ("x", "4") for t in ("x", "()")]
        text = (f"{inlined} fn f{number}<T: Copy>(x: i32, y: u64, s: &str, t: T) "
                f"{{ let y = y ^ core::mem::size_of::<T>() as u64; {self.block(3)} }}\n")
        self.calls = (self.calls + self_calls)[-24:]
        self.entries += self_calls[:2]
        return text


def program(seed):
    """Its text, and what `sdtlink list` should say of the arguments of each probe."""
    maker = Maker(seed)
    functions = "".join(maker.function(number) for number in range(25))
    return (f"{HEAD}{functions}fn main() {{ let x = std::env::args().count() as i32; "
            f"let (y, s) = (x as u64, \"abc\"); if x > 100 {{ {' '.join(maker.entries)} }} }}\n",
            maker.listed)
