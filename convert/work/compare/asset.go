package compare

import (
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"strings"

	"github.com/usher-assets/usher/schema/asset"
)

// Detail is one difference between two assets or values.
type Detail struct {
	What    string           // "field", "size", "pixels", "palette", "vertices", "triangles", "normals", "keys", "samples", "line" …
	Where   string           // path inside the asset; may be empty
	Old     string           // value as text; empty for differences that are counted
	New     string           // the same
	Count   int              // number of elements that differ
	Of      int              // number of elements in the new asset
	Largest float64          // largest difference: metres for vertices, otherwise in the unit of the value
	Decibel float64          // signal-to-noise ratio of pixels and samples; 0 if meaningless
	Box     *image.Rectangle // bounding box of the pixels that differ
	At      float64          // time of the first sample or key that differs, in seconds
}

// String returns the detail as a line of text.
func (d Detail) String() string {
	where := d.Where
	if where != "" {
		where += ": "
	}
	switch {
	case d.What == "field":
		return where + change(d.Old, d.New)
	case d.What == "line":
		return where + strings.TrimSuffix(change(d.Old, d.New), " ")
	case d.Count == 0:
		return where + d.What + ": " + change(d.Old, d.New)
	}
	s := fmt.Sprintf("%s%d of %d %s differ", where, d.Count, d.Of, d.What)
	if d.Box != nil {
		s += fmt.Sprintf(", within %d,%d to %d,%d", d.Box.Min.X, d.Box.Min.Y, d.Box.Max.X-1, d.Box.Max.Y-1)
	}
	switch d.What {
	case "pixels":
		s += fmt.Sprintf(", PSNR %.1f dB", d.Decibel)
	case "samples":
		s += fmt.Sprintf(", the first at %.3f s, SNR %.1f dB", d.At, d.Decibel)
	case "keys":
		s += fmt.Sprintf(", the first at %.3f s", d.At)
	case "vertices":
		s += fmt.Sprintf(", by up to %.6g m", d.Largest)
	}
	return s
}

// change says what became of a value.
func change(old, now string) string {
	switch {
	case old == "":
		return "+ " + now
	case now == "":
		return "- " + old
	}
	return old + " -> " + now
}

// Assets compares the visible and audible content of two assets: pixels, vertices, keys, samples, lines. For data that only
// their formats know, see [Values].
func Assets(a, b asset.Asset) []Detail {
	c := &assets{}
	switch b := b.(type) {
	case *asset.Texture:
		if a, ok := a.(*asset.Texture); ok {
			c.texture("", a, b)
			return c.details
		}
	case *asset.Scene:
		if a, ok := a.(*asset.Scene); ok {
			c.scene(a, b)
			return c.details
		}
	case *asset.Sound:
		if a, ok := a.(*asset.Sound); ok {
			c.sound(a, b)
			return c.details
		}
	case *asset.Text:
		if a, ok := a.(*asset.Text); ok {
			c.lines(a.Body, b.Body)
			return c.details
		}
	case *asset.Table:
		if a, ok := a.(*asset.Table); ok {
			c.fields("", a.Columns, b.Columns)
			c.fields("row", a.Rows, b.Rows)
			return c.details
		}
	}
	return []Detail{{What: "kind", Old: fmt.Sprintf("%T", a), New: fmt.Sprintf("%T", b)}}
}

type assets struct {
	details []Detail
	sizes   map[*asset.Mesh]float64 // metres that a unit of each mesh is
	unit    float64                 // of the mesh that is being compared
}

func (c *assets) note(d Detail) { c.details = append(c.details, d) }

// fields notes the fields of two values that differ.
func (c *assets) fields(where string, a, b any) {
	list, _ := Values(a, b)
	for _, f := range list {
		path := f.Path
		if where != "" {
			path = strings.TrimSuffix(where+" › "+path, " › ")
		}
		c.note(Detail{What: "field", Where: path, Old: f.Old, New: f.New})
	}
}

