package batch_test

import (
	"context"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
)

// TestBareTally: what an archive lacks is told once, behind its results and before those of the next one.
func TestBareTally(t *testing.T) {
	for range 20 { // the order of words is always the same
		var got []string
		tally := batch.BareTally{Emit: func(r batch.Result) {
			text := r.Source + " " + string(r.Status)
			for _, m := range r.Diagnostics {
				text += " " + m.Text()
			}
			got = append(got, text)
		}}
		for _, r := range []batch.Result{
			{Source: "a:1", Archive: "a", Format: "unreal-sound", Status: batch.Bare, Bare: true},
			{Source: "a:2", Archive: "a", Format: "unreal-texture", Status: batch.Bare, Bare: true},
			{Source: "a:3", Archive: "a", Format: "unreal-texture", Status: batch.Done, Bare: true},
			{Source: "a:4", Archive: "a", Format: "unreal-texture", Status: batch.Done},
			{Source: "b:1", Archive: "b", Format: "unreal-sound", Status: batch.Bare, Bare: true},
			{Source: "c:1", Archive: "c", Format: "unreal-sound", Status: batch.Failed},
		} {
			tally.Take(r)
		}
		tally.Flush()
		want := []string{"a:3 done", "a:4 done", "a opened 1 sound without samples, 2 textures without pixels, as packages for servers are", "b opened 1 sound without samples, as packages for servers are", "c:1 failed"}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

// TestCountStops: what is called off is not counted on.
func TestCountStops(t *testing.T) {
	t.Chdir(yard(t))
	ctx, stop := context.WithCancel(context.Background())
	if n, size := batch.Count(ctx, []string{"in/bell.snd", "in/none"}, batch.Selection{}, false); n != 2 || size == 0 {
		t.Errorf("%d assets, %d bytes", n, size)
	}
	stop()
	if n, size := batch.Count(ctx, []string{"in/bell.snd", "in/none"}, batch.Selection{}, false); n != 0 || size != 0 {
		t.Errorf("called off: %d assets, %d bytes", n, size)
	}
}
