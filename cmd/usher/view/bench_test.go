package view

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	codec "github.com/usher-assets/usher/write/media"
	write "github.com/usher-assets/usher/write/ultima9"
)

// textures makes an archive of n textures of side x side pixels, 16 different ones.
func textures(t testing.TB, n, side int) string {
	t.Helper()
	var records [16][]byte
	for i := range records {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		pix := make([]byte, 4*side*side)
		for k := 0; k < len(pix); k += 4 {
			x, y := k/4%side, k/4/side
			grain := byte(rng.IntN(12))
			pix[k], pix[k+1], pix[k+2], pix[k+3] = byte(x/2)+grain, byte(y/2+8*i)+grain, byte((x/16+y/16)%2*60)+grain, 255
		}
		base := make([]byte, side*side*2)
		codec.RGB565(base, pix)
		x := &ultima9.TextureSet{MaxWidth: uint16(side), MaxHeight: uint16(side)}
		x.Frames = []ultima9.TextureFrame{{Width: uint32(side), Height: uint32(side), Rows: make([]uint32, side), Flags: ultima9.RGB565.Flags(), Levels: [][]byte{base}}}
		x.Describe()
		var err error
		if records[i], err = write.Texture(x); err != nil {
			t.Fatal(err)
		}
	}
	archive := ultima9.NewArchive(n)
	for i := range n {
		if err := archive.Replace(i, records[i%len(records)]); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "bitmap16.flx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := write.FLX(f, archive); err != nil {
		t.Fatal(err)
	}
	return path
}

// thumbs asks for the thumbnails of nodes from to to, as many at the same time as a browser does.
func thumbs(t testing.TB, v *Viewer, from, to int) {
	var all sync.WaitGroup
	next := make(chan int)
	for range 6 {
		all.Go(func() {
			for id := range next {
				if r := ask(v, http.MethodGet, fmt.Sprintf("/api/thumb/%d?size=128", id), nil); r.Header.Get("Content-Type") != mimePNG {
					t.Errorf("%d: %s", id, r.Status)
				}
			}
		})
	}
	for id := from; id < to; id++ {
		next <- id
	}
	close(next)
	all.Wait()
}

// BenchmarkThumb makes thumbnails of textures of 256 x 256 pixels, each another one.
func BenchmarkThumb(b *testing.B) {
	v := newViewer(b, textures(b, b.N, 256))
	b.SetBytes(2 * 256 * 256)
	b.ReportAllocs()
	b.ResetTimer()
	thumbs(b, v, 1, 1+b.N)
}

// TestMemory: what thousands of thumbnails leave behind is what the cache holds, and no more; with USHER_ALL ten thousand.
func TestMemory(t *testing.T) {
	n := 1500
	if os.Getenv("USHER_ALL") != "" {
		n = 10_000
	}
	v := newViewer(t, textures(t, n, 256))
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	thumbs(t, v, 1, 101)
	before, had := heap(), v.cache.bytes
	thumbs(t, v, 101, 1+n)
	grown, kept := heap()-before, int64(v.cache.bytes-had)
	t.Logf("%d thumbnails: %.1f MB more, %.1f MB of them in the cache", n, float64(grown)/1e6, float64(v.cache.bytes)/1e6)
	if v.cache.bytes > mostCached || grown > kept+16<<20 {
		t.Errorf("%d bytes more after %d thumbnails, %d in the cache", grown, n, v.cache.bytes)
	}
}

// BenchmarkList sends windows of an archive of 50,000 entries.
func BenchmarkList(b *testing.B) {
	v := newViewer(b, textures(b, 50_000, 8))
	for _, q := range []string{"open=0&from=25000", "q=4321", "kind=texture&from=49000"} {
		b.Run(q, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				get(b, v, "/api/list?count=200&"+q)
			}
		})
	}
}

// BenchmarkStart opens what there is in testdata and sends its first page.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		v := newViewer(b, corpus.Testdata(b))
		get(b, v, "/")
		get(b, v, "/main.js")
		get(b, v, "/api/list?open=0")
		get(b, v, "/api/node/0")
	}
}

// BenchmarkNode finds out what a model is, and makes what the page asks for.
func BenchmarkNode(b *testing.B) {
	for _, q := range []string{"node", "model", "thumb"} {
		b.Run(q, func(b *testing.B) {
			v := newViewer(b, corpus.Testdata(b, "ultimate3d", "windmill.u3d"))
			b.ReportAllocs()
			for b.Loop() {
				v.refresh() // nothing that was made before is used
				get(b, v, "/api/"+q+"/0")
			}
		})
	}
}
