# SPDX-License-Identifier: BSD-2-Clause
"""Small changes of a C file, each of which ought to break something that a test sees.

No parser: the sources are laid out by clang-format, so that a binary operator has spaces around it
and a unary one has none after, and a statement ends its line. What this reads wrongly does not
compile, and is not counted.
"""
import dataclasses
import hashlib
import re

COMMENT_OR_LITERAL = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'
      | ^[ ]*\#(?:\\\n|[^\n])* | ^_Static_assert\(.*?\);""", re.S | re.M | re.X)

OTHER = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&",
         "+": "-", "-": "+", "&": "|", "|": "&", "<<": ">>", ">>": "<<", "*": "+", "/": "*",
         "%": "/", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}
# How big a buffer is: sanitizers see when it is too small; no tool sees when it is too big.
ARRAY = re.compile(r"^ *(?:static |const |struct )*\w+ \**\w+\[[^]=]*\](?= =|;)", re.M)
OPERATOR = re.compile(r"(?<=[^\s(,=] )(" + "|".join(map(re.escape, sorted(OTHER, key=len)[::-1])) +
                      r")(?=[ \n])")
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-f]+|\d+)(?=[uUlL]*(?![\w.]))")
NEGATION = re.compile(r"(?<=[ (])!(?=[\w(*])")
CONDITION = re.compile(r"\bif \(")
RETURN = re.compile(r"\breturn ([^;]+);")
TRUTH = re.compile(r"\b(true|false)\b")
# An assignment or a call, alone on its line or lines; or a jump.
STATEMENT = re.compile(r"^ +((?:\*?[\w.>\[\]()*&+-]+ (?:[-+*/|&^]|<<|>>)?= |\(\w+\)?[\w.>-]+\(|"
                       r"[\w.>-]+\()[^;{}]*;|[\w.>\[\]-]+(?:\+\+|--);|(?:break|continue);)$", re.M)
RELEASE = re.compile(r"\w*free\(")
KEYWORDS = ("return", "if", "for", "while", "switch", "sizeof", "else", "do", "case")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """TEXT is the source line as it stands, in which OLD, at its column, becomes NEW."""
    path: str
    line: int
    text: str
    column: int
    start: int
    old: str
    new: str

    @property
    def title(self):
        return f"{self.path}:{self.line}: {shown(self.old)} -> {shown(self.new)}"

    @property
    def key(self):
        """What stays the same while the file around it changes."""
        return self.path, self.text, self.column, self.old, self.new

    @property
    def order(self):
        return hashlib.sha256(repr(self.key).encode()).digest()

    def apply(self, source):
        assert source.startswith(self.old, self.start)
        return source[:self.start] + self.new + source[self.start + len(self.old):]


def shown(code):
    return "`" + " ".join(code.split()) + "`"


def blank(match):
    """Literals keep their quotes, that they stay operands; nothing moves."""
    text = match[0]
    inside = re.sub(r"[^\n]", "x" if text[0] in "\"'" else " ", text[1:-1])
    return text[0] + inside + text[-1] if text[0] in "\"'" else re.sub(r"[^\n]", " ", text)


def closing(code, start):
    """The place after the parenthesis that is opened before START."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(code[start], 0)
        start += 1
    return start


def edits(source, code):
    """(place, old, new) of each change; CODE is SOURCE without comments and literals."""
    for m in OPERATOR.finditer(code):
        yield m.start(), m[1], OTHER[m[1]]
    for m in NUMBER.finditer(code):
        value = int(m[1], 8 if re.match(r"0\d", m[1]) else 0)
        yield m.start(), m[1], {0: "1", 1: "0"}.get(value, str(value + 1))
    for m in NEGATION.finditer(code):
        yield m.start(), "!", ""
    for m in TRUTH.finditer(code):
        yield m.start(), m[1], {"true": "false", "false": "true"}[m[1]]
    for m in CONDITION.finditer(code):
        end = closing(code, m.end())
        condition = source[m.end():end - 1]
        if not re.fullmatch(r"!?[^!=&|]*|[^&|]* [!=]= [^&|]*", condition) or "(" in condition:
            yield m.end(), condition, f"!({condition})"
        elif not re.search(r"[!=]= |^!", condition):
            yield m.end(), condition, f"!({condition})"
    for m in RETURN.finditer(code):
        value = source[m.start(1):m.end(1)]
        if value not in ("true", "false", "0", "1", "NULL"):
            yield m.start(1), value, "0"
        if value == "0":
            yield m.start(1), value, "-1"
    for m in STATEMENT.finditer(code):
        if m[1].startswith(KEYWORDS) or not starts_statement(code, m.start()):
            continue
        if RELEASE.match(m[1]):  # a leak: leak checkers see those, in the sanitizer build
            continue
        yield m.start(1), source[m.start(1):m.end(1)], ";"


def starts_statement(code, at):
    before = code[:at].rstrip()
    return before.endswith((";", "{", "}", ")", "else", ":"))


def mutants(path, source):
    """Of a file with this text, in an order that does not depend on what is around each."""
    code = ARRAY.sub(blank, COMMENT_OR_LITERAL.sub(blank, source))
    found = {}
    for start, old, new in edits(source, code):
        first = source.rfind("\n", 0, start) + 1
        line = source.count("\n", 0, start) + 1
        text = source[first:source.index("\n", start)].strip()
        column = start - first - (len(source[first:]) - len(source[first:].lstrip(" ")))
        mutant = Mutant(path, line, text, column, start, old, new)
        found.setdefault((start, old, new), mutant)
    return sorted(found.values(), key=lambda mutant: mutant.order)
