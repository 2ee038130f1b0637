package convert_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/explain"
	"github.com/usher-assets/usher/testdata/corpus"
)

// explained returns the map of a file after checking what every map must hold: the spans are ordered and cover every
// byte, and but for what entries share, once.
func explained(t *testing.T, s sample, size int64) *explain.Map {
	t.Helper()
	m, err := explain.Source(&engine.Loader{From: s.from}, engine.Source{Path: s.path}, explain.Range{})
	if err != nil {
		if len(s.class) == 0 {
			t.Error(err)
		}
		return nil
	}
	if m.Size != size {
		t.Errorf("%d of %d bytes are explained", m.Size, size)
	}
	at, last := int64(0), -1
	for i := range m.Spans {
		x := &m.Spans[i]
		switch {
		case x.Size < 1 || x.End() > size:
			t.Errorf("span %q is %d bytes from 0x%x on", x.Name(), x.Size, x.Offset)
		case !x.Shared && x.Offset != at:
			t.Errorf("span %q begins at 0x%x, the one before ends at 0x%x", x.Name(), x.Offset, at)
		case x.Shared && x.Offset >= at:
			t.Errorf("span %q shares nothing", x.Name())
		case x.Shared && !mayShare(m, x, last):
			t.Errorf("span %q at 0x%x to 0x%x lies in %q at 0x%x to 0x%x, of the same entry", x.Name(), x.Offset, x.End(), m.Spans[last].Name(), m.Spans[last].Offset, m.Spans[last].End())
		}
		if x.End() > at {
			at, last = x.End(), i
		}
		if _, err := x.Elements(); err != nil {
			t.Errorf("span %q: %v", x.Name(), err)
		}
	}
	if at != size {
		t.Errorf("the last span ends at 0x%x of 0x%x", at, size)
	}
	c := m.Coverage()
	if c[explain.Field]+c[explain.Kept]+c[explain.Gap] != size {
		t.Errorf("%v bytes in %d", c, size)
	}
	return m
}

// mayShare reports whether a span that lies in bytes of the span number last may do so: they are parts of different
// entries, or of different structures that the file places where it likes.
func mayShare(m *explain.Map, x *explain.Span, last int) bool {
	return last >= 0 && m.Spans[last].Entry != x.Entry
}

// pointed checks that an error points into a span that was read, or to where reading stopped.
func pointed(t *testing.T, m *explain.Map, stop *explain.Stop) {
	if stop.Offset == m.Size {
		return // the file ends too early
	}
	for _, x := range m.At(stop.Offset) {
		if x.Kind != explain.Gap || x.Offset == stop.Offset {
			return
		}
	}
	t.Errorf("reading stopped at 0x%x of 0x%x, which was not read: %v", stop.Offset, m.Size, stop.Err)
}

// TestExplainTestdata explains the files of testdata.
func TestExplainTestdata(t *testing.T) {
	for family := range families {
		root := corpus.Testdata(t, family)
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b := corpus.Bytes(t, p)
			if f := sniff(p, b); f != nil {
				rel, _ := filepath.Rel(root, p)
				t.Run(family+"/"+filepath.ToSlash(rel), func(t *testing.T) {
					m := explained(t, sample{name: rel, path: p}, int64(len(b)))
					if m != nil && len(m.Stops) > 0 {
						t.Errorf("reading stopped: %+v", m.Stops[0])
					}
				})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestExplainCorpus explains the files of the corpus. Of malformed ones the error points into the span that was read last,
// or to the gap that begins where reading stopped.
func TestExplainCorpus(t *testing.T) {
	total := map[string]*explain.Coverage{}
	for family, samples := range families {
		t.Run(family, func(t *testing.T) {
			for _, s := range samples(t) {
				t.Run(s.name, func(t *testing.T) {
					b := corpus.Bytes(t, s.path)
					m := explained(t, s, int64(len(b)))
					if m == nil {
						return
					}
					if total[m.Format] == nil {
						total[m.Format] = new(explain.Coverage)
					}
					for k, n := range m.Coverage() {
						if len(s.class) == 0 {
							total[m.Format][k] += n
						}
					}
					if len(s.class) == 0 && len(m.Stops) > 0 {
						t.Errorf("reading stopped: %+v", m.Stops[0])
					}
					for i := range m.Stops {
						pointed(t, m, &m.Stops[i])
					}
					if len(s.class) > 0 && len(m.Stops) == 0 {
						t.Logf("%s is explained to the end", s.name)
					}
				})
			}
		})
	}
	var lines []string
	for name, c := range total {
		lines = append(lines, fmt.Sprintf("%-16s %9d bytes: %6.2f %% fields, %6.2f %% kept, %6.2f %% gaps", name, c[0]+c[1]+c[2],
			100*c.Share(explain.Field), 100*c.Share(explain.Kept), 100*c.Share(explain.Gap)))
	}
	slices.Sort(lines)
	for _, line := range lines {
		t.Log(line)
	}
}
