# SPDX-License-Identifier: BSD-2-Clause
"""Projects that take sdtlink's sources, or a recipe of packaging/: the example `subproject` by
CMake and Meson, and the recipes as far as they can be run without the tools that read them.

Nothing is fetched: the sources are a copy of this tree without its build directories.
"""
import ast
import json
import py_compile
import re
import shutil
import subprocess
import sys
import types

import pytest
from conftest import BUILD, ROOT
from installed import prefix  # noqa: F401 (a fixture)
from test_style import tracked

pytestmark = pytest.mark.nosan  # users do not build with sanitizers
PACKAGING = ROOT / "packaging"
PROBES = ["arrive", "board", "cross"]
CARS = "20 cars in 5 crossings\n"


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """What a clone would have of the sources."""
    place = tmp_path_factory.mktemp("sources") / "sdtlink"
    # Outside of a checkout, tracked() knows of no files at the top.
    for path in {*tracked(), *(path for path in ROOT.glob("*") if path.is_file())}:
        name = path.relative_to(ROOT)
        if name.parts[0] not in ("tests", "bench", "docs") or name.suffix == ".cmake":
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place / name)
    return place


class Project:
    """A copy of the example; without sdtlink in PATH, unless that is asked for."""

    def __init__(self, sdt, name="my project"):
        self.sdt = sdt
        self.dir = sdt.dir / name
        shutil.copytree(ROOT / "examples" / "subproject", self.dir)

    def command(self, *argv, tools=None, **kwargs):
        path = f"{tools}/bin:/usr/bin:/bin" if tools else "/usr/bin:/bin"
        return self.sdt.command(*argv, cwd=self.dir, env={"PATH": path}, **kwargs)

    def cmake(self, *options, source=None, **kwargs):
        if source:
            options += (f"-DFETCHCONTENT_SOURCE_DIR_SDTLINK={source}",)
        return self.command("cmake", "-B", "build", "-G", "Ninja", *options, **kwargs)

    def build(self, *argv):
        return self.command("cmake", "--build", "build", *argv, timeout=3000)

    def meson(self, source, *options, **kwargs):
        (self.dir / "subprojects" / "sdtlink").symlink_to(source)
        return self.command("meson", "setup", "build", *options, **kwargs)

    def notes(self, file="ferry"):
        """The names of the probes that tracers find, and the sites that are live."""
        text = self.sdt.command("readelf", "-nW", self.dir / "build" / file).stdout
        listed = self.sdt.command(BUILD / "sdtlink" / "sdtlink", "list", "--json",
                                  self.dir / "build" / file).stdout
        return sorted(set(re.findall(r"Name: (\w+)", text))), \
            sorted({site["name"] for site in json.loads(listed) if site["kind"] != "stapsdt"})


@pytest.fixture
def project(sdt):
    return Project(sdt)


# ---- CMake ----

def test_sources_below_a_cmake_project_are_headers(project, sources):
    """Nothing of ours is compiled, installed, or linked: the probes are NOPs with notes."""
    project.cmake(source=sources)
    project.build()
    assert project.notes() == (PROBES, [])
    assert project.sdt.run(project.dir / "build" / "ferry") == CARS
    made = project.command("ninja", "-C", "build", "-t", "targets", "all").stdout
    assert "queue.c.o" in made and not re.search(r"_deps/\S*\.(o|a|so)\b", made)
    project.command("cmake", "--install", "build", "--prefix", project.dir / "prefix")
    assert not (project.dir / "prefix").exists()


def test_a_cmake_that_does_not_say_who_is_at_the_top(sdt, sources):
    """CMake 3.18 of Debian 11 sets no PROJECT_IS_TOP_LEVEL. The tools are built all the same."""
    forget = sdt.write("forget.cmake", "unset(PROJECT_IS_TOP_LEVEL)\n")
    sdt.command("cmake", "-S", sources, "-B", "build", "-G", "Ninja", "-DBUILD_TESTING=OFF",
                f"-DCMAKE_PROJECT_sdtlink_INCLUDE={forget}")
    made = sdt.command("ninja", "-C", "build", "-t", "targets", "all").stdout
    assert re.search(r"^sdtlink/sdtlink: ", made, re.M)


