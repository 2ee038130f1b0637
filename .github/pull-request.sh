#!/bin/sh
# Writes what a pull request changes into a folder: comment.md, and for each file a report with pictures.
#
#   pull-request.sh BASE OUT [URL]
#
# BASE is a commit, OUT a new folder, URL where its pictures will be found: without it the comment has none.
set -eu
base=$(git merge-base "$1" HEAD) out=$2 url=${3-}
formats='(3db|ale|anm|cmp|dfm|flx|mat|psa|psk|sph|sur|txm|u|u3d|uax|umod|umx|unr|utf|utx|uz|vms)'
old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
mkdir -p "$out"
printf '<!-- usher -->\n### What changed, in the terms of the formats\n' > "$out/comment.md"

# show FILE tells of one file; a version that is not there is /dev/null.
show() {
	before=/dev/null after=/dev/null
	if git cat-file -e "$base:$1" 2> "$old/none"; then
		mkdir -p "$old/$(dirname "$1")"
		git cat-file blob "$base:$1" > "$old/$1"
		before=$old/$1
	fi
	if [ -e "$1" ]; then after=$1; fi
	mkdir -p "$out/$(dirname "$1")"
	text=$(usher diff "$before" "$after" --html "$out/$1.html" --picture "$out/$1.pictures" --force 2>&1) || [ $? -eq 1 ] || text="$text
it could not be compared"
	if [ "$before" = /dev/null ]; then sheet "$after" "$1"; fi
	if [ "$after" = /dev/null ]; then sheet "$before" "$1"; fi
	{
		printf '\n<details><summary><code>%s</code></summary>\n\n~~~~\n' "$1"
		printf '%s\n' "$text" | cut -c 1-400 | head -n 60
		printf '~~~~\n'
		if [ -n "$url" ]; then pictures "$1"; fi
		printf '</details>\n'
	} >> "$out/comment.md"
}

# sheet FILE NAME draws a file that is on one side alone. Not all of them can be drawn.
sheet() { usher sheet "$1" -o "$out/$2.png" --force > "$old/none" 2>&1 || :; }

# pictures FILE shows eight things of a file at most, before and after.
pictures() {
	if [ -e "$out/$1.png" ]; then printf '\n![all of it](%s)\n' "$(printf '%s' "$url/$1.png" | sed 's/ /%20/g')"; fi
	if [ ! -d "$out/$1.pictures" ]; then return; fi
	find "$out/$1.pictures" -name '*.before.png' 2> "$old/none" | sort | head -n 8 | while read -r p; do
		p=${p#"$out/"}
		before=$(printf '%s' "$url/$p" | sed 's/ /%20/g')
		printf '\n![before](%s) ![after](%s)\n' "$before" "${before%.before.png}.after.png"
	done
}

git diff --name-only --no-renames -z "$base" HEAD | tr '\0' '\n' | grep -iE "\.$formats\$" > "$old/list" || :
while IFS= read -r file; do show "$file"; done < "$old/list"
if [ ! -s "$old/list" ]; then printf '\nNothing that usher reads.\n' >> "$out/comment.md"; fi
