# SPDX-License-Identifier: BSD-2-Clause
"""The GitHub action: action.yml and the workflow of docs/ci.md, whose steps this runs as GitHub
would, in a directory and an environment of the test's own. GitHub itself is not asked."""
import json
import os
import re
import shutil

import patience
import pytest
from conftest import ROOT
from installed import prefix  # noqa: F401 (a fixture)

yaml = pytest.importorskip("yaml", reason="there is no python3-yaml")

pytestmark = pytest.mark.nosan  # an installed copy
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOW_TEXT = re.search(r"```yaml\n(.*?)```", (ROOT / "docs/ci.md").read_text(), re.S)[1]
WORKFLOW = yaml.safe_load(WORKFLOW_TEXT)
STEPS = WORKFLOW["jobs"]["probes"]["steps"]
BAD = """#include <sys/sdt.h>
int main(int argc, char **argv)
{
    STAP_PROBE1(shop, visit, (float)argc);
    return argv == 0;
}
"""


class Runner:
    """What GitHub's runner does for steps with `run`, and for our own action."""

    def __init__(self, sdt, installed, source=ROOT):
        self.sdt, self.source = sdt, source
        self.dir = sdt.path("project")
        self.dir.mkdir()
        self.prefix = installed
        for name in ("env", "path", "output", "summary"):
            sdt.write(name, "")
        self.env = {
            "PATH": "/usr/bin:/bin", "HOME": str(sdt.dir), "GITHUB_ACTION_PATH": str(source),
            "GITHUB_ENV": str(sdt.path("env")), "GITHUB_PATH": str(sdt.path("path")),
            "GITHUB_OUTPUT": str(sdt.path("output")),
            "GITHUB_STEP_SUMMARY": str(sdt.path("summary"))}

    def text(self, name):
        return self.sdt.path(name).read_text()

    def run(self, script, env=None):
        """One step's commands. What earlier steps have written into the files is in force."""
        later = dict(line.split("=", 1) for line in self.text("env").splitlines())
        path = ":".join([*reversed(self.text("path").splitlines()), self.env["PATH"]])
        return patience.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.dir,
            env={**self.env, **later, "PATH": path, **(env or {})}, capture_output=True, text=True)

    def use(self, **inputs):
        """The action's steps, until one fails: (status, what they printed)."""
        unknown = set(inputs) - set(ACTION["inputs"])
        assert not unknown
        values = {name: one["default"] for name, one in ACTION["inputs"].items()}
        values |= {"prefix": str(self.prefix), **inputs}
        said = ""
        for step in ACTION["runs"]["steps"]:
            if "if" in step:
                assert step["if"] == "inputs.files != ''"
                if not values["files"]:
                    continue
            env = {name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], value)
                   for name, value in step["env"].items()}
            result = self.run(step["run"], env)
            said += result.stdout + result.stderr
            if result.returncode:
                return result.returncode, said
        return 0, said

    def sarif(self, name="sdtlink.sarif"):
        return json.loads((self.dir / name).read_text())


@pytest.fixture
def runner(sdt, prefix):  # noqa: F811 (a fixture)
    return Runner(sdt, prefix)


def build(runner, source, name, compiler="gcc"):
    runner.sdt.write("x.c", source)
    command = f"{compiler} -O2 -I '{runner.prefix}/include/sdt-compat' ../x.c -o '{name}'"
    result = runner.run(command, {"PATH": f"{runner.prefix}/bin:/usr/bin:/bin"})
    assert result.returncode == 0, result.stderr


def check_log(log):
    """What upload-sarif asks for."""
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"] and driver["version"]
        rules = {rule["id"] for rule in driver["rules"]}
        for result in run["results"]:
            assert result["ruleId"] in rules and result["message"]["text"]
            assert result["level"] in ("error", "warning", "note")
            place = result["locations"][0]["physicalLocation"]
            assert re.fullmatch(r"[\w./%~-]+", place["artifactLocation"]["uri"])
            assert place["region"]["startLine"] >= 1
    return [result for run in log["runs"] for result in run["results"]]


def test_action_yml_is_one():
    assert set(ACTION) == {"name", "description", "branding", "inputs", "outputs", "runs"}
    assert ACTION["runs"]["using"] == "composite"
    steps = {step["id"]: step for step in ACTION["runs"]["steps"]}
    for step in steps.values():
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # inputs come as variables, and not into commands
    for output in ACTION["outputs"].values():
        name, key = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}",
                                 output["value"]).groups()
        script = re.search(r"GITHUB_ACTION_PATH/(\S+)\"", steps[name]["run"])[1]
        assert f'"{key}=$' in (ROOT / script).read_text() and os.access(ROOT / script, os.X_OK)
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "ci.md").read_text(), re.M)
    assert rows == list(ACTION["inputs"])


@pytest.mark.parametrize("damage", [None, ("using: composite", "using: composit"),
                                    ("shell: bash", "shel: bash")])
def test_an_independent_validator(sdt, damage):
    """action-validator, which knows GitHub's schemas, where it is installed: it takes the action
    and the page's workflow, and neither of two damaged ones."""
    if not shutil.which("action-validator"):
        pytest.skip("there is no action-validator (npm: @action-validator/cli)")
    text = (ROOT / "action.yml").read_text()
    good = {"action.yml": text, ".github/workflows/probes.yml": WORKFLOW_TEXT}
    for name, content in ({"action.yml": text.replace(*damage, 1)} if damage else good).items():
        path = sdt.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        result = patience.run(["action-validator", str(path)], capture_output=True, text=True)
        assert (result.returncode != 0) == bool(damage), result.stdout + result.stderr


