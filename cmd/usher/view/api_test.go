package view

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/testdata/corpus"
)

// allRows returns all leaves of a viewer.
func allRows(t testing.TB, v *Viewer) (all []Row) {
	t.Helper()
	v.OpenAll(context.Background())
	for {
		var l Listing
		getJSON(t, v, fmt.Sprintf("/api/list?flat=1&count=500&from=%d", len(all)), &l)
		all = append(all, l.Rows...)
		if len(all) >= l.Total {
			return all
		}
	}
}

// TestFacts: everything in testdata says what it is, and gives what its views ask for.
func TestFacts(t *testing.T) {
	asked := map[string][]string{
		"picture": {"image/%d?frame=0&mip=0&face=0", "thumb/%d?size=64"}, "model": {"model/%d", "camera/%d", "thumb/%d?size=64"},
		"sound": {"sound/%d", "peaks/%d", "thumb/%d?size=64"}, "table": {"table/%d"}, "text": {"text/%d"}, "fields": {"fields/%d"}, "hex": {"bytes/%d", "spans/%d?from=0&count=64"},
	}
	seen := map[string]int{}
	v := newViewer(t, corpus.Testdata(t, "freelancer"), corpus.Testdata(t, "ultimate3d"), corpus.Testdata(t, "unreal"), corpus.Testdata(t, "ultima9"))
	for _, r := range allRows(t, v) {
		var f Facts
		getJSON(t, v, fmt.Sprintf("/api/node/%d", r.ID), &f)
		if len(f.Views) == 0 || !strings.HasPrefix(f.Commands["facts"], "usher info") || len(f.Trail) < 2 {
			t.Errorf("%s: views %v, commands %v, trail %v", r.Name, f.Views, f.Commands, f.Trail)
		}
		if r.Format != "" && f.Failure == "" && len(f.Facts) == 0 && f.FormatTitle == "" {
			t.Errorf("%s: nothing is known", f.Source)
		}
		for _, view := range f.Views {
			seen[view]++
			if f.Commands[view] == "" {
				t.Errorf("%s: no command for the view %s", f.Source, view)
			}
			for _, target := range asked[view] {
				get(t, v, "/api/"+fmt.Sprintf(target, r.ID))
			}
		}
		for _, s := range f.Saves {
			answer := ask(v, http.MethodGet, fmt.Sprintf("/api/save/%d/%s", r.ID, s.As), nil)
			if d := answer.Header.Get("Content-Disposition"); answer.StatusCode != 200 || !strings.HasPrefix(d, "attachment") {
				b, _ := io.ReadAll(answer.Body)
				t.Errorf("%s as %s: %s %q %s", f.Source, s.As, answer.Status, d, b)
			}
		}
	}
	for view := range asked {
		if seen[view] == 0 {
			t.Errorf("no view %s", view)
		}
	}
}

// TestSaved: what is saved is what the other verbs make: the stored bytes, and a model that goes back to them.
func TestSaved(t *testing.T) {
	path := corpus.Testdata(t, "ultimate3d", "windmill.u3d")
	v := newViewer(t, path)
	corpus.SameBytes(t, "stored bytes", get(t, v, "/api/save/0/stored"), corpus.Bytes(t, path))
	corpus.SameBytes(t, "bytes", get(t, v, "/api/bytes/0"), corpus.Bytes(t, path))
	glb := filepath.Join(t.TempDir(), "windmill.glb")
	if err := os.WriteFile(glb, get(t, v, "/api/save/0/glb"), 0o666); err != nil {
		t.Fatal(err)
	}
	back, err := newViewer(t, glb).export(&node{path: glb, base: glb, place: file, name: "windmill.glb"}, "u3d", false)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "there and back", back.content, corpus.Bytes(t, path))
	r := ask(v, http.MethodGet, "/api/bytes/0", func(r *http.Request) { r.Header.Set("Range", "bytes=16-31") })
	b, _ := io.ReadAll(r.Body)
	if r.StatusCode != http.StatusPartialContent || !bytes.Equal(b, corpus.Bytes(t, path)[16:32]) {
		t.Errorf("a range: %s %x", r.Status, b)
	}
	tag := r.Header.Get("ETag")
	if r := ask(v, http.MethodGet, "/api/model/0", func(r *http.Request) { r.Header.Set("If-None-Match", tag) }); r.StatusCode != http.StatusNotModified {
		t.Errorf("asked for again: %s", r.Status)
	}
}

