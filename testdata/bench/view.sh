#!/usr/bin/env bash
# Times what the page of usher view and contact sheets need: the first page after the start, thumbnails, models, and what
# ten thousand thumbnails leave in memory. Seconds are those of the processor but for the first page, whose wait is what a
# user sees: that line wants a quiet machine. Needs curl and GNU time.
# Usage: testdata/bench/view.sh [FOLDER]; the folder, on a RAM disk if there is one, is removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${1:-$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)")}
mkdir -p "$work"
work=$(cd "$work" && pwd)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
make --no-print-directory build PROGRAM="$work/usher" >/dev/null
go build -o "$work/generate" ./testdata/bench
go test -c -o "$work/view.test" ./cmd/usher/view
data=$PWD/testdata
page=$PWD/cmd/usher/view/page

# spent COMMAND...: the seconds of the processor; the best of three runs.
spent() {
  local i
  rm -f "$work/used"
  for i in 1 2 3; do
    rm -rf "$work/out"
    /usr/bin/time -a -o "$work/used" -f '%U %S' "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  done
  awk '{ t = $1 + $2; if (NR == 1 || t < best) best = t } END { print best }' "$work/used"
}

# rate NAME WANTED FEW MANY COMMAND...: how many a second and core, of what @ stands for in the command: the difference
# between many and few leaves out what every run begins with.
rate() {
  local name=$1 wanted=$2 few=$3 many=$4 a b
  shift 4
  a=$(spent "${@//@/$few}")
  b=$(spent "${@//@/$many}")
  awk -v name="$name" -v wanted="$wanted" -v a="$a" -v b="$b" -v n=$((many - few)) 'BEGIN { printf "| %s | %s | %.0f |\n", name, wanted, n / (b - a) }'
}

# first: milliseconds from the start of the program until the page, its modules, the tree and the first node are there.
first() {
  local from address host m
  rm -f "$work/address"
  from=$(date +%s%N)
  "$work/usher" view --no-browser -q "$data" >"$work/address" &
  server=$!
  until [ -s "$work/address" ]; do sleep 0.002; done
  read -r address <"$work/address"
  host=${address%%/\?*}
  m=(-o /dev/null "$address")
  for f in "$page"/*.js "$page"/style.css; do m+=(-o /dev/null "$host/${f##*/}"); done
  m+=(-o /dev/null "$host/api/list?count=200&open=0" -o /dev/null "$host/api/node/0")
  curl -sfL -c "$work/cookies" -b "$work/cookies" "${m[@]}"
  echo $((($(date +%s%N) - from) / 1000000))
  kill "$server"
  wait "$server" || true
  server=
}

echo "| what | wanted | measured |"
echo "|---|---|---|"
for i in 1 2 3 4 5 6 7 8 9; do
  first >"$work/first"
  cat "$work/first" >>"$work/firsts"
done
sort -n "$work/firsts" | awk '{ t[NR] = $1 } END { printf "| first page of testdata after the start, median of %d, best (ms) | < 300 | %d, %d |\n", NR, t[int((NR + 1) / 2)], t[1] }'
rate "thumbnails of textures of 256² in the page (a second and core)" ">= 200" 100 900 "$work/view.test" -test.run '^$' -test.bench '^BenchmarkThumb$' -test.benchtime @x -test.cpu 1
for n in 20 220; do
  mkdir -p "$work/models/$n"
  i=0
  while [ "$i" -lt "$n" ]; do
    for m in ultimate3d/windmill.u3d ultimate3d/ball.u3d freelancer/ship.cmp freelancer/figure.dfm; do
      cp "$data/$m" "$work/models/$n/$i.${m##*.}"
      i=$((i + 1))
    done
  done
  "$work/generate" -textures "$n" "$work/textures/$n"
done
export GOMAXPROCS=1
rate "models in sheets (a second and core)" ">= 60" 20 220 "$work/usher" sheet "$work/models/@" -o "$work/out/sheet.png" -q -j 1
rate "textures of 256² to 1024² in sheets (a second and core)" "" 20 220 "$work/usher" sheet "$work/textures/@/bitmap16.flx" -o "$work/out/sheet.png" -q -j 1
USHER_ALL=1 "$work/view.test" -test.run '^TestMemory$' -test.v | awk '/thumbnails:/ { sub(/.*thumbnails: /, ""); printf "| memory after 10,000 thumbnails | flat | %s |\n", $0 }'
