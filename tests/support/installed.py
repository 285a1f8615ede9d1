# SPDX-License-Identifier: BSD-2-Clause
"""An installed copy of sdtlink, for the tests that use it as a user would."""
import subprocess

import pytest

from conftest import BUILD

GENERATORS = ["Ninja", "Unix Makefiles"]


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """Installed once, then moved: the tree must work wherever it is."""
    directory = tmp_path_factory.mktemp("install")
    subprocess.run(["cmake", "--install", BUILD, "--prefix", directory / "first"],
                   check=True, stdout=subprocess.DEVNULL)
    return (directory / "first").rename(directory / "prefix")
