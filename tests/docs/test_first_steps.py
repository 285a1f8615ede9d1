# SPDX-License-Identifier: BSD-2-Clause
"""What a first user does: the README's tour followed to the letter, and what was installed."""
import re

import pytest
from conftest import ROOT
from installed import prefix
from test_install import example

assert prefix and example  # fixtures

pytestmark = pytest.mark.nosan

SOURCES = re.compile(r"(\.\./)+(tests|runtime|sdt-dtrace|sdtlink|bench|cmake)/")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


README = (ROOT / "README.md").read_text()
TOUR = README.partition("\n## Five minutes\n")[2].partition("\n## ")[0]
BY_HAND = (ROOT / "docs" / "how-it-works.md").read_text()


@pytest.fixture
def newcomer(sdt, prefix):
    """Runs the lines that begin with `$` in TEXT, in order, as a user who typed the README's
    `export` lines, with nothing of sdtlink in the environment before; gives what they print."""
    exports = re.search(r"^```sh\n\./run install ~/\.local\n((?:export .*\n)+)```$", TOUR, re.M)[1]
    home = sdt.path("home")
    home.mkdir()
    (home / ".local").symlink_to(prefix)

    def run(text, before=""):
        sdt.write("web.c", re.search(r"^```c web\.c\n(.*?)^```$", text, re.M | re.S)[1])
        commands = [line for line in re.findall(r"^\$ (.*)$", text, re.M)
                    if "forgotten" not in line]
        script = "set -eu\n" + before + exports + "\n".join(commands) + "\n"
        bare = ["env", "-i", f"HOME={home}", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
        return commands, sdt.command(*bare, "bash", "-c", script, cwd=sdt.dir).stdout

    return run


@pytest.mark.parametrize("before", ["", "export CPATH=/a LIBRARY_PATH=/b LD_LIBRARY_PATH=/c\n"])
def test_the_tours_own_lines_are_all_that_it_needs(sdt, newcomer, before):
    """And each command answers what the page shows, whatever the times are on this machine."""
    commands, output = newcomer(TOUR, before)
    assert [command.split()[1] for command in commands] == [
        "gcc", "list", "lat", "count", "trace", "record", "report"]
    assert re.search(r"^web +web +\w+ +request-begin +0x\w+ +inline +path: string, size: int32$",
                     output, re.M)
    for path, hits in (("/index.html", 750), ("/search", 250)):
        assert re.search(rf"^{path} +{hits} +[\d.]+ [um]s ", output, re.M)
        assert re.search(rf"^web:request-begin +{path} +{hits} +[\d.]+/s$", output, re.M)
    [traced] = re.findall(r"^2\d.* web:request-begin +(.*)$", output, re.M)
    assert traced == 'path="/search" size=2000'
    assert sdt.path("out.html").read_text().startswith("<!doctype html>")
    shown = re.findall(r"^(?:web:|PROBE|TIME).*$", TOUR, re.M)
    assert len(shown) > 4
    for line in shown:
        words = re.sub(r"[\d.]+/s", "", line).split()
        assert any(re.sub(r"[\d.]+/s", "", each).split() == words for each in output.split("\n"))


def test_the_page_on_one_probe_needs_no_more(newcomer):
    commands, output = newcomer(BY_HAND)
    assert "./web" in commands
    assert output.endswith("web:request in serve(): /index.html, 4096 bytes\n"
                           "web:request in serve(): /logo.png, 1200 bytes\n")


def test_links_of_the_installed_readme_lead_somewhere(prefix):
    page = prefix / "share" / "doc" / "sdtlink" / "README.md"
    targets = LINK.findall(page.read_text())
    assert len(targets) > 10
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_links_of_installed_pages_end_in_what_is_installed_or_in_sources(prefix):
    """Sources are not installed, headers elsewhere; pages and examples are beside each other."""
    root = prefix / "share" / "doc" / "sdtlink"
    pages = [*root.glob("docs/**/*.md")]
    assert len(pages) > 10
    for page in pages:
        for target in LINK.findall(page.read_text()):
            is_there = (page.parent / target).exists() or SOURCES.match(target)
            assert is_there, f"{page.relative_to(root)}: {target}"


def test_the_pkg_config_example_starts_as_it_was_built(sdt, example):
    lru = example("pkg-config")
    lru.make()
    result = sdt.command("env", "-i", lru.dir / "lru", "4", input="1 1\n")
    assert result.stdout.startswith("1 hits, 1 misses\n")
