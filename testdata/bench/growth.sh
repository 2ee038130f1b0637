#!/usr/bin/env bash
# Times the verbs on archives of 1 x, 10 x and 100 x as many entries, and prints a table: seconds of the processor, the
# largest memory, and how many times as long 100 x takes as 10 x: what takes less than 20 ms tells nothing of growth. Needs
# GNU time.
# Usage: testdata/bench/growth.sh [FOLDER]; the folder, on a RAM disk if there is one, is removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${1:-$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)")}
mkdir -p "$work"
work=$(cd "$work" && pwd)
trap 'rm -rf "$work"' EXIT
make --no-print-directory build PROGRAM="$work/usher" >/dev/null
go build -o "$work/generate" ./testdata/bench
testdata=$PWD/testdata models=$PWD/testdata/ultimate3d/windmill.u3d
cd "$work"

# once COMMAND...: the seconds of the processor and the kilobytes of memory; the best of three runs.
once() {
  local i
  rm -f used
  for i in 1 2 3; do
    rm -rf out
    /usr/bin/time -a -o used -f '%U %S %M' "$@" >/dev/null 2>log || { cat log >&2; return 1; }
  done
  awk '{ t = $1 + $2; if (NR == 1 || t < best) best = t; if ($3 > most) most = $3 } END { print best, most }' used
}

# grow NAME KIND: one line of the table; the command works on KIND/N and writes to out.
grow() {
  local name=$1 kind=$2 n line
  shift 2
  rm -f figures
  for n in $counts; do
    line=$(once bash -c "${*//@/$kind/$n}") || { echo "$name of $n $kind: failed" >&2; exit 1; }
    echo "$line" >>figures
  done
  awk -v name="$name, $kind" '
    { t[NR] = $1; m[NR] = $2 / 1024 }
    END {
      grows = "-"
      if (t[2] >= 0.02) grows = sprintf("%.1f x", t[3] / t[2])
      printf "| %s | %.2f | %.2f | %.2f | %s | %.0f | %.0f | %.0f |\n", name, t[1], t[2], t[3], grows, m[1], m[2], m[3]
    }' figures
}

echo "| verb, entries | seconds 1 x | 10 x | 100 x | 100 x / 10 x | MB 1 x | 10 x | 100 x |"
echo "|---|---|---|---|---|---|---|---|"
for kind in records textures; do
  if [ $kind = records ]; then
    file=records.flx counts="200 2000 20000" what=-entries
  else
    file=bitmap16.flx counts="20 200 2000" what="-small -textures"
  fi
  for n in $counts; do
    ./generate $what "$n" "$kind/$n"
    rm -rf "$kind/$n/tga"
    ./usher unpack "$kind/$n/$file" -o "$kind/$n/folder" -q
  done
  grow ls $kind "./usher ls @/$file"
  grow info $kind "./usher info @/$file"
  grow verify $kind "./usher verify @/$file -q"
  grow unpack $kind "./usher unpack @/$file -o out -q"
  grow pack $kind "./usher pack @/folder -o out -q"
  [ $kind = records ] || grow convert $kind "mkdir out && ./usher convert @/$file -o out -q"
  rm -rf "$kind"
done

# folders KIND FILE: folders of as many copies of a file
counts="20 200 2000"
folders() {
  local n i
  for n in $counts; do
    mkdir -p "$1/$n"
    for ((i = 0; i < n; i++)); do cp "$2" "$1/$n/$i.${2##*.}"; done
  done
}
for kind in models ships levels; do
  case $kind in
    models) folders $kind "$models" ;;
    ships) folders $kind "$testdata/freelancer/ship.cmp" ;; # of Freelancer
    levels) folders $kind "$testdata/unreal/room61.unr" ;;  # of Unreal, each with its textures
  esac
  [ $kind = models ] || grow ls $kind "./usher ls @"
  grow info $kind "./usher info @"
  grow verify $kind "./usher verify @ -q"
  [ $kind = models ] || grow unpack $kind "./usher unpack @/* -o out -q"
  grow convert $kind "mkdir out && ./usher convert @ -o out -q"
  rm -rf $kind
done
