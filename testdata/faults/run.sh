#!/usr/bin/env bash
# Kills usher, fills its disk and makes its system calls fail, and looks at what is left: nothing under a name of its own
# is torn, and the same command given again ends well with the right bytes. Needs strace, and root for the full disk.
# Usage: testdata/faults/run.sh [kills [calls [full [others]]]]; without arguments, all of them. KILLS says how many.
set -uo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)")
mounted=
clean() { # not in a child that a signal ends before it is usher
  [ "$BASHPID" = $$ ] || return
  [ -z "$mounted" ] || umount "$mounted"
  rm -rf "$work"
}
trap clean EXIT
go build -trimpath -o "$work/usher" ./cmd/usher || exit 1
go run ./testdata/bench -entries "${ENTRIES:-600}" "$work" || exit 1
u=$work/usher base=$work/records.flx
cp testdata/ultima9/{bitmap16.flx,ankh.pal} "$work"
bad=0 tried=0

fail() { bad=$((bad + 1)); echo "FAILED: $*"; }

# prepare VERB: a fresh folder in which the verb can run
prepare() {
  cd "$work" && rm -rf run && mkdir run && cd run && cp "$base" a.flx || exit 1
  case $1 in
    pack*)
      "$u" unpack --raw a.flx -o x -q || exit 1
      for n in 3 5 77; do echo "edit of $n" >"x/$n.bin"; done
      cp a.flx old.flx ;;
    convert) cp "$work"/bitmap16.flx "$work"/ankh.pal . && echo earlier >1.png ;;
    batch) cp "$work"/bitmap16.flx "$work"/ankh.pal . ;;
  esac
}

# command VERB: sets the array cmd
command_of() {
  case $1 in
    unpack) cmd=("$u" unpack --raw a.flx -o x -q) ;;
    pack) cmd=("$u" pack x -o out.flx --force -q) ;;
    pack-over) cmd=("$u" pack x -o a.flx --force -q) ;;
    convert) cmd=("$u" convert bitmap16.flx:1 -o 1.png --force -q) ;;
    batch) cmd=("$u" convert bitmap16.flx -o out/ -q) ;;
  esac
}

