package docs

import (
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/docs/layout"
	"github.com/usher-assets/usher/convert/engine"
)

// pattern reads files as a pattern for ImHex says: as much of that language as is written here.
type pattern struct {
	structs map[string][]string // lines
	b       []byte
	at      int
	runs    [][2]int // offset and size of each member
}

// scope has the numbers of a structure.
type scope struct {
	values map[string]any // int64, or *scope
	ended  bool           // by break
}

var widths = map[string]int{"u8": 1, "s8": 1, "u16": 2, "s16": 2, "u32": 4, "s32": 4, "u64": 8, "float": 4, "char": 1, "char16": 2}

var memberForm = regexp.MustCompile(`^(\w+) (\w+)(?:\[(.*)\])?;`)

func parsePattern(t *testing.T, text string) (p *pattern, top string) {
	t.Helper()
	p = &pattern{structs: map[string][]string{}}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.Split(line, " // ")[0])
		switch {
		case line == "" || strings.HasPrefix(line, "#pragma") || strings.HasPrefix(line, "//") || line == "import std.mem;":
		case strings.HasPrefix(line, "struct "):
			name = strings.Fields(line)[1]
			if p.structs[name] != nil {
				t.Fatalf("two structures %s", name)
			}
			p.structs[name] = []string{}
		case line == "};":
			name = ""
		case name != "":
			p.structs[name] = append(p.structs[name], line)
		case strings.HasSuffix(line, " file @ 0x00;"):
			top = strings.Fields(line)[0]
		default:
			t.Fatalf("nobody understands %q", line)
		}
	}
	return p, top
}

// structure reads one; outer is the structure that it belongs to.
func (p *pattern) structure(name string, outer *scope) (*scope, error) {
	s := &scope{values: map[string]any{"parent": outer}}
	skip := 0 // lines of a block whose condition fails, the next line alone if it is -1
	for _, line := range p.structs[name] {
		switch {
		case skip > 0 && line == "}":
			skip--
		case skip > 0 && strings.HasSuffix(line, "{"):
			skip++
		case skip > 0 || line == "}":
		case skip < 0:
			skip = 0
		case strings.HasPrefix(line, "if ("):
			block := strings.HasSuffix(line, "{")
			v, err := s.eval(strings.TrimSuffix(strings.TrimPrefix(line, "if "), "{"), p)
			if err != nil {
				return nil, err
			}
			if v == 0 && block {
				skip = 1
			} else if v == 0 {
				skip = -1
			}
		case line == "break;":
			s.ended = true
		case line == "padding[1];": // it belongs to the text before it
			p.at++
			p.runs[len(p.runs)-1][1]++
		default:
			if err := p.member(line, s); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, line, err)
			}
		}
	}
	return s, nil
}

func (p *pattern) member(line string, s *scope) error {
	m := memberForm.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("no member")
	}
	kind, name, count := m[1], m[2], m[3]
	start := p.at
	more := func(i int) (bool, error) { return i == 0, nil }
	if loop, ok := strings.CutPrefix(count, "while"); ok {
		more = func(int) (bool, error) { v, err := s.eval(loop, p); return v != 0, err }
	} else if count != "" {
		n, err := s.eval(count, p)
		if err != nil {
			return err
		}
		more = func(i int) (bool, error) { return int64(i) < n, nil }
	}
	for i := 0; ; i++ {
		if ok, err := more(i); !ok || err != nil || p.at == len(p.b) && count == "while(true)" {
			if p.structs[kind] == nil && p.at > start || err != nil {
				p.runs = append(p.runs, [2]int{start, p.at - start})
			}
			return err
		}
		if size := widths[kind]; size > 0 {
			if p.at+size > len(p.b) {
				return fmt.Errorf("the file ends")
			}
			var word [8]byte
			copy(word[:], p.b[p.at:p.at+size])
			v := int64(binary.LittleEndian.Uint64(word[:]))
			if kind[0] == 's' {
				v = v << (64 - 8*size) >> (64 - 8*size)
			}
			s.values[name] = v
			p.at += size
			continue
		}
		if p.structs[kind] == nil {
			return fmt.Errorf("no type %s", kind)
		}
		inner, err := p.structure(kind, s)
		if err != nil {
			return err
		}
		if s.values[name] = inner; inner.ended {
			return nil
		}
	}
}