def test_an_installed_sdtlink_is_taken_instead(project, prefix):  # noqa: F811 (a fixture)
    """FIND_PACKAGE_ARGS: the sources are not needed then."""
    project.cmake(f"-DCMAKE_PREFIX_PATH={prefix}", "-DFETCHCONTENT_FULLY_DISCONNECTED=ON")
    project.build()
    assert project.notes() == (PROBES, PROBES)


def test_add_subdirectory_with_what_projects_set(project, sources):
    """Output directories, unity builds, a library that is exported, C++ only, sdt_link() in a
    directory that is not the top."""
    lists = """cmake_minimum_required(VERSION 3.25)
project(ferry LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_UNITY_BUILD ON)
add_subdirectory(sdtlink)
add_subdirectory(inner)
"""
    inner = """add_library(queue STATIC ../queue.cc)
add_executable(ferry ../ferry.cc)
target_link_libraries(ferry PRIVATE queue)
sdt_link(queue)
sdt_link(ferry RUNTIME none)
install(TARGETS queue EXPORT ferry)
install(EXPORT ferry DESTINATION lib/cmake/ferry FILE ferry.cmake)
"""
    (project.dir / "sdtlink").symlink_to(sources)
    (project.dir / "inner").mkdir()
    (project.dir / "CMakeLists.txt").write_text(lists)
    (project.dir / "inner" / "CMakeLists.txt").write_text(inner)
    for name in ("ferry", "queue"):
        (project.dir / f"{name}.c").rename(project.dir / f"{name}.cc")
    text = (project.dir / "ferry.cc").read_text()
    (project.dir / "ferry.cc").write_text(
        text.replace("side = !side", "side = side ? HERE : THERE"))
    project.cmake()
    project.build()
    assert project.notes("bin/ferry") == (PROBES, [])
    project.command("cmake", "--install", "build", "--prefix", project.dir / "prefix")
    exported = (project.dir / "prefix/lib/cmake/ferry/ferry.cmake").read_text()
    assert "queue" in exported and "sdt" not in exported.lower()


@pytest.mark.slow
def test_sdt_live_builds_what_the_targets_need(project, sources):
    """The tool and the library, not sdt, sdt-dtrace or tests; the runtime is where it was built."""
    lists = (project.dir / "CMakeLists.txt").read_text()
    (project.dir / "CMakeLists.txt").write_text(lists.replace(
        "include(FetchContent)", "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})\n"
        "set(CMAKE_UNITY_BUILD ON)\ninclude(FetchContent)") + """
add_library(harbour SHARED harbour.c)
sdt_link(harbour)
target_link_libraries(ferry PRIVATE harbour)
""")
    (project.dir / "harbour.c").write_text("""#include <sdt.h>
int harbour(int ships);
int harbour(int ships)
{
    SDT_PROBE(ferry, harbour, ships);
    return ships;
}
""")
    project.cmake("-DSDT_LIVE=ON", source=sources)
    project.build()
    assert project.notes() == (PROBES, PROBES)
    assert project.notes("libharbour.so") == (["harbour"], ["harbour"])
    assert project.sdt.run(project.dir / "build" / "ferry") == CARS
    needed = project.sdt.command("readelf", "-d", project.dir / "build" / "ferry").stdout
    assert "[libsdt.so.0]" in needed
    made = {path.name for path in (project.dir / "build" / "_deps").rglob("*")}
    assert {"sdtlink", "libsdt.so.0"} <= made
    assert not {"sdtlink-verify", "sdt-dtrace", "libsdt-freestanding.a"} & made
    assert project.build().stdout.endswith("ninja: no work to do.\n")
    (sources / "sdtlink" / "main.c").touch()
    assert "ferry" in project.build().stdout  # a newer tool links again


def test_sdt_live_refuses_a_generator_that_it_does_not_know(project, sources):
    said = project.command("cmake", "-B", "build", "-G", "Ninja Multi-Config", "-DSDT_LIVE=ON",
                           f"-DFETCHCONTENT_SOURCE_DIR_SDTLINK={sources}", status=1).stderr
    assert "SDT_LIVE: the Ninja Multi-Config generator" in said


# ---- Meson ----

