#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/deps.sh SET...: makes sure that the Debian packages of tools/packages/SET.txt are installed.
# Installs what is missing as root or through sudo; otherwise prints the one command to run and
# exits with 2. Does nothing, quickly, when all is there.
set -eu

here=$(dirname "$0")
wanted=
for set in "$@"; do
  wanted="$wanted $(grep -v '^#' "$here/packages/$set.txt" | tr '\n' ' ')"
done

# shellcheck disable=SC2086  # a list of words on purpose
present=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null |
  sed -n 's/^ii  *//p')
missing=
for package in $wanted; do
  echo "$present" | grep -qx "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

# The tools may also have been installed by other means than Debian packages; only ask for packages
# where apt exists.
command -v apt-get >/dev/null || {
  echo "tools/deps.sh: needs:$missing (no apt-get here: install them by hand)" >&2
  exit 2
}

install="apt-get update -q && apt-get install -y -q --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
  run="sh -c"
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  run="sudo sh -c"
else
  echo "Packages are missing. Run this once, then try again:" >&2
  echo "  sudo sh -c '$install'" >&2
  exit 2
fi
echo "installing:$missing"
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
$run "$install" >&2
