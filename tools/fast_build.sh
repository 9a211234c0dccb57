#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/fast_build.sh FOLDER JOBS [CMAKE_ARGUMENT...]: FOLDER/bin/nvmearb, profile-guided.
#
# Builds nvmearb with counters, runs the published WRR experiment on both engines and one scenario
# per I/O scheduler with it, and builds it again by what was counted. The folder is the same in both
# steps because GCC finds a profile by the path of its object file. Does nothing when no source
# has changed since.
set -eu

folder=$1
jobs=$2
shift 2
here=$(dirname "$0")/..
stamp=$folder/sources.sha256

mkdir -p "$folder"
now=$(cd "$here" &&
  git ls-files -z cmake models host_driver rtl tb tools/fast_build.sh CMakeLists.txt |
  xargs -0 sha256sum | sha256sum)
if [ -x "$folder/bin/nvmearb" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$now" ]; then
  exit 0
fi
rm -rf "$stamp" "$folder/profile"

build() {  # step what
  echo "fast build, $2"
  cmake -S "$here" -B "$folder" -G Ninja "-DNVMEARB_PROFILE=$1" >"$folder/configure.log" ||
    { cat "$folder/configure.log"; exit 1; }
  cmake --build "$folder" --parallel "$jobs" --target nvmearb -- --quiet
}
run() {
  status=0
  "$folder/bin/nvmearb" run "$@" --no-progress >"$folder/run.log" 2>&1 || status=$?
  [ $status -le 1 ] || { cat "$folder/run.log"; exit $status; }  # 1: too short for the tables
}

build generate "1 of 2: with counters"
run wrr_v3_randread --engine rtl --runtime 30ms
run wrr_v3_randread --engine model --runtime 30ms
for scenario in s001_randread_vs_randread s002_mq_deadline_aging s004_kyber_random; do
  run $scenario --engine model --runtime 30ms
done
build use "2 of 2: by what was counted"
echo "$now" >"$stamp"