func (c *assets) texture(where string, a, b *asset.Texture) {
	type settings struct {
		Frames int
		Alpha  asset.AlphaMode
		FPS    float32
	}
	c.fields(where, settings{len(a.Frames), a.Alpha, a.FPS}, settings{len(b.Frames), b.Alpha, b.FPS})
	if len(a.Palette) == len(b.Palette) {
		n := 0
		for i := range a.Palette {
			if a.Palette[i] != b.Palette[i] {
				n++
			}
		}
		if n > 0 {
			c.note(Detail{What: "palette colours", Where: where, Count: n, Of: len(b.Palette)})
		}
	} else {
		c.note(Detail{What: "palette colours", Where: where, Old: fmt.Sprint(len(a.Palette)), New: fmt.Sprint(len(b.Palette))})
	}
	for i := range min(len(a.Frames), len(b.Frames)) {
		at := where
		if len(b.Frames) > 1 {
			at = join(where, fmt.Sprintf("frame %d", i))
		}
		f, g := &a.Frames[i], &b.Frames[i]
		if len(f.Mips) != len(g.Mips) {
			c.note(Detail{What: "levels", Where: at, Old: fmt.Sprint(len(f.Mips)), New: fmt.Sprint(len(g.Mips))})
		}
		for m := range min(len(f.Mips), len(g.Mips)) {
			in := at
			if m > 0 {
				in = join(at, fmt.Sprintf("level %d", m))
			}
			c.image(in, &f.Mips[m], &g.Mips[m], a.Palette, b.Palette)
		}
		for m := range min(len(f.Faces), len(g.Faces)) {
			c.image(join(at, fmt.Sprintf("face %d", m+1)), &f.Faces[m], &g.Faces[m], a.Palette, b.Palette)
		}
	}
}

func join(where, more string) string {
	if where == "" {
		return more
	}
	return where + " › " + more
}

func (c *assets) image(where string, a, b *asset.Image, before, after []asset.RGBA) {
	if a.Width != b.Width || a.Height != b.Height {
		c.note(Detail{What: "size", Where: where, Old: fmt.Sprintf("%d x %d", a.Width, a.Height), New: fmt.Sprintf("%d x %d", b.Width, b.Height)})
		return
	}
	count, box, squares := 0, image.Rectangle{}, 0.0
	for i := range a.Width * a.Height {
		p, q := pixel(a, before, i), pixel(b, after, i)
		if p == q {
			continue
		}
		count++
		box = box.Union(image.Rect(i%a.Width, i/a.Width, i%a.Width+1, i/a.Width+1))
		for k := range p {
			d := float64(p[k]) - float64(q[k])
			squares += d * d
		}
	}
	if count > 0 {
		mean := squares / float64(4*a.Width*a.Height)
		c.note(Detail{What: "pixels", Where: where, Count: count, Of: a.Width * a.Height, Box: &box, Decibel: 10 * math.Log10(65535*65535/mean)})
	}
}

// pixel returns pixel i as it is shown, 16 bits a component; it is black where the image is damaged.
func pixel(m *asset.Image, palette []asset.RGBA, i int) (c [4]uint16) {
	n := m.Format.Bytes()
	if (i+1)*n > len(m.Pix) {
		return c
	}
	p := m.Pix[i*n:]
	switch m.Format {
	case asset.RGBA8:
		return [4]uint16{257 * uint16(p[0]), 257 * uint16(p[1]), 257 * uint16(p[2]), 257 * uint16(p[3])}
	case asset.Indexed8:
		if int(p[0]) < len(palette) {
			x := palette[p[0]]
			return [4]uint16{257 * uint16(x[0]), 257 * uint16(x[1]), 257 * uint16(x[2]), 257 * uint16(x[3])}
		}
		return c
	case asset.Gray16:
		v := binary.LittleEndian.Uint16(p)
		return [4]uint16{v, v, v, 65535}
	}
	v := 257 * uint16(p[0])
	return [4]uint16{v, v, v, 65535}
}

func (c *assets) sound(a, b *asset.Sound) {
	type settings struct {
		Rate, Channels, Bits int
		Float                bool
		Loops                []asset.Loop
		Cues                 []asset.Cue
	}
	c.fields("", settings{a.Rate, a.Channels, a.Bits, a.Float, a.Loops, a.Cues}, settings{b.Rate, b.Channels, b.Bits, b.Float, b.Loops, b.Cues})
	if a.Channels != b.Channels || a.Bits != b.Bits || a.Float != b.Float || a.Channels < 1 {
		return
	}
	if a.Frames() != b.Frames() {
		c.note(Detail{What: "length", Old: fmt.Sprintf("%d samples", a.Frames()), New: fmt.Sprintf("%d samples", b.Frames())})
	}
	n, first := min(a.Frames(), b.Frames())*a.Channels, -1
	count, signal, noise := 0, 0.0, 0.0
	for i := range n {
		x, y := sample(a, i), sample(b, i)
		signal += x * x
		if x != y {
			if count++; first < 0 {
				first = i
			}
			noise += (x - y) * (x - y)
		}
	}
	if count > 0 {
		d := Detail{What: "samples", Count: count, Of: n, At: float64(first/a.Channels) / float64(max(b.Rate, 1))}
		if signal > 0 && noise > 0 {
			d.Decibel = 10 * math.Log10(signal/noise)
		}
		c.note(d)
	}
}

