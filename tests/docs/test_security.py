# SPDX-License-Identifier: BSD-2-Clause
"""SECURITY.md: each file and each test that it names exists, and the headings of its links do."""
import re

import pytest
from conftest import ROOT

pytestmark = [pytest.mark.nosan, pytest.mark.plain]  # runs no tool
PAGE = (ROOT / "SECURITY.md").read_text()
NAMED = sorted(set(re.findall(r"`((?:tests|debian)/[\w./-]+(?:::\w+)?)`", PAGE)))


def test_it_names_tests():
    assert len([name for name in NAMED if "::" in name]) > 10


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_exists(name):
    path, _, test = name.partition("::")
    assert (ROOT / path).is_file()
    if test:
        assert re.search(rf"^def {test}\(", (ROOT / path).read_text(), re.M)


def anchors(page):
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.M)}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)]+)\)", PAGE))))
def test_links_lead_somewhere(link):
    path, _, anchor = link.partition("#")
    assert (ROOT / path).is_file()
    assert not anchor or anchor in anchors(ROOT / path)


def test_no_mailbox_is_invented():
    """Debian's format wants addresses: they are in a reserved domain, as the page says."""
    for name in ("control", "changelog"):
        addresses = re.findall(r"<(\S+@\S+)>", (ROOT / "debian" / name).read_text("utf-8"))
        assert addresses and all(address.endswith(".example") for address in addresses)
    assert "The project has no mailbox" in PAGE and "@" not in PAGE


@pytest.mark.parametrize("claim, file, words", [
    ("at most 128 steps", "runtime/exchange/program.h", "LIVE_MAX_STEPS = 128"),
    ("at most 2^20 keys", "runtime/exchange/table.h", "LIVE_MAX_KEYS = 1 << 20"),
    ("all eight places", "runtime/exchange/page.h", "LIVE_SESSIONS = 8")])
def test_numbers_are_those_of_the_source(claim, file, words):
    assert claim in " ".join(PAGE.split()) and words in (ROOT / file).read_text()
