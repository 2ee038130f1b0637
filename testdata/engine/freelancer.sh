#!/usr/bin/env bash
# Freelancer's own engine, under Wine, as judge of trees and collision files: it loads each FILE.
#
# usage: freelancer.sh EXE FILE...   EXE is the folder of the game's program and libraries.
# Needs gcc-mingw-w64-i686, root, and U3D_ROOT, a 32-bit root with proc and /dev mounted, in which are wine, wine32, xvfb, libgl1-mesa-dri:
#   debootstrap --arch=i386 --variant=minbase bookworm ROOT; chroot ROOT apt-get install wine wine32 xvfb libgl1-mesa-dri libgl1
# There is no network for it. Prints "ok NAME: what was loaded", in the words of usher info, or "BAD NAME: why".
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${U3D_ROOT:?the 32-bit root with Wine} exe=$1
shift
home=$(mktemp -d "$root/freelancer.XXXXXX")
trap 'rm -rf "$home"' EXIT
mkdir "$home/in"
i686-w64-mingw32-gcc -O1 -o "$home/judge.exe" "$here/freelancer.c"
find "$exe" -maxdepth 1 -type f \( -iname '*.dll' -o -iname flconfigdatabase.txt \) ! -iname '*resources.dll' ! -iname 'misctext*' -exec cp {} "$home" \;
{
	cat "$here/freelancer.ini"
	tr -d '\r' < "$(find "$exe" -maxdepth 1 -iname dacom.ini)" | sed -n '/^\[MaterialMap\]/,$p' # which class a material gets
} > "$home/judge.ini"
n=0
for f in "$@"; do # names may repeat
	n=$((n + 1))
	mkdir "$home/in/$n" && cp "$f" "$home/in/$n/"
	echo "in\\$n\\$(basename "$f")"
done > "$home/list"

cat > "$home/run" <<'R'
#!/bin/bash
cd "$(dirname "$0")"
export WINEPREFIX=/freelancer-prefix WINEARCH=win32 WINEDEBUG=-all HOME=/root LIBGL_ALWAYS_SOFTWARE=1 DISPLAY=:78
Xvfb :78 -screen 0 640x480x24 > /dev/null 2>&1 &
x=$!
sleep 1
[ -d "$WINEPREFIX" ] || timeout 300 wineboot -i > /dev/null 2>&1
while [ -s list ]; do # a file that brings the engine down is the last one it saw: on with those behind it
	timeout $((60 + $(wc -l < list))) wine judge.exe judge.ini list 2> /dev/null | tr -d '\r' > said || true
	grep -aE '^(ok|BAD) ' said
	seen=$(grep -ac '^begin ' said)
	if [ "$seen" = 0 ]; then
		cat said
		break
	fi
	if [ "$(grep -acE '^(ok|BAD) ' said)" -lt "$seen" ]; then
		echo "BAD $(sed -n 's/^begin //p' said | tail -n 1): $(grep -a '^crash' said || echo 'no answer')"
	fi
	sed -i "1,${seen}d" list
done
wineserver -k 2> /dev/null
kill $x
R
chmod +x "$home/run"
unshare -n chroot "$root" "/${home##*/}/run" | sed -E 's/^(ok|BAD) in\\[0-9]+\\/\1 /' | tee "$home/verdict"
[ "$(grep -c '^ok' "$home/verdict")" = $# ]
