package explain_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/explain"
	"github.com/usher-assets/usher/testdata/corpus"
)

// item is a number, a text, or bytes: what a table of a reference has a row for, or several in one row.
type item struct{ from, to int64 }

// itemsOf returns where each number of a map begins and ends, by its beginning.
func itemsOf(t *testing.T, m *explain.Map) map[int64]item {
	items := map[int64]item{}
	for i := range m.Spans {
		s := &m.Spans[i]
		list, err := s.Elements()
		if err != nil {
			t.Fatal(err)
		}
		if list == nil {
			items[s.Offset] = item{s.Offset, s.End()}
		}
		for k := range int64(len(list) * s.Count) {
			e := list[k%int64(len(list))]
			at := s.Offset + k/int64(len(list))*s.Stride() + e.Offset
			for n := range int64(e.Count) {
				size := e.Size / int64(e.Count)
				items[at+n*size] = item{at + n*size, at + (n+1)*size}
			}
		}
	}
	return items
}

// TestTables holds tables of the references, schema/<family>/README.md, against what the readers read: where a table has
// a row, a field begins, and it ends where the row's type does.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		section            string // of schema/<family>/README.md
		file               string // of testdata
		entry, path, field string // what the structure begins with
		rows               int    // that can be checked
	}{
		{"### 1.2 Header (56 bytes)", "freelancer/ship.cmp", "", "", "signature", 13},
		{"### 1.3 Entry (44 bytes)", "freelancer/ship.cmp", "", "tree", "Cmpnd", 11},
		{"### 5.2 VMeshData", "freelancer/parts.vms", "VMeshLibrary/*", "", "type", 6},
		{"### 5.4 VMeshRef", "freelancer/crate.3db", "*VMeshRef", "", "size", 11},
		{"## 2. ", "ultimate3d/windmill.u3d", "", "", "magic", 12},
		{"### 1.1 Header", "unreal/made69.u", "", "header", "magic", 12},
		{"### 1.1 Header (128 bytes)", "ultima9/sappear.flx", "", "", "comment", 10},
		{"### 4.1 Record header", "ultima9/bitmap16.flx", "1", "", "maximum width", 7},
		{"### 4.2 Frame", "ultima9/bitmap16.flx", "1", "frame 0", "flags", 5},
		{"### 6.1 Header, 90h bytes", "ultima9/sappear.flx", "3", "", "limb count", 16},
		{"### 6.2 Limb header", "ultima9/sappear.flx", "3", "limb 0", "id", 5},
		{"### 6.3 LOD mesh", "ultima9/sappear.flx", "3", "limb 0/LOD 0", "size", 19},
		{"### 6.5 Face, 7Ch bytes", "ultima9/sappear.flx", "3", "limb 0/LOD 0", "faces", 9},
		{"### 6.6 Material, 18h bytes", "ultima9/sappear.flx", "3", "limb 0/LOD 0/material 0", "texture", 15},
		{"### 8.1 Header", "ultima9/terrain.9", "", "", "width", 7},
		{"### 9.2 Page, 1000h bytes", "ultima9/nonfixed.9", "", "page 0", "header", 9},
		{"### 9.3 Fixed object", "ultima9/fixed.9", "", "page 0", "objects", 5},
		{"### 9.4 Nonfixed entity", "ultima9/nonfixed.9", "", "page 0", "objects", 8},
		{"### 12.1 Record header", "ultima9/bell.snd", "", "", "id", 7},
	} {
		family, _, _ := strings.Cut(c.file, "/")
		t.Run(family+" "+strings.Trim(c.section, "# "), func(t *testing.T) {
			path := corpus.Testdata(t, filepath.FromSlash(c.file))
			m, err := explain.Source(new(engine.Loader), engine.Source{Path: path}, explain.Range{})
			if err != nil {
				t.Fatal(err)
			}
			base := startOf(m, c.entry, c.path, c.field)
			if base < 0 {
				t.Fatalf("there is no %s %s %s", c.entry, c.path, c.field)
			}
			items, checked := itemsOf(t, m), 0
			for _, r := range tableRows(t, family, c.section) {
				checked++
				at := base + r.offset
				for _, size := range r.sizes {
					to := at
					for to < at+size && items[to].to > to {
						to = items[to].to
					}
					if to != at+size {
						t.Errorf("%x %s: the reference has %d bytes at 0x%x, the reader ends at 0x%x", r.offset, r.text, size, at, to)
					}
					at += size
				}
				if _, ok := items[base+r.offset]; !ok {
					t.Errorf("%x %s: nothing begins at 0x%x", r.offset, r.text, base+r.offset)
				}
			}
			if checked != c.rows {
				t.Errorf("%d rows were checked, %d expected", checked, c.rows)
			}
		})
	}
}