var token = regexp.MustCompile(`std::mem::eof\(\)|std::mem::read_unsigned\(\$, 1\)|0x[0-9a-f]+|[0-9]+|[A-Za-z_][\w.]*|&&|==|!=|>=|[-+*/&<!()]`)

// eval works out an expression: operators from the weakest to the strongest.
func (s *scope) eval(text string, p *pattern) (int64, error) {
	e := &expression{token.FindAllString(text, -1), s, p, nil}
	v := e.binary(0)
	if e.err == nil && len(e.tokens) > 0 {
		e.err = fmt.Errorf("%q is left over of %q", e.tokens, text)
	}
	return v, e.err
}

type expression struct {
	tokens []string
	s      *scope
	p      *pattern
	err    error
}

var operators = [][]string{{"&&"}, {"==", "!=", ">=", "<"}, {"&"}, {"+", "-"}, {"*", "/"}}

func (e *expression) binary(level int) int64 {
	if level == len(operators) {
		return e.unary()
	}
	a := e.binary(level + 1)
	for len(e.tokens) > 0 && slices.Contains(operators[level], e.tokens[0]) {
		op := e.tokens[0]
		e.tokens = e.tokens[1:]
		a = apply(op, a, e.binary(level+1))
	}
	return a
}

func apply(op string, a, b int64) int64 {
	truth := map[string]bool{"&&": a != 0 && b != 0, "==": a == b, "!=": a != b, ">=": a >= b, "<": a < b}
	if v, ok := truth[op]; ok {
		if v {
			return 1
		}
		return 0
	}
	switch op {
	case "&":
		return a & b
	case "+":
		return a + b
	case "-":
		return a - b
	case "/":
		return a / max(b, 1)
	}
	return a * b
}

func (e *expression) unary() int64 {
	if len(e.tokens) == 0 {
		e.err = fmt.Errorf("an expression ends too early")
		return 0
	}
	t := e.tokens[0]
	e.tokens = e.tokens[1:]
	switch {
	case t == "!":
		return 1 - e.unary()
	case t == "(":
		v := e.binary(0)
		if len(e.tokens) > 0 {
			e.tokens = e.tokens[1:]
		}
		return v
	case t == "true":
		return 1
	case t == "std::mem::eof()":
		return apply("==", int64(e.p.at), int64(len(e.p.b)))
	case strings.HasPrefix(t, "std::mem::read"):
		return int64((append(slices.Clone(e.p.b[e.p.at:]), 0))[0])
	case t[0] >= '0' && t[0] <= '9':
		v, _ := strconv.ParseInt(t, 0, 64)
		return v
	}
	return e.s.find(strings.Split(t, "."), e)
}

// find returns the number of a name; of what is not there it is 0, because a condition before it tells.
func (s *scope) find(names []string, e *expression) int64 {
	v := s.values[names[0]]
	if inner, ok := v.(*scope); ok && len(names) > 1 {
		return inner.find(names[1:], e)
	}
	n, _ := v.(int64)
	return n
}

// TestImHexPatterns: each pattern, read by the rules of its language, finds in each file the fields that the layout has, byte for byte.
func TestImHexPatterns(t *testing.T) {
	all, err := samplesOf(context.Background(), new(engine.Loader), testdata(t))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for name, l := range layouts(t) {
		text := l.ImHex(&layout.About{Name: name, Anchor: func(string) string { return "ref" }})
		p, top := parsePattern(t, text)
		for _, s := range all[name] {
			fields, err := l.Fields(s.Bytes)
			if err != nil || top == "" {
				continue
			}
			p.b, p.at, p.runs = s.Bytes, 0, nil
			if _, err := p.structure(top, nil); err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
				break
			}
			var want [][2]int
			for _, f := range fields {
				want = append(want, [2]int{int(f.Offset), int(f.Size)})
			}
			if !slices.Equal(p.pieces(fields), want) {
				t.Errorf("%s: the pattern has %v, the layout %v", name, p.runs, want)
				break
			}
			read++
		}
	}
	if read < 200 {
		t.Errorf("%d files", read)
	}
}

