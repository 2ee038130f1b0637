package ultima9_test

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// codec reads a record and writes it again.
type codec func([]byte) ([]byte, error)

func pair[T any](r func([]byte, *schema.Diagnostics) (*T, error), w func(*T) ([]byte, error)) codec {
	return func(b []byte) ([]byte, error) {
		v, err := r(b, new(schema.Diagnostics))
		if err != nil {
			return nil, err
		}
		return w(v)
	}
}

// codecs has the formats of leaves by the name that the corpus gives them.
var codecs = map[string]codec{
	"palette":      pair(read.Palette, write.Palette),
	"texture":      pair(read.Texture, write.Texture),
	"sdinfo":       pair(read.SDInfo, write.SDInfo),
	"mesh":         pair(read.Sappear, write.Sappear),
	"mesh-indexed": pair(read.Indexed, write.Indexed),
	"anim":         pair(read.Anim, write.Anim),
	"types":        pair(read.Types, write.Types),
	"typename":     pair(read.TypeName, write.TypeName),
	"registry":     pair(read.Registry, write.Registry),
}

// recordCodec tells the codec of a file of the corpus by its name, and whether it is an archive of such records.
func recordCodec(file string) (name string, archive bool) {
	base := strings.ToLower(filepath.Base(file))
	switch {
	case strings.HasSuffix(base, ".tex"):
		return "texture", false
	case strings.HasSuffix(base, ".mesh"):
		return "mesh", false
	case strings.HasSuffix(base, ".anim"):
		return "anim", false
	case strings.HasSuffix(base, ".pal"):
		return "palette", false
	case base == "types.dat" || strings.HasSuffix(base, ".types"):
		return "types", false
	case base == "registry.txt":
		return "registry", false
	case base == "anim.flx":
		return "anim", true
	case base == "sappear.flx":
		return "mesh", true
	case strings.HasPrefix(base, "bitmap") || strings.HasPrefix(base, "texture"):
		return "texture", !strings.HasSuffix(base, ".json") && !strings.HasSuffix(base, ".ops.json")
	case strings.HasPrefix(base, "sdinfo"):
		return "sdinfo", true
	case base == "typename.flx":
		return "typename", true
	}
	return "", false
}

// records calls f for every well-formed record of this package's formats, in archives and outside.
func records(t testing.TB, f func(name, what string, b []byte)) {
	t.Helper()
	n := map[string]int{}
	for _, e := range corpus.Manifest(t, "ultima9") {
		if strings.Contains(e.File, "malformed/") || strings.HasSuffix(e.File, ".json") || strings.HasSuffix(e.File, ".png") {
			continue
		}
		name, archive := recordCodec(e.File)
		if name == "" {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		if !archive {
			n[name]++
			f(name, e.File, b)
			continue
		}
		a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(e.File, err)
		}
		for i := range a.Len() {
			if !a.Used(i) {
				continue
			}
			p, err := a.Payload(i)
			if err != nil {
				t.Fatal(e.File, err)
			}
			n[name]++
			f(name, fmt.Sprintf("%s:%d", e.File, i), p)
		}
	}
	t.Logf("records: %v", n)
}

func TestRecordsRoundTrip(t *testing.T) {
	records(t, func(name, what string, b []byte) {
		got, err := codecs[name](b)
		if name == "mesh" && read.IsIndexed(b) {
			if schema.Class(err) != schema.ErrUnsupported {
				t.Errorf("%s: %v, want unsupported", what, err)
			}
			got, err = codecs["mesh-indexed"](b)
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		corpus.SameBytes(t, what, got, b)
	})
}

// classes maps the words of the reference (section 2.1) to ours.
var classes = map[string]error{
	"truncated": schema.ErrTruncated, "bad_magic": schema.ErrBadMagic, "range": schema.ErrRange, "count": schema.ErrCount,
	"cycle": schema.ErrCycle, "mismatch": schema.ErrMismatch, "unsupported": schema.ErrUnsupported, "value": schema.ErrValue,
}

func TestMalformed(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic")
	var cases []struct {
		File, Format, Expect, Scope string
		Also                        []string `json:"also_accepted"`
	}
	corpus.JSON(t, filepath.Join(dir, "malformed", "expected.json"), &cases)
	n, exact := 0, 0
	for _, c := range cases {
		if codecs[c.Format] == nil && c.Format != "flx" {
			continue
		}
		n++
		b := corpus.Bytes(t, filepath.Join(dir, c.File))
		err := readMalformed(b, c.Format, c.Scope)
		class := schema.Class(err)
		if class == classes[c.Expect] {
			exact++
			continue
		}
		accepted := slices.ContainsFunc(c.Also, func(name string) bool {
			return class != nil && class == classes[name] || err == nil && name == "accepted"
		})
		if !accepted {
			t.Errorf("%s: %v, want %s or one of %v", c.File, err, c.Expect, c.Also)
		}
	}
	if n < 45 {
		t.Errorf("only %d malformed files", n)
	}
	t.Logf("%d malformed files, %d with the first class named", n, exact)
}

// readMalformed reads a file, or only the slot that the scope names.
func readMalformed(b []byte, format, scope string) error {
	if format != "flx" && scope == "file" {
		_, err := codecs[format](b)
		return err
	}
	a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil || scope == "file" {
		return err
	}
	slot, _ := strconv.Atoi(strings.TrimPrefix(scope, "slot "))
	for i := range a.Len() {
		if i != slot && a.Used(i) {
			if _, err := a.Payload(i); err != nil {
				return fmt.Errorf("slot %d is sound, but: %w", i, err)
			}
		}
	}
	p, err := a.Payload(slot)
	if err != nil || format == "flx" {
		return err
	}
	_, err = codecs[format](p)
	return err
}

// fixedSize is where the structure of a record ends whose further bytes are kept; for all others the whole counts.
var fixedSize = map[string]int{
	"palette": ultima9.PaletteSize, "sdinfo": ultima9.SDInfoSize, "types": ultima9.TypesFileSize,
	"texture": math.MaxInt, "mesh": math.MaxInt, "anim": math.MaxInt,
}

// A record that ends early is refused, or is one that may end there: then it comes back as it is.
func TestTruncated(t *testing.T) {
	seen := map[string]int{}
	records(t, func(name, what string, b []byte) {
		if seen[name]++; seen[name] > 30 {
			return
		}
		step := max(1, len(b)/400)
		for n := 0; n < len(b); n += step {
			got, err := codecs[name](b[:n])
			if err != nil {
				if schema.Class(err) == nil {
					t.Fatalf("%s cut to %d: error without a class: %v", what, n, err)
				}
				continue
			}
			if name != "registry" && name != "typename" && n < fixedSize[name] {
				t.Errorf("%s cut to %d bytes is accepted", what, n)
			}
			corpus.SameBytes(t, what, got, b[:n])
		}
	})
}