def test_the_workflow_of_the_page(runner):
    """On a project with a makefile that knows nothing of sdtlink; what it uploads is complete."""
    for name in ("main.c", "count.c", "count.h"):
        shutil.copy(ROOT / "examples" / "makefile" / name, runner.dir)
    (runner.dir / "Makefile").write_text("words: main.o count.o\n\t$(CC) $^ -o $@\n")
    uploaded = None
    for step in STEPS:
        what, _, version = step.get("uses", "").partition("@")
        if what.endswith("/sdtlink"):
            assert version == "v0.1.0"
            status, said = runner.use(**step.get("with", {}))
            assert status == 0, said
        elif what == "github/codeql-action/upload-sarif":
            uploaded = check_log(runner.sarif(step["with"]["sarif_file"]))
        elif "run" in step:
            result = runner.run(step["run"])
            assert result.returncode == 0, result.stderr
        else:
            assert what == "actions/checkout"
    assert uploaded is not None
    assert f"prefix={runner.prefix}\n" in runner.text("output")
    assert "sarif=sdtlink.sarif\n" in runner.text("output")
    assert "2 probes in 1 file: 0 errors" in runner.text("summary")
    assert runner.text("path") == f"{runner.prefix}/bin\n"  # once


def test_a_finding_fails_the_job_and_is_in_the_log(runner):
    """A floating-point operand, which no tracer reads. Files before it and after it are listed."""
    build(runner, BAD, "my program")
    build(runner, BAD.replace("(float)", ""), "good")
    status, said = runner.use(files="good\nmy pro*\n\n")
    assert status == 1 and "my program: error: shop:visit" in said
    results = check_log(runner.sarif())
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
              for result in results if result["level"] == "error"]
    assert set(places) == {"my%20program"}
    assert "    2 probes in 2 files: 1 error" in runner.text("summary")
    for inputs in ({"level": "never"}, {"ignore": results[0]["ruleId"]}, {"consumers": "uprobe"}):
        status, said = runner.use(files="my program", sarif="other.sarif", **inputs)
        assert status == 0, said
    assert check_log(runner.sarif("other.sarif")) == []  # uprobe has no arguments


def test_a_program_that_is_not_as_recorded_fails_the_job(runner):
    """Another prefix in the NOP of a disabled site: verify notices, list --check does not."""
    build(runner, "#include <sdt/probe.h>\nint main(void) { SDT_PROBE(a, b); return 0; }\n", "p",
          f"sdtlink --runtime=none gcc -I '{runner.prefix}/include'")
    assert runner.use(files="p")[0] == 0
    site = bytes.fromhex("90660f1f84e9")
    data = (runner.dir / "p").read_bytes()
    assert data.count(site) == 1
    (runner.dir / "p").write_bytes(data.replace(site, b"\x90\x2e" + site[2:]))
    status, said = runner.use(files="p")
    assert status == 1 and "p: " in said
    assert check_log(runner.sarif()) == []


@pytest.mark.parametrize("inputs, said", [
    ({"files": "none"}, "files: 'none' is not a file"),
    ({"files": "none*"}, "files: nothing matches 'none*'"),
    ({"files": "."}, "files: '.' is not a file"),
    ({"files": "\n\n"}, "files: no name or pattern is given"),
    ({"files": "x", "level": "high"}, "level: expected error, warning or never, not 'high'"),
    ({"files": "$(touch mine);`touch mine`"}, "is not a file")])
def test_what_is_wrong_is_named(runner, inputs, said):
    (runner.dir / "x").write_text("")
    status, text = runner.use(**inputs)
    assert status == 1 and said in text and "::error::sdtlink: " in text
    assert not (runner.dir / "mine").exists() and not (runner.dir / "sdtlink.sarif").exists()


def test_a_file_that_is_no_program_fails_the_job(runner):
    (runner.dir / "x").write_text("text")
    status, text = runner.use(files="x", level="never")
    assert status == 1 and "x: not an ELF file" in text


def test_sdtlink_is_built_where_it_is_missing(sdt, prefix):  # noqa: F811 (a fixture)
    """By ./run install of the action's own tree; here a script that says how it was called."""
    source = sdt.path("action tree")
    (source / "packaging").mkdir(parents=True)
    shutil.copytree(ROOT / "packaging" / "github", source / "packaging" / "github")
    (source / "run").write_text(f'#!/bin/sh\necho "$@" >>"{sdt.dir}/log"\nmkdir -p "$2"\n'
                                f'cp -r "{prefix}/." "$2"\n')
    (source / "run").chmod(0o755)
    runner = Runner(sdt, sdt.path("my prefix"), source)
    for _ in range(2):
        status, said = runner.use()
        assert status == 0, said
    assert "sdtlink is installed: sdtlink " in said
    assert (sdt.dir / "log").read_text() == f"install {runner.prefix}\n"
    result = runner.run("command -v sdtlink; echo \"$CPATH\"")
    assert result.stdout == f"{runner.prefix}/bin/sdtlink\n{runner.prefix}/include\n"