// startOf returns the offset of a field; a * in the entry stands for any text. It is −1 when there is none.
func startOf(m *explain.Map, entry, path, field string) int64 {
	like := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(entry), `\*`, ".*") + "$")
	for i := range m.Spans {
		if s := &m.Spans[i]; like.MatchString(s.Entry) && s.Path == path && s.Field == field {
			return s.Offset
		}
	}
	return -1
}

// row is a row of a table whose offset and type are plain.
type row struct {
	offset int64
	sizes  []int64
	text   string
}

// tableRows returns the plain rows of the first table below a heading.
func tableRows(t *testing.T, family, section string) (rows []row) {
	text := string(corpus.Bytes(t, filepath.Join(corpus.Root(t), "schema", family, "README.md")))
	_, text, ok := strings.Cut(text, "\n"+section)
	if !ok {
		t.Fatalf("the reference has no section %q", section)
	}
	inside := false
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			if inside || strings.HasPrefix(line, "#") {
				return rows
			}
			continue
		}
		inside = true
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		offset, ok := plainOffset(cells[0])
		sizes := typeSizes(cells[1])
		if ok && sizes != nil {
			rows = append(rows, row{offset, sizes, strings.Join(cells[1:3], " ")})
		}
	}
	return rows
}

// plainOffset parses 12, 0Ch, and 0.
func plainOffset(s string) (int64, bool) {
	if hex, ok := strings.CutSuffix(s, "h"); ok {
		v, err := strconv.ParseInt(hex, 16, 64)
		return v, err == nil
	}
	v, err := strconv.ParseInt(s, 10, 64)
	return v, err == nil
}

var sizeOf = map[string]int64{
	"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "vec2": 8, "vec3": 12,
	"bool": 1, "char": 1, "WORD": 2, "DWORD": 4, "float": 4, "Color": 16, "bytes": 1,
}

var typeForms = []*regexp.Regexp{
	regexp.MustCompile(`^(?P<type>\w+)$`),
	regexp.MustCompile(`^(?P<type>\w+) ?[x×] ?(?P<n>\d+)$`),
	regexp.MustCompile(`^(?P<type>\w+)\[(?P<n>\d+)\]$`),
	regexp.MustCompile(`^(?P<n>\d+) (?P<type>bytes)$`),
	regexp.MustCompile(`^(?P<n>\d+)$`),
	regexp.MustCompile(`^(?P<n>[0-9A-F]+h)$`),
	regexp.MustCompile(`^(?P<n>\d+) x (?P<each>[0-9A-F]+h)$`),
}

// typeSizes returns the bytes of each part of a type such as "u8 x 2, u16"; nil for one whose size is not plain.
func typeSizes(text string) (sizes []int64) {
	for part := range strings.SplitSeq(text, ", ") {
		size := int64(0)
		for _, form := range typeForms {
			found := form.FindStringSubmatch(part)
			if found == nil {
				continue
			}
			n, each := int64(1), int64(1)
			for i, name := range form.SubexpNames() {
				switch name {
				case "n":
					n, _ = plainOffset(found[i])
				case "each":
					each, _ = plainOffset(found[i])
				case "type":
					each = sizeOf[found[i]]
				}
			}
			if size = n * each; size > 0 {
				break
			}
		}
		if size == 0 {
			return nil
		}
		sizes = append(sizes, size)
	}
	return sizes
}
