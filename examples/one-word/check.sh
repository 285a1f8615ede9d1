#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# usage: check.sh PROGRAM
set -eu
test "$(echo 'The cat and the other cat' | "${1:-./concord}" 1)" = "2 cat"
