#!/usr/bin/env bash
# Times the batch conversion of 300 textures to PNG, beside ImageMagick on the same pictures where it is installed.
# Usage: testdata/bench/bench.sh [FOLDER]; the folder, on a RAM disk if there is one, is removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${1:-$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)")}
trap 'rm -rf "$work"' EXIT
go build -trimpath -o "$work/usher" ./cmd/usher
go run ./testdata/bench "$work"

run() { # NAME COMMAND...: prints seconds, and the largest memory where GNU time is there
  local name=$1 TIMEFORMAT="%R s"
  shift
  rm -rf "$work/out"; mkdir "$work/out"
  printf '%-28s ' "$name"
  if [ -x /usr/bin/time ]; then
    /usr/bin/time -o "$work/time" -f '%e s, %M kB' "$@" >/dev/null 2>&1
    cat "$work/time"
  else
    { time "$@" >/dev/null 2>/dev/null; } 2>&1
  fi
}
for round in 1 2 3; do
  echo "round $round"
  run "usher -j1" "$work/usher" convert "$work/bitmap16.flx" -o "$work/out" -j1 -q
  run "usher -j2" "$work/usher" convert "$work/bitmap16.flx" -o "$work/out" -j2 -q
  if command -v mogrify >/dev/null; then
    run "ImageMagick mogrify" mogrify -path "$work/out" -format png "$work/tga/*.tga"
  fi
done