// sample returns sample i, full scale being 1.
func sample(s *asset.Sound, i int) float64 {
	switch {
	case s.Float && s.Bits == 32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(s.PCM[4*i:])))
	case s.Float:
		return math.Float64frombits(binary.LittleEndian.Uint64(s.PCM[8*i:]))
	case s.Bits == 8:
		return float64(int(s.PCM[i])-128) / 128
	}
	n := s.Bits / 8
	v := int64(0)
	for k := n - 1; k >= 0; k-- {
		v = v<<8 | int64(s.PCM[n*i+k])
	}
	half := int64(1) << (s.Bits - 1)
	if v >= half {
		v -= 2 * half
	}
	return float64(v) / float64(half)
}

// lines notes which lines of a text are new, gone or changed.
func (c *assets) lines(a, b string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	head := 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < min(len(x), len(y))-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	for _, e := range edits(x[head:len(x)-tail], y[head:len(y)-tail]) {
		where := fmt.Sprintf("line %d", head+e.at+1)
		c.note(Detail{What: "line", Where: where, Old: quoted(e.old), New: quoted(e.now)})
	}
}

func quoted(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	s := fmt.Sprintf("%q", strings.Join(lines, "\n"))
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

// edit replaces lines: those before it stay.
type edit struct {
	at       int // of the new lines
	old, now []string
}

// mostLines is how many lines of each side are matched with each other. Longer texts are parted where a line stands once on
// both sides.
const mostLines = 2000

// edits finds the longest common lines and returns what stands between them.
func edits(a, b []string) (list []edit) {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	if len(a) > mostLines || len(b) > mostLines {
		return partedEdits(a, b)
	}
	common := make([][]uint16, len(a)+1) // lengths, from the end
	for i := range common {
		common[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i] == b[k] {
				common[i][k] = common[i+1][k+1] + 1
			} else {
				common[i][k] = max(common[i+1][k], common[i][k+1])
			}
		}
	}
	i, k := 0, 0
	for i < len(a) || k < len(b) {
		e := edit{at: k}
		for i < len(a) || k < len(b) {
			if i < len(a) && k < len(b) && a[i] == b[k] {
				break
			}
			if k == len(b) || i < len(a) && common[i+1][k] >= common[i][k+1] {
				e.old = append(e.old, a[i])
				i++
			} else {
				e.now = append(e.now, b[k])
				k++
			}
		}
		if len(e.old)+len(e.now) > 0 {
			list = append(list, e)
		}
		for i < len(a) && k < len(b) && a[i] == b[k] {
			i, k = i+1, k+1
		}
	}
	return list
}

// pairs returns what belongs together of two lists: what has the same key, the first key first and of several alike the
// first with the first; then, where as many are left on both sides, those in their order that may be one and the same.
func pairs[T any](a, b []T, like func(a, b T) bool, keys ...func(T) string) (both [][2]T, gone, added []T) {
	partner, used := make([]int, len(a)), make([]bool, len(b))
	for i := range partner {
		partner[i] = -1
	}
	for _, key := range keys {
		pairByKey(a, b, partner, used, key)
	}
	if len(a) == len(b) {
		pairInOrder(a, b, partner, used, like)
	}
	for i, k := range partner {
		if k < 0 {
			gone = append(gone, a[i])
		} else {
			both = append(both, [2]T{a[i], b[k]})
		}
	}
	for k := range b {
		if !used[k] {
			added = append(added, b[k])
		}
	}
	return both, gone, added
}

// pairByKey pairs what is left of two lists and has the same key. An empty one says nothing.
func pairByKey[T any](a, b []T, partner []int, used []bool, key func(T) string) {
	at := map[string][]int{}
	for k := range b {
		if text := key(b[k]); text != "" && !used[k] {
			at[text] = append(at[text], k)
		}
	}
	for i := range a {
		text := key(a[i])
		if list := at[text]; partner[i] < 0 && len(list) > 0 {
			partner[i], used[list[0]], at[text] = list[0], true, list[1:]
		}
	}
}

// pairInOrder pairs what is left and may be one and the same.
func pairInOrder[T any](a, b []T, partner []int, used []bool, like func(a, b T) bool) {
	first := 0 // of b that is left
	for i := range a {
		for first < len(b) && used[first] {
			first++
		}
		for k := first; k < len(b) && partner[i] < 0; k++ {
			if !used[k] && like(a[i], b[k]) {
				partner[i], used[k] = k, true
			}
		}
	}
}

// anyway lets all be one and the same.
func anyway[T any](_, _ T) bool { return true }
