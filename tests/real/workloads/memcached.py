#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Starts the memcached that is named, and has it serve the same requests each time, once there is
the file WAIT_FOR.
"""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time


def connect(path, server):
    while server.poll() is None:
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(str(path))
            return client.makefile("rwb")
        except OSError:
            client.close()
    sys.exit(f"memcached ended with status {server.returncode}")


def ask(client, request, lines=1):
    client.write(request.encode())
    client.flush()
    return [client.readline().decode().strip() for _ in range(lines)]


def serve(client, first, count):
    for i in range(first, first + count):
        assert ask(client, f"set key{i} 0 0 {i}\r\n{'x' * i}\r\n") == ["STORED"]
        assert ask(client, f"get key{i}\r\n", 3) == [f"VALUE key{i} 0 {i}", "x" * i, "END"]
        assert ask(client, f"get no{i}\r\n") == ["END"]


def main():
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "socket"
        user = ["-u", "root"] if os.geteuid() == 0 else []
        with subprocess.Popen([sys.argv[1], "-s", path, "-t", "1", *user, "-o",
                               "no_lru_crawler,no_lru_maintainer"]) as server:
            try:
                while os.environ.get("WAIT_FOR") and not os.path.exists(os.environ["WAIT_FOR"]):
                    time.sleep(0.01)
                for first in (10, 30):
                    with connect(path, server) as client:
                        serve(client, first, 25)
                        ask(client, "quit\r\n", 0)
                        assert client.read() == b"", "closed, so that the next one can be like it"
                with connect(path, server) as client:
                    assert ask(client, "set number 0 0 1\r\n7\r\n") == ["STORED"]
                    for i in range(10):
                        assert ask(client, "incr number 5\r\n") == [str(12 + 5 * i)]
                    for i in range(10, 20):
                        assert ask(client, f"delete key{i}\r\n") == ["DELETED"]
            finally:
                server.terminate()
    print("served")


main()
