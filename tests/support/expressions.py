# SPDX-License-Identifier: BSD-2-Clause
"""What an expression means (runtime/shared/grammar.h), written again for tests, which compare the
parsers and evaluators of the project with this one.

Values are int, float, bytes (text), list (array), and None: missing. Python's integers are exact,
and it compares them with floats exactly.
"""
import re

TOKEN = re.compile(r"""\s*(?:(?P<time>(\d+\.\d*|\.?\d+)(ns|us|ms|s)\b)
    |(?P<real>(\d+\.\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|\d+[eE][-+]?\d+))
    |(?P<integer>0[xX][0-9a-fA-F]+|\d+) |(?P<text>"([^"\\]|\\.)*")
    |(?P<name>(arg\.)?[A-Za-z_]\w*) |(?P<mark>\|\||&&|\^=|[<>=!]=|<<|>>|[-+*/%&|^~!<>()\[\],]))""",
                   re.X)
LEVELS = [["||"], ["&&"], None, ["==", "!=", "<=", ">=", "<", ">", "^="], ["+", "-", "|", "^"],
          ["*", "/", "%", "&", "<<", ">>"]]  # None: the place of `!`
UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def tokens(text):
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxError(text)
        found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return found + [("end", "")]


def truth(value):
    return value not in (None, 0, b"", "") and value == value and not isinstance(value, list)


def is_number(value):
    return isinstance(value, (int, float))


class Name(bytes):
    """That of a probe, in which "-" may be written as "__"."""


def compare(mark, a, b):
    are_texts = isinstance(a, bytes) and isinstance(b, bytes)
    if are_texts and (isinstance(a, Name) or isinstance(b, Name)):
        a, b = (bytes(text).replace(b"__", b"-") for text in (a, b))
    if mark == "^=":
        return are_texts and a.startswith(b)
    if not are_texts and not (is_number(a) and is_number(b)):
        return False
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[mark]


def fitting(number):
    """Integers have 128 bits on the way."""
    return number if isinstance(number, float) or -2**127 <= number < 2**127 else None


def calculate(mark, a, b):
    if not (is_number(a) and is_number(b)):
        return None
    whole = isinstance(a, int) and isinstance(b, int)
    if mark in "+-*":
        return fitting({"+": a + b, "-": a - b, "*": a * b}[mark])
    if mark == "/" and not whole:
        return a / b if b else None
    if not whole or (mark in "/%" and b == 0) or (mark in ("<<", ">>") and not 0 <= b < 64):
        return None
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if mark in "/%" else 0
    return {"/": lambda: quotient, "%": lambda: a - quotient * b, "&": lambda: a & b,
            "|": lambda: a | b, "^": lambda: a ^ b, "<<": lambda: fitting(a << b),
            ">>": lambda: a >> b}[mark]()


def call(name, values):
    if name == "len" and len(values) == 1:
        return len(values[0]) if isinstance(values[0], (bytes, list)) else None
    if name == "int" and len(values) == 1:
        return int(values[0]) if is_number(values[0]) and values[0] == values[0] else None
    if name == "str" and len(values) == 1:
        return values[0] if isinstance(values[0], bytes) else None
    if name == "str" and len(values) == 2:
        is_there = isinstance(values[0], bytes) and isinstance(values[1], int)
        return values[0][:max(values[1], 0)] if is_there else None
    raise SyntaxError(name)


class Reader:
    """Recursive descent; values are calculated on the way, of the names in VALUES."""

    def __init__(self, text, values):
        self.rest, self.values = tokens(text), values

    def take(self, *marks):
        kind, word = self.rest[0]
        if kind != "mark" or word not in marks:
            return None
        self.rest.pop(0)
        return word

    def need(self, mark):
        if not self.take(mark):
            raise SyntaxError(f"no {mark}")

    def level(self, number):
        if number == len(LEVELS):
            return self.sign()
        marks = LEVELS[number]
        if marks is None:
            return int(not truth(self.level(number))) if self.take("!") else self.level(number + 1)
        value = self.level(number + 1)
        while mark := self.take(*marks):
            other = self.level(number + 1)
            if mark in ("||", "&&"):
                both = truth(value) and truth(other)
                value = int(both or (mark == "||" and (truth(value) or truth(other))))
            elif marks is LEVELS[3]:
                if self.rest[0][1] in marks:
                    raise SyntaxError("a comparison of a comparison")
                return int(compare(mark, value, other))
            else:
                value = calculate(mark, value, other)
        return value

    def sign(self):
        mark = self.take("-", "~")
        if not mark:
            return self.value()
        value = self.sign()
        if mark == "~":
            return ~value if isinstance(value, int) else None
        return -value if is_number(value) else None

    def value(self):
        if self.take("("):
            value = self.level(0)
            self.need(")")
            return value
        kind, word = self.rest.pop(0)
        if kind == "time":
            number, unit = re.fullmatch(r"([\d.]+)(\w+)", word).groups()
            return round(float(number) * UNITS[unit])
        if kind == "real":
            return float(word)
        if kind == "integer":
            return int(word, 0)
        if kind == "text":
            text = re.sub(r"\\(x..|.)", lambda match: ESCAPES.get(match[1], match[1])
                          if match[1][0] != "x" else chr(int(match[1][1:], 16)), word[1:-1])
            return text.encode("latin-1")
        if kind != "name":
            raise SyntaxError(word)
        return self.name(word)

    def name(self, word):
        if word in ("true", "false"):
            return int(word == "true")
        if not word.startswith("arg.") and self.take("("):
            values = [self.level(0)]
            while self.take(","):
                values.append(self.level(0))
            self.need(")")
            return call(word, values)
        value = self.values(word)
        if self.take("["):
            index = self.level(0)
            self.need("]")
            is_there = isinstance(value, list) and isinstance(index, int) and \
                0 <= index < len(value)
            value = value[index] if is_there else None
        elif isinstance(value, list) and self.rest[0][1] != ")":
            value = len(value)
        return value


def holds(text, values):
    """VALUES: a function, of a name as it is written, to its value."""
    reader = Reader(text, values)
    value = reader.level(0)
    if reader.rest != [("end", "")]:
        raise SyntaxError(text)
    return truth(value)
