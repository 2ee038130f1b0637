package json

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/usher-assets/usher/schema"
)

// parser reads JSON text and latches the first error.
type parser struct {
	b     []byte
	i     int
	depth int
	path  []step
	d     *schema.Diagnostics
	page  CodePage // of strings; nil takes them as they are
	err   error
}

func newParser(b []byte) *parser {
	return &parser{b: bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF"))} // some editors put a byte order mark in front
}

func (p *parser) fail(class error, msg string, args ...any) {
	if p.err != nil {
		return
	}
	line := 1 + bytes.Count(p.b[:min(p.i, len(p.b))], []byte{'\n'})
	p.err = &schema.FormatError{
		Format: name, Path: pathText(p.path), Offset: int64(p.i), Class: class,
		Msg: fmt.Sprintf("line %d: ", line) + fmt.Sprintf(msg, args...),
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.err != nil {
		return 0
	}
	for p.i < len(p.b) {
		switch c := p.b[p.i]; c {
		case ' ', '\t', '\r', '\n':
			p.i++
		default:
			return c
		}
	}
	return 0
}

// unexpected fails at the next byte.
func (p *parser) unexpected(want string) {
	if p.i >= len(p.b) {
		p.fail(schema.ErrTruncated, "the text ends where %s should be", want)
		return
	}
	end := min(p.i+16, len(p.b))
	found, _, _ := bytes.Cut(p.b[p.i:end], []byte{'\n'})
	p.fail(schema.ErrValue, "found %q, expected %s", found, want)
}

func (p *parser) expect(c byte) {
	if p.peek() != c {
		p.unexpected(strconv.QuoteRune(rune(c)))
		return
	}
	p.i++
}

// key reads a key that has to be there.
func (p *parser) key(want string) {
	p.peek()
	at := p.i
	if got := p.str(); p.err == nil && got != want {
		p.i = at
		p.fail(schema.ErrValue, "found key %q, expected %q", got, want)
	}
	p.expect(':')
}

// optional reads a text with a key that may be missing, and the comma after it.
func (p *parser) optional(key string) (text string) {
	p.peek()
	at := p.i
	if got := p.str(); p.err != nil || got != key {
		p.i = at
		return ""
	}
	p.expect(':')
	text = p.str()
	p.expect(',')
	return text
}

// text reads a string of a value.
func (p *parser) text() string {
	p.peek()
	at := p.i
	s := p.str()
	if p.page == nil || p.err != nil {
		return s
	}
	text, err := p.page.Take(s)
	if err != nil {
		p.i = at
		p.fail(schema.ErrValue, "%v", err)
	}
	return text
}

// end checks that nothing follows.
func (p *parser) end() {
	if p.peek(); p.err == nil && p.i < len(p.b) {
		p.unexpected("the end")
	}
}

func (p *parser) word(w string) {
	if p.peek(); p.err != nil {
		return
	}
	if !bytes.HasPrefix(p.b[p.i:], []byte(w)) {
		if strings.HasPrefix(w, string(p.b[p.i:])) {
			p.i = len(p.b)
		}
		p.unexpected(w)
		return
	}
	p.i += len(w)
}

// null steps over null and reports whether it was there.
func (p *parser) null() bool {
	if p.peek() != 'n' {
		return false
	}
	p.word("null")
	return p.err == nil
}

func (p *parser) boolean() bool {
	if p.peek() == 't' {
		p.word("true")
		return p.err == nil
	}
	p.word("false")
	return false
}

// number returns the text of a number, in JSON's grammar.
func (p *parser) number() []byte {
	p.peek()
	if p.err != nil {
		return nil
	}
	start := p.i
	at := func(set string) bool { return p.i < len(p.b) && strings.IndexByte(set, p.b[p.i]) >= 0 }
	digits := func() (ok bool) {
		for p.i < len(p.b) && p.b[p.i] >= '0' && p.b[p.i] <= '9' {
			p.i++
			ok = true
		}
		return ok
	}
	if at("-") {
		p.i++
	}
	zero := at("0")
	first := p.i
	ok := digits() && (!zero || p.i == first+1)
	if ok && at(".") {
		p.i++
		ok = digits()
	}
	if ok && at("eE") {
		p.i++
		if at("+-") {
			p.i++
		}
		ok = digits()
	}
	if !ok {
		if p.i < len(p.b) {
			p.i = start
		}
		p.unexpected("a number")
		return nil
	}
	return p.b[start:p.i]
}

func (p *parser) float32() float32 {
	if p.peek() == '"' {
		bits := p.specialBits(p.str(), 32)
		return math.Float32frombits(uint32(bits))
	}
	text := p.number()
	if p.err != nil {
		return 0
	}
	f, err := strconv.ParseFloat(string(text), 32)
	if err != nil {
		p.fail(schema.ErrRange, "%s does not fit into a float of 32 bits", text)
	}
	return float32(f)
}

func (p *parser) float64() float64 {
	if p.peek() == '"' {
		return p.specialFloat(p.str(), 64)
	}
	text := p.number()
	if p.err != nil {
		return 0
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		p.fail(schema.ErrRange, "%s does not fit into a float of 64 bits", text)
	}
	return f
}

func (p *parser) specialFloat(text string, size int) float64 {
	return math.Float64frombits(p.specialBits(text, size))
}

// specialBits returns the bits of "inf", "-inf" and "nan:0x…".
func (p *parser) specialBits(text string, size int) uint64 {
	bits := func(f float64) uint64 {
		if size == 32 {
			return uint64(math.Float32bits(float32(f)))
		}
		return math.Float64bits(f)
	}
	switch text {
	case "inf":
		return bits(math.Inf(1))
	case "-inf":
		return bits(math.Inf(-1))
	}
	if digits, ok := strings.CutPrefix(text, "nan:0x"); ok {
		v, err := strconv.ParseUint(digits, 16, size)
		nan := err == nil && v&^(1<<(size-1)) > bits(math.Inf(1))
		if nan {
			return v
		}
	}
	p.fail(schema.ErrValue, "%q is no float: expected a number, inf, -inf, or nan:0x and %d digits", text, size/4)
	return 0
}

func (p *parser) str() string { return string(p.bytes()) }

// bytes reads a string. The result aliases the text when nothing in it is escaped.
func (p *parser) bytes() []byte {
	if p.peek() != '"' {
		p.unexpected("a string")
		return nil
	}
	p.i++
	start, escaped := p.i, false
	for p.i < len(p.b) && p.b[p.i] != '"' {
		switch c := p.b[p.i]; {
		case c == '\\':
			escaped = true
			p.i++
		case c < ' ':
			p.unexpected("a string without control characters")
			return nil
		}
		p.i++
	}
	if p.i >= len(p.b) {
		p.i = len(p.b)
		p.unexpected("the end of a string")
		return nil
	}
	s := p.b[start:p.i]
	if !utf8.Valid(s) {
		p.fail(schema.ErrValue, "%q is not UTF-8", s)
		return nil
	}
	if escaped {
		s = p.unescape(s)
	}
	p.i++
	return s
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *parser) unescape(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		i++ // the caller saw to it that something follows
		if s[i] == 'u' {
			r, n := unicode(s[i-1:])
			if n == 0 {
				p.fail(schema.ErrValue, "bad \\u escape in %q", s)
				return nil
			}
			out = utf8.AppendRune(out, r)
			i += n - 2
			continue
		}
		c, ok := escapes[s[i]]
		if !ok {
			p.fail(schema.ErrValue, "unknown escape in %q", s)
			return nil
		}
		out = append(out, c)
	}
	return out
}

// unicode returns the character of one escape at the start of s, or of a pair of surrogates, and its length.
func unicode(s []byte) (r rune, n int) {
	unit := func(s []byte) rune {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return -1
		}
		v, err := strconv.ParseUint(string(s[2:6]), 16, 16)
		if err != nil {
			return -1
		}
		return rune(v)
	}
	r = unit(s)
	if r < 0 {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if r = utf16.DecodeRune(r, unit(s[6:])); r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// elements reads an array and calls f before each element, which f reads.
func (p *parser) elements(f func(i int)) {
	p.expect('[')
	if p.peek() == ']' {
		p.i++
		return
	}
	p.path = append(p.path, step{})
	for i := 0; p.err == nil; i++ {
		p.path[len(p.path)-1].index = i
		f(i)
		if p.peek() == ']' {
			p.i++
			break
		}
		p.separator("']'")
	}
	p.path = p.path[:len(p.path)-1]
}

// members reads an object and calls f at each value, which f reads.
func (p *parser) members(f func(key string)) {
	p.expect('{')
	if p.peek() == '}' {
		p.i++
		return
	}
	p.path = append(p.path, step{"", -1})
	for p.err == nil {
		key := p.str()
		p.path[len(p.path)-1].name = key
		p.expect(':')
		if p.err == nil {
			f(key)
		}
		if p.peek() == '}' {
			p.i++
			break
		}
		p.separator("'}'")
	}
	p.path = p.path[:len(p.path)-1]
}

func (p *parser) separator(end string) {
	if p.peek() == ',' {
		p.i++
		return
	}
	p.unexpected("',' or " + end)
}
