#!/usr/bin/env bash
# Times usher beside the programs that do the same, where they are installed, and prints the table of the README.
# Usage: testdata/bench/peers.sh [FOLDER]; the folder, on a RAM disk if there is one, is removed afterwards.
#
# Each job and its peers run in turn, ROUNDS times (3 unless told otherwise). Printed are the medians of the seconds, of
# those of the processor and of the ratio to the peer in the same round, and the largest memory where GNU time is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${ROUNDS:-3}
corpus=${USHER_CORPUS:-$PWD/../shared/corpus}
work=${1:-$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)")}
mkdir -p "$work"
work=$(cd "$work" && pwd)
trap 'rm -rf "$work"' EXIT
make --no-print-directory build PROGRAM="$work/built" >/dev/null
cp "$work/built" "$work/usher" # as an installer does: what a linker has just written lies in smaller pages and starts later
go build -o "$work/generate" ./testdata/bench
testdata=$PWD/testdata model=$PWD/testdata/ultimate3d/windmill.u3d
cd "$work"
usher=$work/usher

has() { command -v "$1" >/dev/null; }

# once COMMAND...: its seconds, those of the processor and the kilobytes of memory. It starts without out, its output.
once() {
  rm -rf out
  mkdir out
  if [ -x /usr/bin/time ]; then
    /usr/bin/time -o used -f '%e %U %S %M' "$@" >/dev/null 2>log || { cat log >&2; return 1; }
    awk 'END { print $1, $2 + $3, $4 }' used
  else
    local TIMEFORMAT='%R %U %S'
    { time "$@" >/dev/null 2>log; } 2>used
    awk 'END { print $1, $2 + $3, "-" }' used
  fi
}

