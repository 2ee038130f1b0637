#!/usr/bin/env bash
# Gives what the tests write to the games' own engines: files of testdata, packages of every version, and every edit of models.
#
# usage: testdata/engine.sh, with these in the environment; a game that is not given is left out
#   JUDGES  a folder with engine.sh (TREE FILE…) and u3d/u3d.sh (DLL OUT FILE…), which print a line a file: "ok NAME",
#           "needs NAME: PACKAGE" or "BAD NAME: why"
#   TREE    a server of Unreal Tournament
#   DLL     Ultimate3D.dll
#   EXE     the folder of Freelancer's program; testdata/engine/freelancer.sh says what it needs besides
#   N       how many files of each game are drawn by chance, 100 if not given; 0 is all of them
#   SEED    which ones
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
n=${N:-100} seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw prints N of some files.
draw() {
	if [ "$n" = 0 ]; then printf '%s\n' "$@"; else shuf -n "$n" --random-source=<(yes "$seed") -e -- "$@"; fi
}

# edits makes every edit of the models of some formats, and keeps what comes of them in a folder.
edits() {
	mkdir -p "$1"
	for models in "${@:2}"; do
		USHER_KEEP=$1 USHER_MODEL=$models go test -count=1 -run '^TestEdits$' ./convert >&2
	done
}

unreal() {
	local tree made=$work/unreal own packages
	tree=$(realpath "$TREE")
	edits "$made" unreal
	USHER_KEEP=$made go test -count=1 -run '^TestVersions$' ./convert/unreal >&2
	mkdir -p "$work/tree/Textures"
	cp testdata/unreal/*.utx "$work/tree/Textures" # the skins of some models
	cp -rL "$tree/System" "$work/tree"
	for f in "$tree"/{Maps,Sounds,Music} "$tree"/Textures/*; do
		[ ! -e "$f" ] || ln -sn "$f" "$work/tree/${f#"$tree"/}"
	done
	mapfile -t own < <(realpath testdata/unreal/*.{u,utx,unr,uax} | grep -v letters61) # its font is of before version 64 as well
	rm "$made"/6[0-3]_letters.utx # this engine wants pages of every font, and those before version 64 have none
	mapfile -t packages < <(draw "$made"/[67]*.u* "$made"/*.unr "$made"/*.u | sort -u)
	"$JUDGES/engine.sh" "$work/tree" "${own[@]}" "${packages[@]}" || true
}

ultimate3d() {
	local made=$work/u3d models
	edits "$made" u3d
	rm -f "$made"/{embedded_textures,texture_types}_u3d* # their textures name surroundings that are not there
	mapfile -t models < <(draw "$made"/*.u3d)
	mkdir "$work/out"
	"$JUDGES/u3d/u3d.sh" "$DLL" "$work/out" "${models[@]}" || true
}

# freelancer also compares: what the engine counts in a file is what usher counts in it. Of textures the engine counts an animated one
# beside the pictures that it is made of, so they are left out. Models that are not ours have faults of their own.
freelancer() {
	local made=$work/freelancer files line file word said
	USHER_CORPUS=/nonexistent edits "$made" "cmp " "3db " "dfm " "anm " "sur "
	mapfile -t files < <(draw "$made"/*.{cmp,3db,dfm,anm,sur} | grep -v older_sur) # a layout that the game does not load any more
	mapfile -t -O "${#files[@]}" files < <(ls testdata/freelancer/*.{cmp,3db,mat,txm,vms,dfm,ale,anm,sur} | grep -v older.sur)
	make -s build PROGRAM="$work/usher"
	testdata/engine/freelancer.sh "$EXE" "${files[@]}" > "$work/loaded" || true
	while read -r line; do
		file=${line#* } file=${file%%:*}
		echo "$line"
		file=$(ls "$made/$file" "testdata/freelancer/$file" 2>/dev/null | head -n 1)
		said=$("$work/usher" info "$file" 2>/dev/null)
		set -- ${line##*: }
		while [ "${line%% *}" = ok ] && [ $# -gt 1 ]; do
			word=$(awk -v word="$1" '$1 == word && NF == 2 { print $2; exit }' <<<"$said")
			[ "$1" = textures ] || [ "${word:-0}" = "$2" ] || echo "BAD $file: the engine counts $2 $1, usher ${word:-none}"
			shift 2
		done
	done < "$work/loaded"
}

{
	[ -z "${TREE:-}" ] || unreal
	[ -z "${DLL:-}" ] || ultimate3d
	[ -z "${EXE:-}" ] || freelancer
} | tee "$work/verdict" | grep -v '^ok' || true
awk '{ count[$1]++ } END { for (word in count) print word, count[word] }' "$work/verdict"
! grep -q '^BAD' "$work/verdict"
