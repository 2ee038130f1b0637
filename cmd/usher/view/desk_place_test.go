package view

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/usher-assets/usher/cmd/usher/places"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestDeskPlace: a place that the start screen offers is opened beside what is open, once, and can be worked on; one that it does
// not offer is not, wherever it lies.
func TestDeskPlace(t *testing.T) {
	start, game, other := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{game, other} {
		if err := os.WriteFile(filepath.Join(dir, "pictures.utx"), corpus.Bytes(t, filepath.Join("..", "..", "..", "testdata", "unreal", "pictures.utx")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	offer := []places.Place{{Name: "Unreal", Path: game, Game: true}, {Name: "gone", Path: filepath.Join(start, "gone")}}
	v, err := New(Config{Operands: []string{start}, Start: true, Places: func() []places.Place { return offer }, Desk: &Desk{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	v.Scan(context.Background())
	if got := v.home(v.rootID(0)).Places; len(got) != 2 || got[0] != offer[0] {
		t.Errorf("the start screen offers %v", got)
	}
	if got := v.home(v.rootID(0)); len(got.Worlds) == 0 {
		t.Error("the start screen does not say what usher reads")
	}
	open := func(path string) (id int) {
		var done struct{ Node int }
		post(t, v, "/api/desk/place?path="+url.QueryEscape(path), nil, &done)
		return done.Node
	}
	id := open(game)
	for v.scanning.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	file := v.nodeAt(1, "pictures.utx", "")
	if n, ok := v.tree.get(file); !ok || n.parent != id {
		t.Errorf("the file in the place is node %d, of %d, want it in %d", file, n.parent, id)
	}
	if again := open(game); again != id {
		t.Errorf("opened again it is node %d, and was %d", again, id)
	}
	looks := func(r *http.Request) { r.Header.Del(writeHeader) }
	if r := send(v, "/api/desk/place?path="+url.QueryEscape(game), nil, looks); r.StatusCode != http.StatusForbidden {
		t.Errorf("a page that only looks is answered with %s", r.Status)
	}
	if home := v.home(id); home.Worlds != nil || home.Places != nil {
		t.Error("a place is a start screen")
	}
	for _, x := range []struct {
		path string
		want int
	}{
		{other, http.StatusForbidden}, {"", http.StatusForbidden}, {filepath.Join(game, ".."), http.StatusForbidden},
		{game + string(filepath.Separator), http.StatusForbidden}, {offer[1].Path, http.StatusNotFound},
	} {
		if r := send(v, "/api/desk/place?path="+url.QueryEscape(x.path), nil, nil); r.StatusCode != x.want {
			t.Errorf("%q is answered with %s, want %d", x.path, r.Status, x.want)
		}
	}
}
