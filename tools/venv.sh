#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/venv.sh FOLDER REQUIREMENTS: makes sure that FOLDER is a Python environment with exactly the
# packages that REQUIREMENTS pins. Does nothing, quickly, when it is.
set -eu

folder=$1
requirements=$2
cmp -s "$requirements" "$folder/requirements.txt" && exit 0

rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
# Last, so that an environment that was not finished is made again.
cp "$requirements" "$folder/requirements.txt"
