#!/usr/bin/env bash
# Runs the test scripts of the command line with the Windows build, under Wine (Debian: wine64), and what is Windows' own.
#   testdata/wine/run.sh [PATTERN of scripts]
set -euo pipefail
cd "$(dirname "$0")/../.."
WINE=$(command -v wine64 || dpkg -L wine64 2>/dev/null | grep 'lib/wine/wine64$' || true)
if [ -z "$WINE" ]; then echo "no Wine here: the Windows build was not run"; exit 0; fi
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
unset DISPLAY
trap '"${WINE%/*}/wineserver64" -k 2>/dev/null || wineserver64 -k 2>/dev/null || true; rm -rf "$work"' EXIT
CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go test -c -o "$work/usher.test.exe" ./cmd/usher
CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -trimpath -tags urfave_cli_no_docs -o "$work/usher.exe" ./cmd/usher
"$WINE" wineboot -i >/dev/null 2>&1
go run ./testdata/wine/forwarder "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll"
"$WINE" "$work/usher.exe" version

# The scripts, with every verb.
# Wine 8 cannot remove the folder of the test itself: what counts is what the scripts say.
status=0
(cd cmd/usher && "$WINE" "$work/usher.test.exe" -test.run "TestScripts/${1:-.}" -test.v > "$work/scripts.log" 2>&1) || status=$?
if grep -aq '^ *--- FAIL: TestScripts/' "$work/scripts.log" || ! grep -aq -- '--- PASS: TestScripts/' "$work/scripts.log"; then
  cat "$work/scripts.log"
  exit "$status"
fi
grep -a -- '^ *--- ' "$work/scripts.log"

# What is Windows' own: patterns that no shell expands, backslashes, drives, names of devices, nothing left behind.
mkdir "$work/play"
cp testdata/ultimate3d/*.u3d testdata/unreal/pictures.utx "$work/play"
cd "$work/play"
run() { "$WINE" "$work/usher.exe" "$@"; }
fails() { # fails STATUS TEXT ARG...
  local want=$1 text=$2 status=0 out
  shift 2
  out=$(run "$@" 2>&1) || status=$?
  if [ "$status" != "$want" ] || [[ $out != *"$text"* ]]; then echo "usher $*: status $status, $out"; exit 1; fi
}
run verify '*.u3d'
run ls '*.UTX'
run convert 'Z:'"${PWD//\//\\}"'\ball.u3d' -o 'out\ball.glb'
run convert 'out\ball.glb' -o back.u3d
cmp ball.u3d back.u3d
run unpack pictures.utx -o 'walls\a' -q
run pack 'walls\a' -o new.utx
cmp pictures.utx new.utx
fails 2 'NUL is the name of a device' convert ball.u3d -o NUL.glb
fails 2 'allows no :' convert ball.u3d -o a:b.glb
left=$(find . -name '.usher-*')
if [ -n "$left" ]; then echo "left behind: $left"; exit 1; fi
echo "Windows: all as it should be"
