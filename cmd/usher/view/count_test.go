package view

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// counting reads the paths of GLBs and prints what the page counts in each, at its best level of detail.
const counting = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseGLB } from '%[1]s/glb.js';
import { Scene } from '%[1]s/scene.js';
for await (const path of createInterface({ input: process.stdin })) {
  const b = readFileSync(path);
  const s = new Scene(parseGLB(b.buffer.slice(b.byteOffset, b.byteOffset + b.length)));
  console.log(JSON.stringify(s.count()));
}
`

// TestPageCounts: the page draws as many triangles and vertices of a model as the library does, of every model of
// testdata and of the corpus. Its modules run in Node.
func TestPageCounts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node: the modules of the page are not run")
	}
	here, err := filepath.Abs("page")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "count.mjs")
	if err := os.WriteFile(script, fmt.Appendf(nil, counting, filepath.ToSlash(here)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, family := range append(corpus.Families(t), "show") {
		for where, folder := range map[string]func(t testing.TB) string{
			"testdata": func(t testing.TB) string { return corpus.Testdata(t, family) },
			"corpus":   func(t testing.TB) string { return corpus.Folder(t, family) },
		} {
			t.Run(where+"/"+family, func(t *testing.T) { countAll(t, exec.CommandContext(t.Context(), node, script), folder(t)) })
		}
	}
}

// countAll holds what the page counts against the library, for every model below a folder.
func countAll(t *testing.T, counter *exec.Cmd, dir string) {
	v, err := New(Config{Operands: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	v.Scan(context.Background())
	v.OpenAll(context.Background())
	to, err := counter.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := counter.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	counter.Stderr = os.Stderr
	if err := counter.Start(); err != nil {
		t.Fatal(err)
	}
	answers, path, models := bufio.NewReader(from), filepath.Join(t.TempDir(), "model.glb"), 0
	for _, n := range v.leaves(func(n *node) bool { return n.kind == format.Model }) {
		var want struct{ Triangles, Vertices int }
		err := v.withItem(&n, func(it *interchange.Item) error {
			a, err := it.LiftSeen()
			if s, ok := a.(*asset.Scene); err == nil && ok {
				want.Triangles, want.Vertices, err = scene.Count(scene.Seen(s, 0))
			}
			return err
		})
		if err != nil {
			continue // what is damaged says so
		}
		b, err := v.model(&n, nil)
		if err != nil {
			continue
		}
		if err := os.WriteFile(path, b.content, 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(to, path)
		got := want
		line, err := answers.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &got)
		}
		if err != nil {
			t.Fatalf("%s: %v", n.source(), err)
		}
		if models++; got != want {
			t.Errorf("%s: the page has %+v, the library %+v", n.source(), got, want)
		}
	}
	to.Close()
	if err := counter.Wait(); err != nil || models == 0 {
		t.Errorf("%d models, %v", models, err)
	}
	t.Logf("%d models of %s", models, dir)
}