// TestImage: the pictures of a texture are its own pixels, of each level.
func TestImage(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "unreal", "made69.u"))
	for _, r := range allRows(t, v) {
		if r.Kind != "texture" {
			continue
		}
		var f Facts
		getJSON(t, v, fmt.Sprintf("/api/node/%d", r.ID), &f)
		for i, m := range f.Picture.Frames[0].Mips {
			p, err := png.Decode(bytes.NewReader(get(t, v, fmt.Sprintf("/api/image/%d?frame=0&mip=%d", r.ID, i))))
			if err != nil || p.Bounds().Dx() != m[0] || p.Bounds().Dy() != m[1] {
				t.Errorf("%s, level %d: %v, want %v (%v)", f.Source, i, p.Bounds(), m, err)
			}
		}
		if len(f.Picture.Palette) == 0 {
			t.Errorf("%s: no palette", f.Source)
		}
	}
}

// TestFilters: words, kinds and formats leave what they say, with what it is in.
func TestFilters(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t))
	allRows(t, v)
	names := func(q string) string {
		var l Listing
		getJSON(t, v, "/api/list?"+q, &l)
		var list []string
		for _, r := range l.Rows {
			list = append(list, fmt.Sprintf("%d:%s", r.Depth, r.Name))
		}
		return strings.Join(list, " ")
	}
	for q, want := range map[string]string{
		"q=windmill+u3d":          "0:testdata 1:ultimate3d 2:windmill.u3d",
		"q=WINDMILL.U3D":          "0:testdata 1:ultimate3d 2:windmill.u3d",
		"q=holes&format=no":       "",
		"format=unreal-psk":       "0:testdata 1:unreal 2:strip.psk",
		"q=beep&flat=1":           "0:Beep.uax 0:Beep.uax 0:Beep 0:Beep 0:Beep 0:Beep",
		"kind=sound&q=made69":     "",
		"kind=sound&q=bell":       "0:testdata 1:ultima9 2:bell.snd",
		"q=bell&from=1&count=1":   "1:ultima9",
		"q=bell&from=99&count=10": "",
	} {
		if got := names(q); got != want {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
	}
}

// TestDamaged: what cannot be read says why, and is still there as bytes.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.u3d")
	b := corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "windmill.u3d"))
	if err := os.WriteFile(path, b[:len(b)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	v := newViewer(t, path)
	var f Facts
	getJSON(t, v, "/api/node/0", &f)
	if f.Failure == "" || strings.Join(f.Views, " ") != "hex" {
		t.Errorf("failure %q, views %v", f.Failure, f.Views)
	}
	if r := ask(v, http.MethodGet, "/api/model/0", nil); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("the model: %s", r.Status)
	}
	if s := string(get(t, v, "/api/thumb/0")); !strings.Contains(s, "left") || strings.Contains(s, path) {
		t.Errorf("in place of a picture: %s", s)
	}
	if list := allRows(t, v); list[0].Error == "" {
		t.Error("its row does not tell that it is broken")
	}
}

// TestSign: why there is no picture is told within it, whatever the reason holds.
func TestSign(t *testing.T) {
	for _, why := range []string{"", "short", "<script>&\x00\u202e", strings.Repeat("word ", 100), strings.Repeat("x", 1000), "\xff\xfe"} {
		s := string(sign(why).content)
		if err := xml.Unmarshal([]byte(s), new(struct{})); err != nil || strings.Contains(s, "<script") || strings.Count(s, "<text") > 7 || len(s) > 1200 {
			t.Errorf("%q: %v %s", why, err, s)
		}
	}
}

// TestGone: a client that has gone is not worked for.
func TestGone(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "ultimate3d", "windmill.u3d"))
	for range runtime.GOMAXPROCS(0) {
		v.work <- struct{}{}
	}
	ctx, leave := context.WithCancel(context.Background())
	done := make(chan *http.Response)
	go func() {
		done <- ask(v, http.MethodGet, "/api/thumb/0", func(r *http.Request) { *r = *r.WithContext(ctx) })
	}()
	leave()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for ever")
	}
}
