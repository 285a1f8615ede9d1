# SPDX-License-Identifier: BSD-2-Clause
"""What a first user does: the README's tour followed to the letter, and what was installed."""
import re

import pytest
from conftest import ROOT
from installed import prefix
from test_install import example

assert prefix and example  # fixtures

pytestmark = pytest.mark.nosan

SOURCES = re.compile(r"(\.\./)+(tests|runtime|sdt-dtrace|sdtlink|bench)/")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def test_the_tours_own_lines_are_all_that_it_needs(sdt, prefix):
    """As a shell reads them, with nothing of sdtlink in the environment before."""
    tour = (ROOT / "README.md").read_text().partition("\n## Five minutes\n")[2]
    tour = tour.partition("\n## ")[0]
    lines = re.search(r"^```sh\n\./run install ~/\.local\n((?:export .*\n)+)```$", tour, re.M)[1]
    sdt.write("web.c", re.search(r"^```c web\.c\n(.*?)^```$", tour, re.M | re.S)[1])
    home = sdt.path("home")
    home.mkdir()
    (home / ".local").symlink_to(prefix)
    commands = [line for line in re.findall(r"^\$ (.*)$", tour, re.M) if "forgotten" not in line]
    assert "./web" in commands
    bare = ["env", "-i", f"HOME={home}", "PATH=/usr/bin:/bin"]
    for before in ("", "export CPATH=/a LIBRARY_PATH=/b LD_LIBRARY_PATH=/c\n"):
        script = "set -eu\n" + before + lines + "\n".join(commands) + "\n"
        output = sdt.command(*bare, "bash", "-c", script, cwd=sdt.dir).stdout
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