def test_sources_below_a_meson_project_are_headers(project, sources):
    said = project.meson(sources).stdout
    assert re.search(r"probes: +NOPs and notes", said)
    project.command("ninja", "-C", "build")
    assert project.notes() == (PROBES, [])
    project.command("meson", "test", "-C", "build")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_meson_links_through_an_installed_sdtlink(project, sources, prefix,  # noqa: F811
                                                  compiler):
    """Which is found in PATH, here by a link to it; no word before the compiler."""
    (project.dir / "tools" / "bin").mkdir(parents=True)
    (project.dir / "tools" / "bin" / "sdtlink").symlink_to(prefix / "bin" / "sdtlink")
    tools = project.dir / "tools"
    if not shutil.which(compiler):
        pytest.skip(f"this machine has no {compiler}")
    (project.dir / "native.ini").write_text(f"[binaries]\nc = '{compiler}'\n")
    said = project.meson(sources, "--native-file", "native.ini", tools=tools).stdout
    assert f"live, by {tools}/bin/sdtlink" in said
    project.command("ninja", "-C", "build", tools=tools)
    assert project.notes() == (PROBES, PROBES)
    assert project.sdt.run(project.dir / "build" / "ferry") == CARS


def test_meson_can_be_told(project, sources, prefix):  # noqa: F811 (a fixture)
    (project.dir / "subprojects" / "sdtlink").symlink_to(sources)
    said = project.command("meson", "setup", "off", "-Dsdtlink:live=disabled", tools=prefix).stdout
    assert re.search(r"probes: +NOPs and notes", said)
    said = project.command("meson", "setup", "on", "-Dsdtlink:live=enabled", status=1).stdout
    assert "Program 'sdtlink' not found" in said


def test_the_version_has_one_place(project, sources):
    """Meson reads that of CMake; the other recipes repeat it, and `./run release` compares them."""
    version = re.search(r"project\(sdtlink VERSION ([\d.]+)",
                        (ROOT / "CMakeLists.txt").read_text())[1]
    assert f"\nsdtlink {version}\n" in project.meson(sources).stdout


# ---- vcpkg ----

# What vcpkg's functions do, as far as our port asks for it.
VCPKG = """cmake_policy(VERSION 3.25)
function(vcpkg_check_features)
  cmake_parse_arguments(arg "" OUT_FEATURE_OPTIONS FEATURES ${ARGN})
  set(result "")
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature option)
    set(is_on OFF)
    if(feature IN_LIST FEATURES)
      set(is_on ON)
    endif()
    list(APPEND result -D${option}=${is_on})
  endwhile()
  set(${arg_OUT_FEATURE_OPTIONS} ${result} PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(arg "" SOURCE_PATH OPTIONS ${ARGN})
  file(APPEND ${LOG} "configure ${arg_SOURCE_PATH} ${arg_OPTIONS} ${VCPKG_BUILD_TYPE}\\n")
  file(MAKE_DIRECTORY ${BUILDTREES})
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${arg_SOURCE_PATH} -B ${BUILDTREES}
                          ${arg_OPTIONS} -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_install)
  file(APPEND ${LOG} "install\\n")
endfunction()
function(vcpkg_cmake_config_fixup)
  file(APPEND ${LOG} "fixup ${ARGN}\\n")
endfunction()
function(vcpkg_fixup_pkgconfig)
  file(APPEND ${LOG} "pkgconfig\\n")
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" FILE_LIST ${ARGN})
  file(INSTALL ${arg_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT}
       RENAME copyright)
endfunction()
"""
PORT = PACKAGING / "vcpkg" / "ports" / "sdtlink"


@pytest.mark.parametrize("features, is_on", [("core", "OFF"), ("core;tools", "ON")])
def test_the_vcpkg_port_configures_the_tree_it_is_in(sdt, sources, features, is_on):
    """With functions of the test's own in the place of vcpkg's; CMake is real, no build follows."""
    port = sources / PORT.relative_to(ROOT)
    sdt.write("port.cmake", VCPKG + f"include({port}/portfile.cmake)\n")
    sdt.command("cmake", f"-DLOG={sdt.dir}/log", f"-DBUILDTREES={sdt.dir}/b", "-DPORT=sdtlink",
                f"-DFEATURES={features}", f"-DCURRENT_PACKAGES_DIR={sdt.dir}/packages",
                "-P", "port.cmake")
    assert sdt.path("log").read_text().splitlines() == [
        f"configure {sources} -DBUILD_TESTING=OFF;-DSDT_BUILD_TOOLS={is_on};"
        f"-DSDT_BUILD_SDT={is_on} release", "install",
        "fixup CONFIG_PATH;lib/cmake/sdtlink", "pkgconfig"]
    share = sdt.path("packages/share/sdtlink")
    assert (share / "copyright").read_text() == (ROOT / "LICENSE").read_text()
    assert "find_package(sdtlink CONFIG REQUIRED)" in (share / "usage").read_text()
    cache = sdt.path("b/CMakeCache.txt").read_text()
    assert f"SDT_BUILD_TOOLS:BOOL={is_on}" in cache and f"SDT_BUILD_SDT:BOOL={is_on}" in cache
    assert ("sdt/sdt" in sdt.path("b/cmake_install.cmake").read_text()) == (is_on == "ON")