// pieces joins the members that are one field: values of several parts each.
func (p *pattern) pieces(fields []layout.Field) (list [][2]int) {
	i := 0
	for _, f := range fields {
		piece := [2]int{int(f.Offset), 0}
		for i < len(p.runs) && p.runs[i][0] < int(f.Offset+f.Size) && p.runs[i][0] == piece[0]+piece[1] {
			piece[1] += p.runs[i][1]
			i++
		}
		list = append(list, piece)
	}
	if i < len(p.runs) {
		list = append(list, p.runs[i])
	}
	return list
}

// TestKaitaiNames: a description for Kaitai has the names of the layout, in its order, each type once, and types for what refers to them.
func TestKaitaiNames(t *testing.T) {
	id := regexp.MustCompile(`(?m)^ *- id: (\S+)$`)
	for name, l := range layouts(t) {
		text := l.Kaitai(&layout.About{Name: name, Title: name, Anchor: func(string) string { return "" }})
		ids := map[string]int{}
		for _, m := range id.FindAllStringSubmatch(text, -1) {
			ids[m[1]]++
		}
		var walk func(items []*layout.Item)
		walk = func(items []*layout.Item) {
			for _, x := range items {
				if ids[x.ID] == 0 {
					t.Errorf("%s: %s is missing", name, x.ID)
				}
				walk(x.Record)
			}
		}
		walk(l.Items)
		types := map[string]bool{"str": true, "strz": true}
		for _, w := range strings.Fields("u1 s1 u2 s2 u4 s4 u8 f4") {
			types[w] = true
		}
		for _, m := range regexp.MustCompile(`(?m)^  ([a-z]\w*):$`).FindAllStringSubmatch(text, -1) {
			if types[m[1]] {
				t.Errorf("%s: type %s is there twice", name, m[1])
			}
			types[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`(?m)^ +type: (\S+)$`).FindAllStringSubmatch(text, -1) {
			if !types[m[1]] {
				t.Errorf("%s: no type %s", name, m[1])
			}
		}
	}
}

// TestLearnedTables: of the formats whose files are tables of records the layout is whole.
func TestLearnedTables(t *testing.T) {
	all := layouts(t)
	for _, name := range strings.Fields("u9-npc u9-activity u9-area u9-space u9-treedat u9-trigger u9-highway u9-sfxassoc u9-sfxcat u9-sfxenv u9-sfxtmpl " +
		"u9-anim u9-sound u9-book u9-textdat u9-start flx vmeshref unreal-mesh-data") {
		if l := all[name]; l == nil || !l.Whole {
			t.Errorf("%s is not whole", name)
		}
	}
	for name, want := range map[string]string{
		"u9-space":       "plane 4 0 next_plane if plane_sentinel != 0",
		"u9-anim":        "frames 2 0 frame_count",
		"u9-activity":    "step 4 255 opcode",
		"vmesh":          "group 2 0 group_count",
		"unreal-package": "guid 1 16  if version >= 68",
		"u9-area":        "unknown00 0 0  if flags & 2",
	} {
		if got := rules(all[name].Items); !slices.Contains(got, want) {
			t.Errorf("%s: %q is not in %q", name, want, got)
		}
	}
}

// rules are the counts and conditions of items.
func rules(items []*layout.Item) (list []string) {
	for _, x := range items {
		s := fmt.Sprintf("%s %d %d ", x.ID, x.Count.Kind, x.Count.Number)
		for _, p := range x.Count.Places {
			s += p.Item.ID
		}
		if c := x.If; c != nil {
			s += fmt.Sprintf(" if %s %s %d", c.Place.Item.ID, c.Test, c.Number)
		}
		list = append(append(list, s), rules(x.Record)...)
	}
	return list
}