# whole VERB: nothing under a name of its own is torn
whole() {
  case $1 in
    unpack) for f in x/*.bin; do [ ! -e "$f" ] || cmp -s "$f" "$work/want/$(basename "$f")" || fail "$2: $f is torn"; done ;;
    pack-over) cmp -s a.flx old.flx || "$u" verify a.flx >/dev/null 2>&1 || fail "$2: the archive is torn" ;;
    pack) [ ! -e out.flx ] || cmp -s out.flx "$work/want.flx" || fail "$2: out.flx is torn" ;;
    convert) grep -q earlier 1.png || cmp -s 1.png "$work/out/1.png" || fail "$2: 1.png is torn" ;;
    batch) for f in out/*.png; do [ ! -e "$f" ] || cmp -s "$f" "$work/$f" || fail "$2: $f is torn"; done ;;
  esac
}

# right VERB WHAT: all is there, as it should be
right() {
  case $1 in
    unpack) diff -rq --exclude=usher.json --exclude='.usher*' x "$work/want" >/dev/null || fail "$2: other files" ;;
    pack) cmp -s out.flx "$work/want.flx" || fail "$2: another archive" ;;
    pack-over) cmp -s a.flx "$work/want.flx" || fail "$2: another archive" ;;
    convert) cmp -s 1.png "$work/out/1.png" || fail "$2: another picture" ;;
    batch) diff -rq --exclude=usher-batch.json --exclude='.usher*' out "$work/out" >/dev/null || fail "$2: other files" ;;
  esac
}

# again VERB WHAT: the same command ends well, and all is there
again() {
  command_of "$1"
  local said
  said=$("${cmd[@]}" 2>&1) || { fail "$2: again: $said"; return; }
  right "$1" "$2, again"
  if [ "$1" = pack-over ]; then
    echo second >x/9.bin
    "$u" pack x -o a.flx --force -q 2>&1 || fail "$2: the next edit"
    [ "$("$u" cat a.flx 9)" = second ] || fail "$2: the next edit is lost"
  fi
  local left
  left=$(find . -name .usher-undo -prune -o \( -name '.usher*' -o -name '*.new' \) -print)
  [ -z "$left" ] || fail "$2: left over: $left"
}

verbs="unpack pack pack-over convert batch"

# What is wanted in the end.
prepare unpack && command_of unpack && "${cmd[@]}" && cp -r x "$work/want" && rm "$work/want/usher.json"
prepare pack && command_of pack && "${cmd[@]}" && cp out.flx "$work/want.flx"
(cd "$work" && "$u" convert bitmap16.flx -o out/ -q && rm out/usher-batch.json)

kills() { # at times spread over the run, measured first
  local each=$((${KILLS:-200} / 25)) v s i
  for v in $verbs; do
    prepare "$v"; command_of "$v"
    local t0=$(date +%s%N); "${cmd[@]}"; local took=$((($(date +%s%N) - t0) / 1000))
    for s in KILL HUP QUIT TERM INT; do
      for ((i = 1; i <= each; i++)); do
        prepare "$v"; command_of "$v"; tried=$((tried + 1))
        "${cmd[@]}" >/dev/null 2>&1 &
        local pid=$!
        sleep "$(printf '0.%06d' $((took * (2 * i - 1) / (2 * each) % 1000000)))"
        kill -"$s" "$pid" 2>/dev/null; wait "$pid" 2>/dev/null
        whole "$v" "$v, $s $i"; again "$v" "$v, $s $i"
      done
    done
  done
}

calls() { # the system calls that only ask, with each error they can have, at some places; testdata/faults/calls has the others
  local v call error when hit=0
  for v in $verbs; do
    for call in openat:EMFILE pread64:EIO read:EIO,EINTR newfstatat,statx:EIO,EACCES getdents64:EIO fchmod:EACCES flock:EIO; do
      local names=${call%%:*}
      for error in $(tr , ' ' <<<"${call#*:}"); do
        for when in 2 4 7 13 19; do
          prepare "$v"; command_of "$v"; tried=$((tried + 1))
          strace -f -qq -o "$work/trace" -e "trace=$names" -e "inject=$names:error=$error:when=$when" "${cmd[@]}" >"$work/said" 2>&1
          local status=$?
          [ "$(grep -c INJECTED "$work/trace")" = 0 ] || hit=$((hit + 1))
          [ $status -lt 2 ] || [ $status = 127 ] || fail "$v, $names $error $when: status $status: $(head -c 300 "$work/said")" # 127: not even loaded
          [ $status != 0 ] || right "$v" "$v, $names $error $when, status 0"
          whole "$v" "$v, $names $error $when"; again "$v" "$v, $names $error $when"
        done
      done
    done
  done
  echo "$hit of them came to pass"
}

full() { # a disk of 40 sizes
  local v size i
  mkdir -p "$work/disk"
  for v in unpack pack-over batch; do
    for i in $(seq 1 40); do
      tried=$((tried + 1))
      prepare "$v"
      size=$(du -sk . | cut -f1)
      mount -t tmpfs -o size=$((size + 8 + i * ${STEP:-300}))k none "$work/disk" || { echo "no full disk without root"; return; }
      mounted=$work/disk
      cp -a . "$work/disk" && cd "$work/disk" && command_of "$v"
      "${cmd[@]}" >"$work/said" 2>&1
      local status=$?
      [ $status -lt 2 ] || fail "$v, disk $i: status $status"
      whole "$v" "$v, disk $i"
      mount -o remount,size=1g "$work/disk"
      again "$v" "$v, disk $i"
      cd "$work" && umount "$work/disk" && mounted=
    done
  done
}

others() { # a folder that cannot be written to, few open files, two runs at once
  local v
  for v in $verbs; do
    tried=$((tried + 1))
    prepare "$v"; command_of "$v"
    (ulimit -n 20; "${cmd[@]}") >"$work/said" 2>&1 || fail "$v with 20 open files: $(head -c 300 "$work/said")"
    whole "$v" "$v, 20 files"; again "$v" "$v, 20 files"
    prepare "$v"; command_of "$v"; tried=$((tried + 1))
    "${cmd[@]}" >"$work/one" 2>&1 & local pid=$!
    "${cmd[@]}" >"$work/two" 2>&1; wait $pid
    whole "$v" "$v, two at once"; again "$v" "$v, two at once"
  done
  for v in unpack pack-over batch; do
    tried=$((tried + 1))
    prepare "$v"; command_of "$v"
    mkdir -p "$work/disk" && mount -t tmpfs none "$work/disk" || return
    mounted=$work/disk
    cp -a . "$work/disk" && mount -o remount,ro "$work/disk" && cd "$work/disk"
    "${cmd[@]}" >"$work/said" 2>&1
    [ $? -eq 1 ] || fail "$v, read-only: $(head -c 300 "$work/said")"
    mount -o remount,rw "$work/disk"
    again "$v" "$v, read-only"
    cd "$work" && umount "$work/disk" && mounted=
  done
}

for part in "${@:-kills calls full others}"; do
  for p in $part; do
    before=$tried
    "$p"
    echo "$p: $((tried - before)) tried, $bad failed so far"
  done
done
[ $bad -eq 0 ]