def test_the_vcpkg_manifest_has_what_vcpkg_knows():
    manifest = json.loads((PORT / "vcpkg.json").read_text())
    assert set(manifest) <= {"$schema", "name", "version", "port-version", "description",
                             "homepage", "license", "supports", "dependencies", "features",
                             "default-features"}
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", manifest["name"])
    for part in manifest["dependencies"]:
        assert set(part) == {"name", "host"} and part["host"] is True
    named = set(re.findall(r"^ +(\w+) +SDT_", (PORT / "portfile.cmake").read_text(), re.M))
    assert set(manifest["features"]) == named >= set(manifest["default-features"])
    assert all(set(feature) == {"description"} for feature in manifest["features"].values())


# ---- Conan ----

class Anything:
    """What the recipe asks of Conan, written down."""
    calls = []

    def __init__(self, *args, name="", **kwargs):
        self.name, self.cache_variables = name, {}
        Anything.calls.append((name, args, kwargs))

    def __getattr__(self, name):
        return lambda *args, **kwargs: Anything.calls.append((name, args, kwargs))


def conan(monkeypatch, **names):
    """Modules of the test's own in the place of Conan's."""
    for module in ("conan", "conan.errors", "conan.tools", "conan.tools.cmake", "conan.tools.files",
                   "conan.tools.system", "conan.tools.system.package_manager"):
        fake = types.ModuleType(module)
        for name, value in names.items():
            setattr(fake, name, value)
        monkeypatch.setitem(sys.modules, module, fake)


def test_the_conan_recipe(tmp_path, monkeypatch):
    """It compiles; the version is that of CMake; files and variables that it names exist; other
    systems are refused. Conan itself is not asked."""
    path = PACKAGING / "conan" / "conanfile.py"
    py_compile.compile(str(path), cfile=str(tmp_path / "conanfile.pyc"), doraise=True)
    copied = []
    conan(monkeypatch, ConanFile=object, ConanInvalidConfiguration=ValueError, CMake=Anything,
          CMakeToolchain=Anything, Apt=Anything, cmake_layout=lambda recipe: None,
          load=lambda recipe, name: open(name, encoding="utf-8").read(),
          copy=lambda recipe, pattern, src, dst: copied.append(pattern))
    scope = {"__name__": "conanfile"}
    exec(compile(path.read_text(), path, "exec"), scope)  # pylint: disable=exec-used
    recipe = scope["Sdtlink"]()
    recipe.recipe_folder, recipe.export_sources_folder = str(path.parent), "there"
    recipe.options = types.SimpleNamespace(tools=True)
    # Conan refuses a "library" without an option `shared`, and this one is of both kinds.
    assert not hasattr(recipe, "package_type")
    recipe.set_version()
    assert f"project(sdtlink VERSION {recipe.version} " in (ROOT / "CMakeLists.txt").read_text()

    recipe.export_sources()
    assert all(list(ROOT.glob(pattern)) for pattern in copied) and len(copied) > 8
    # What CMake adds or installs is among them.
    lists = (ROOT / "CMakeLists.txt").read_text()
    tops = set(re.findall(r"add_subdirectory\((\w[\w-]*)", lists)) - {"tests"}
    tops |= {"cmake", "docs", "examples"}
    assert tops <= {pattern.split("/")[0] for pattern in copied}

    Anything.calls.clear()
    recipe.generate()
    [toolchain] = [call for call in Anything.calls if call[0] == "generate"]
    assert toolchain
    cache = (BUILD / "CMakeCache.txt").read_text()
    for name in re.findall(r'"(SDT_\w+|BUILD_TESTING)"', path.read_text()):
        assert f"\n{name}:BOOL=" in cache, name

    recipe.settings = types.SimpleNamespace(os="Linux", arch="x86_64")
    recipe.validate()
    for os_, arch in (("Windows", "x86_64"), ("Linux", "ppc64le")):
        recipe.settings = types.SimpleNamespace(os=os_, arch=arch)
        with pytest.raises(ValueError, match="copy sdt.h"):
            recipe.validate()


