# SPDX-License-Identifier: BSD-2-Clause
"""Source packages of Debian, by apt itself, with lists and a cache of our own: the machine's are
neither used up nor changed. Where apt gets packages from is what its configuration says; only
`deb` is replaced by `deb-src`.
"""
import pathlib
import re
import shutil

import patience


class Unavailable(Exception):
    """There is no such source package to be had, and why."""


def command(*argv, **kwargs):
    try:
        return patience.run([str(a) for a in argv], capture_output=True, text=True, **kwargs)
    except (OSError, patience.Hangs) as error:
        raise Unavailable(str(error)) from error


def configured_sources():
    """apt's lists of sources: file → text."""
    found = command("apt-config", "shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS",
                    "Dir::Etc::sourceparts/d").stdout
    names = dict(re.findall(r"^(\w+)='(.*)'$", found, re.M))
    parts = pathlib.Path(names["PARTS"])
    files = [pathlib.Path(names["LIST"]), *sorted(parts.glob("*.list")),
             *sorted(parts.glob("*.sources"))]
    return {path: path.read_text("utf-8") for path in files if path.is_file()}


def with_sources(path, text):
    if path.suffix == ".sources":
        return re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.M)
    lines = [line for line in text.splitlines() if line.startswith("deb ")]
    return "".join(line.replace("deb ", "deb-src ", 1) + "\n" for line in lines)


class Archive:
    """apt with a configuration of its own below DIRECTORY."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.environment = {"APT_CONFIG": str(self.directory / "apt.conf"), "LC_ALL": "C.UTF-8",
                            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

    def update(self):
        if shutil.which("apt-get") is None or shutil.which("dpkg-source") is None:
            raise Unavailable("needs apt-get and dpkg-source (package dpkg-dev)")
        for name in ("lists/partial", "cache/archives/partial", "parts"):
            (self.directory / name).mkdir(parents=True, exist_ok=True)
        for path, text in configured_sources().items():
            (self.directory / "parts" / path.name).write_text(with_sources(path, text), "utf-8")
        (self.directory / "apt.conf").write_text(
            'Dir::Etc::sourcelist "/dev/null";\n'
            f'Dir::Etc::sourceparts "{self.directory}/parts";\n'
            f'Dir::State::lists "{self.directory}/lists";\n'
            f'Dir::Cache "{self.directory}/cache";\n'
            'APT::Sandbox::User "root";\nAcquire::Retries "2";\n', "utf-8")
        command("apt-get", "-qq", "update", env=self.environment)

    def versions(self, package):
        """Newest first."""
        text = command("apt-cache", "showsrc", package, env=self.environment).stdout
        found = re.findall(r"^Version: (.*)$", text, re.M)
        if not found:
            raise Unavailable(f"apt knows no source package {package} (no network?)")
        return sorted(set(found), key=lambda v: [int(n) if n.isdigit() else n for n in
                                                 re.split(r"(\d+)", v)], reverse=True)

    def unpack(self, package, target):
        """The newest version that can be fetched, unpacked with Debian's patches; its number."""
        for version in self.versions(package):
            fetched = command("apt-get", "-qq", "source", "--download-only",
                              f"{package}={version}", cwd=self.directory, env=self.environment)
            if fetched.returncode == 0:  # a mirror may be older than its own list
                break
        else:
            raise Unavailable(f"apt cannot fetch the source of {package}: "
                              f"{fetched.stderr.strip().splitlines()[-1:]}")
        name = f"{package}_{re.sub('^[0-9]+:', '', version)}.dsc"
        unpacked = command("dpkg-source", "--no-check", "-x", name, target, cwd=self.directory)
        if unpacked.returncode:
            raise Unavailable(f"dpkg-source -x {name}: {unpacked.stderr.strip()}")
        return version
