#!/usr/bin/env bash
# Gives what the tests write to the games' own engines: the packages of testdata, packages of every version, and every edit of the
# models of testdata.
#
# usage: testdata/engine.sh JUDGES TREE DLL [N [SEED]]
#   JUDGES  a folder with engine.sh (TREE FILE…) and u3d/u3d.sh (DLL OUT FILE…), which print a line a file: "ok NAME",
#           "needs NAME: PACKAGE" or "BAD NAME: why"
#   TREE    a server of Unreal Tournament; DLL is Ultimate3D.dll
#   N       how many files of each game are drawn by chance; 0 is all of them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
judges=$1 tree=$2 dll=$3 n=${4:-100} seed=${5:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/made" "$work/tree/Textures" "$work/out"
export USHER_KEEP=$work/made
go test -count=1 -run '^TestVersions$' ./convert/unreal
USHER_MODEL=u3d go test -count=1 -run '^TestEdits$' ./convert
USHER_MODEL=unreal go test -count=1 -run '^TestEdits$' ./convert
cp testdata/unreal/*.utx "$work/tree/Textures" # the skins of some models
cp -rL "$tree/System" "$work/tree"
for f in "$(realpath "$tree")"/{Maps,Sounds,Music} "$(realpath "$tree")"/Textures/*; do
	[ ! -e "$f" ] || ln -sn "$f" "$work/tree/${f#"$(realpath "$tree")"/}"
done

# draw prints N of some files.
draw() {
	if [ "$n" = 0 ]; then printf '%s\n' "$@"; else shuf -n "$n" --random-source=<(yes "$seed") -e -- "$@"; fi
}

mapfile -t own < <(realpath testdata/unreal/*.{u,utx,unr,uax} | grep -v letters61) # its font is of before version 64 as well

cd "$work/made"
rm 6[0-3]_letters.utx # this engine wants pages of every font, and those before version 64 have none
rm -f ./embedded_textures_u3d* ./texture_types_u3d* # their textures name surroundings that are not there
mapfile -t packages < <(draw ./[67]*.u* ./*.unr ./*.u | sort -u)
mapfile -t models < <(draw ./*.u3d)
{
	"$judges/engine.sh" "$work/tree" "${own[@]}" "${packages[@]}" || true
	"$judges/u3d/u3d.sh" "$dll" "$work/out" "${models[@]}" || true
} | tee "$work/verdict" | grep -v '^ok' || true
awk '{ count[$1]++ } END { for (word in count) print word, count[word] }' "$work/verdict"
! grep -q '^BAD' "$work/verdict"
