package interchange_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestFlippedFrames: frames of a flip-book that somebody put to its end or took from there are taken over; a gap is refused.
func TestFlippedFrames(t *testing.T) {
	frame := func(k int) []byte {
		m := asset.NewImage(1, 1, asset.RGBA8)
		copy(m.Pix, []byte{byte(k), 0, 0, 255})
		var b bytes.Buffer
		if err := png.Encode(&b, &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, png.Options{}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	list := `{"File":"a.f000.png"},{"File":"a.f001.png"},{"File":"a.f002.png"}`
	for _, c := range []struct {
		name, list string
		frames     []int
		main, want string // the frames that it has, or an error
		told       string
	}{
		{"untouched", list, []int{0, 1, 2}, "a.f000.png", "[0 1 2]", ""},
		{"two added", list, []int{0, 1, 2, 3, 4}, "a.f000.png", "[0 1 2 3 4]", "frames-added"},
		{"added behind a gap", list, []int{0, 1, 2, 4}, "a.f000.png", "[0 1 2]", ""},
		{"last removed", list, []int{0, 1}, "a.f000.png", "[0 1]", "frames-removed"},
		{"one left", list, []int{0}, "a.f000.png", "[0]", "frames-removed"},
		{"middle removed", list, []int{0, 2}, "a.f000.png", "a.f001.png is gone", ""},
		{"renamed", list, []int{1, 2, 3}, "a.png", "[0 1 2 3]", "frames-added"},
		{"a cube map", `{"File":"a.+x.png"},{"File":"a.-x.png","Face":1}`, []int{1}, "a.+x.png", "a.-x.png: file does not exist", ""},
	} {
		dir := t.TempDir()
		write := func(name string, b []byte) {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(c.main, frame(0))
		for _, k := range c.frames {
			write(fmt.Sprintf("a.f%03d.png", k), frame(k))
		}
		write("a.usher.json", []byte(`{"Pictures":[`+c.list+`]}`))
		var d schema.Diagnostics
		l := &engine.Loader{}
		p := filepath.Join(dir, c.main)
		it, err := l.Decode(frame(0), l.Env(p, &d))
		got := ""
		if err == nil {
			var reds []byte
			x := it.Asset.(*asset.Texture)
			for _, f := range x.Frames {
				reds = append(reds, asset.FromImage(f.Mips[0].Image(x.Palette)).Pix[0])
			}
			got = fmt.Sprint(reds)
		} else {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || d.Has(c.told) != (c.told != "") {
			t.Errorf("%s: %s, want %s; %v", c.name, got, c.want, d.All())
		}
		if files, err := l.Pictures(p); err == nil && len(files) > 0 && strings.HasPrefix(c.want, "[") && len(files) != strings.Count(c.want, " ")+1 {
			t.Errorf("%s: a batch takes %q together", c.name, files)
		}
	}
}
