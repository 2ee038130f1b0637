#!/usr/bin/env bash
# Times listing, unpacking and packing of an archive of 10,000 entries, beside cp on the same bytes.
# Usage: testdata/bench/archive.sh [FOLDER]; the folder, on a RAM disk if there is one, is removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${1:-$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)")}
trap 'rm -rf "$work"' EXIT
go build -trimpath -o "$work/usher" ./cmd/usher
go run ./testdata/bench -entries 10000 "$work"
cd "$work"

run() { # NAME COMMAND...: prints seconds, and those of the processor
  local name=$1 TIMEFORMAT="%R s, %U user, %S system"
  shift
  printf '%-20s ' "$name"
  { time "$@" >/dev/null; } 2>&1
}
for round in 1 2 3; do
  echo "round $round"
  rm -rf x y out.flx copy.flx
  run "usher ls" ./usher ls records.flx
  run "usher unpack --raw" ./usher unpack --raw records.flx -o x -q
  run "cp -r" cp -r x y
  run "usher pack" ./usher pack x -o out.flx -q
  run "cp" cp records.flx copy.flx
  cmp out.flx records.flx
done
