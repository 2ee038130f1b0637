#!/usr/bin/env bash
# Builds the program twice, from copies of the committed source in two folders, and compares them byte for byte; the
# add-on for Blender that each writes as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for copy in one "another folder"; do
  mkdir "$work/$copy"
  git archive HEAD | tar -x -C "$work/$copy"
  (cd "$work/$copy" && CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -buildvcs=false -ldflags="-s -w -buildid=" -o usher ./cmd/usher && ./usher blender -o add-on.zip 2>/dev/null)
done
cmp "$work/one/usher" "$work/another folder/usher"
cmp "$work/one/add-on.zip" "$work/another folder/add-on.zip"
sha256sum < "$work/one/usher"