# ---- Bazel ----

@pytest.mark.parametrize("name", ["BUILD.bazel", "MODULE.bazel"])
def test_bazel_files_can_be_parsed(name):
    """Starlark is a subset of Python's syntax; this one is for those who have no Bazel."""
    tree = ast.parse((PACKAGING / "bazel" / name).read_text())
    for node in ast.walk(tree):  # what Python has and Starlark has not
        assert not isinstance(node, (ast.Import, ast.ClassDef, ast.While, ast.Try, ast.With,
                                     ast.JoinedStr, ast.Raise, ast.Yield)), ast.dump(node)
    files = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)
             and str(node.value).startswith("runtime/")]
    assert all(list(ROOT.glob(file)) for file in files)
    assert (name == "BUILD.bazel") == bool(files)


def test_bazels_command_makes_the_header(tmp_path):
    """The genrule's command, with its $@ and $(location …), makes the header of the build."""
    text = (PACKAGING / "bazel" / "BUILD.bazel").read_text()
    command = re.search(r'cmd = "(.*)"', text)[1]
    command = re.sub(r"\$\(location (\S+)\)", r"\1", command).replace("$@", f"'{tmp_path}/sdt.h'")
    subprocess.run(command, shell=True, cwd=ROOT, check=True)
    assert (tmp_path / "sdt.h").read_text() == (BUILD / "runtime/include/sdt.h").read_text()


# What Bazel's own files ask of rules that it would fetch.
RULES = {"rules_cc/cc": "cc_binary cc_import cc_library cc_test cc_proto_library cc_toolchain "
                        "cc_toolchain_suite objc_library",
         "rules_java/java": "java_binary java_import java_library java_runtime java_toolchain "
                            "java_proto_library"}


@pytest.fixture
def bazel_project(sdt):
    """The example with a WORKSPACE; BUILD.bazel of ours is where docs/adopting.md says. Bazel
    takes no path with a blank."""
    project = Project(sdt, "project")
    ours = project.sdt.path("sdtlink")
    shutil.copytree(ROOT / "runtime", ours / "runtime")
    shutil.copy(PACKAGING / "bazel" / "BUILD.bazel", ours)
    for place, names in RULES.items():
        folder = project.sdt.path(place)
        folder.mkdir(parents=True)
        (folder / "BUILD").touch()
        (folder / "defs.bzl").write_text("".join(f"{name} = native.{name}\n"
                                                 for name in names.split()))
    for name in ("sdtlink", "rules_cc", "rules_java"):
        (project.sdt.path(name) / "WORKSPACE").touch()
    (project.dir / "WORKSPACE").write_text("".join(
        f'local_repository(name = "{name}", path = "../{name}")\n'
        for name in ("sdtlink", "rules_cc", "rules_java")))
    (project.dir / "BUILD.bazel").write_text(
        'cc_binary(name = "ferry", srcs = glob(["*.c", "*.h"]), deps = ["@sdtlink//:sdt"])\n')
    return project


@pytest.mark.slow
def test_bazel_builds_the_example(bazel_project, prefix):  # noqa: F811 (a fixture)
    """By Debian's Bazel 4, whose rules for C are its own: as notes, and live through
    sdtlink-gcc."""
    if not shutil.which("bazel"):
        pytest.skip("there is no bazel (Debian: bazel-bootstrap)")
    version = bazel_project.command("bazel", "--version").stdout
    if not version.startswith(("bazel 4.", "bazel no_version")):  # as Debian's says
        pytest.skip(f"{version.strip()} fetches its rules for C, and this test fetches nothing")
    for options, live in (([], []), ([f"--repo_env=CC={prefix}/bin/sdtlink-gcc"], PROBES)):
        bazel_project.command(
            "bazel", f"--output_user_root={bazel_project.sdt.dir}/bazel", "--batch", "build",
            "--symlink_prefix=bazel-", *options, "//:ferry", timeout=3000)
        (bazel_project.dir / "build").unlink(missing_ok=True)
        (bazel_project.dir / "build").symlink_to("bazel-bin")
        assert bazel_project.notes() == (PROBES, live)
        assert bazel_project.sdt.run(bazel_project.dir / "build" / "ferry") == CARS