# median FIELD FILE
median() { awk -v f="$1" '{ print $f }' "$2" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# size: the bytes of all files in out
size() { find out -type f -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }'; }

# row JOB NAME FILE PEER: prints a line of the table; PEER is the file of the program to compare with, or empty.
row() {
  local against="" cpu=""
  if [ -n "$4" ]; then
    paste -d' ' "$3" "$4" | awk '{ print ($1 > 0 ? $5 / $1 : 0), ($2 > 0 ? $6 / $2 : 0) }' >ratios
    against=$(printf '%.1f x' "$(median 1 ratios)")
    cpu=$(printf '%.1f x' "$(median 2 ratios)")
  fi
  printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$2" "$(median 1 "$3")" "$(median 2 "$3")" \
    "$(median 3 "$3" | awk '{ print $1 == "-" ? "-" : int($1 / 1024 + 0.5) " MB" }')" \
    "$(median 4 "$3" | awk '{ printf "%.1f MB", $1 / 1e6 }')" "$against" "$cpu"
}

# compare JOB: runs the commands of the list "names" and "commands"; the ratios are how many times as long the last one
# takes, the peer.
compare() {
  local job=$1 n=${#names[@]} i r
  for ((i = 0; i < n; i++)); do rm -f "figures$i"; done
  for ((r = 0; r < rounds; r++)); do
    for ((i = 0; i < n; i++)); do
      [ "$i" = 0 ] && prepare
      figures=$(once bash -c "${commands[$i]}") || { echo "$job, ${names[$i]}: failed" >&2; exit 1; }
      echo "$figures $(size)" >>"figures$i"
    done
  done
  for ((i = 0; i < n; i++)); do
    row "$job" "${names[$i]}" "figures$i" "$([ $i -lt $((n - 1)) ] && echo "figures$((n - 1))")"
  done
}
prepare() { :; }

# with PROGRAM NAME COMMAND: adds a peer if it is installed, otherwise says that it is not.
with() {
  if has "$1"; then
    names+=("$2")
    commands+=("$3")
  else
    echo "$1: not installed" >>missing
  fi
}
touch missing

echo "| job | program | seconds | of the processor | memory | output | the last one's time | its processor's |"
echo "|---|---|---|---|---|---|---|---|"

for kind in large small; do
  if [ $kind = small ]; then ./generate -small small; else ./generate large; fi
  names=("usher -j1" "usher -j2")
  commands=("'$usher' convert $kind/bitmap16.flx -o out -j1 -q" "'$usher' convert $kind/bitmap16.flx -o out -j2 -q")
  with mogrify "ImageMagick" "mogrify -path out -format png '$kind/tga/*.tga'"
  compare "300 $kind textures to PNG"
done

./generate -entries 10000 records
names=("usher unpack --raw") commands=("'$usher' unpack --raw records/records.flx -o out/x -q")
'./usher' unpack --raw records/records.flx -o unpacked -q
with cp "cp -r" "cp -r unpacked out/x"
compare "10,000 entries taken out"
names=("usher pack") commands=("'$usher' pack unpacked -o out/x.flx -q")
with cp "cp" "cp records/records.flx out/x.flx"
compare "10,000 entries put back"
names=("usher ls") commands=("'$usher' ls records/records.flx")
with unzip "unzip -l" "unzip -l records.zip"
if has unzip && has zip; then (cd unpacked && zip -q -0 -r ../records.zip .) && compare "10,000 entries listed"; else echo "zip: not installed" >>missing; fi
rm -rf unpacked records records.zip

mkdir models
for i in $(seq 500); do cp "$model" "models/$i.u3d"; done
names=("usher -j2" "usher -j1") commands=("'$usher' convert models -o out -j2 -q" "'$usher' convert models -o out -j1 -q")
compare "500 models to GLB"
rm -rf models

# copies N FILE: the folder copies with so many of a file
copies() {
  local i
  rm -rf copies
  mkdir copies
  for i in $(seq "$1"); do cp "$2" "copies/$i.${2##*.}"; done
}
names=("usher -j2" "usher -j1") commands=("'$usher' convert copies -o out -j2 -q" "'$usher' convert copies -o out -j1 -q")
copies 2000 "$testdata/freelancer/ship.cmp"
compare "2,000 Freelancer models to GLB"
copies 200 "$testdata/unreal/room61.unr"
compare "200 Unreal levels, with their textures"
if [ -d "$corpus/unreal" ]; then
  rm -rf copies
  mkdir copies
  find "$corpus/unreal" -maxdepth 1 -name '*.unr' -exec cp {} copies \;
  compare "$(find copies -type f | wc -l) Unreal levels of the corpus"
fi
rm -rf copies

names=("usher version" "usher info" "cp --version")
commands=("for i in {1..100}; do '$usher' version; done" "for i in {1..100}; do '$usher' info '$model'; done" "for i in {1..100}; do cp --version; done")
compare "100 starts"

./generate -sound sounds
"$usher" convert sounds/tones.wav -o sounds/tones.snd --encoding eaxa -q
names=("usher, EA-XA") commands=("'$usher' convert sounds/tones.snd -o out/x.wav -q")
if has sox; then sox sounds/tones.wav -e ima-adpcm sounds/ima.wav; fi
with sox "sox, IMA ADPCM" "sox sounds/ima.wav -e signed-integer -b 16 out/x.wav"
compare "two minutes of ADPCM to WAV"
names=("usher, EA-XA") commands=("'$usher' convert sounds/tones.snd -o out/x.wav -q")
if has ffmpeg && has sox; then
  with ffmpeg "ffmpeg, IMA ADPCM" "ffmpeg -v error -y -i sounds/ima.wav -c:a pcm_s16le out/x.wav"
  compare "two minutes of ADPCM to WAV"
else
  has ffmpeg || echo "ffmpeg: not installed" >>missing
fi
if has vgmstream-cli && has sox; then
  names=("usher, EA-XA") commands=("'$usher' convert sounds/tones.snd -o out/x.wav -q")
  with vgmstream-cli "vgmstream, IMA ADPCM" "vgmstream-cli -o out/x.wav sounds/ima.wav"
  compare "two minutes of ADPCM to WAV"
else
  has vgmstream-cli || echo "vgmstream-cli: not installed" >>missing
fi

# What peers do with the files of the games needs those: the corpus.
if has umodel && [ -d "$corpus/unreal" ]; then
  package=$(find "$corpus/unreal" -name '*.utx' -size +100k | sort | head -1)
  names=("usher unpack") commands=("'$usher' unpack '$package' -o out/x -q")
  with umodel "umodel -export" "umodel -export -png -out=out/x '$package'"
  compare "textures of a package"
else
  has umodel || echo "umodel: not installed" >>missing
fi
if python3 -c 'import fllib' 2>/dev/null; then
  echo "fllib: reads ini files and archives of its own kind only where the game is installed; not timed" >>missing
else
  echo "fllib: not installed" >>missing
fi

echo
sort -u missing
echo "on $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), kernel $(uname -r), folder on $(stat -f -c %T .)"
