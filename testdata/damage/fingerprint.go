package damage

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// of FNV-1a
const (
	basis = 14695981039346656037
	prime = 1099511628211
)

// Fingerprint hashes all values that v leads to; functions apart.
func Fingerprint(v any) uint64 {
	p := &printer{hash: basis}
	p.value(reflect.ValueOf(v))
	return p.hash
}

// printer has the FNV-1a hash of what it printed. It is its own, without the calls that tests make millions of.
type printer struct {
	hash uint64
	seen map[uintptr]bool
}

func (p *printer) number(n uint64) {
	for range 8 {
		p.hash = (p.hash ^ n&0xFF) * prime
		n >>= 8
	}
}

func (p *printer) text(s string) {
	for i := range len(s) {
		p.hash = (p.hash ^ uint64(s[i])) * prime
	}
}

func (p *printer) bytes(b []byte) {
	for _, x := range b {
		p.hash = (p.hash ^ uint64(x)) * prime
	}
}

func (p *printer) value(v reflect.Value) {
	p.number(uint64(v.Kind()))
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			p.number(1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		p.float(v.Float())
	case reflect.String:
		p.number(uint64(v.Len()))
		p.text(v.String())
	case reflect.Array, reflect.Slice:
		p.list(v)
	case reflect.Map:
		p.table(v)
	case reflect.Struct:
		for i := range v.NumField() { // a new field that is empty changes nothing
			if !v.Field(i).IsZero() {
				p.text(v.Type().Field(i).Name)
				p.value(v.Field(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() && !p.seen[v.Pointer()] {
			if p.seen == nil {
				p.seen = map[uintptr]bool{}
			}
			p.seen[v.Pointer()] = true
			p.value(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			p.text(v.Elem().Type().String())
			p.value(v.Elem())
		}
	}
}

// float rounds to what all processors agree about.
func (p *printer) float(x float64) {
	if x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) {
		digits := math.Pow(2, 40-math.Ceil(math.Log2(math.Abs(x))))
		if scaled := x * digits; !math.IsInf(scaled, 0) && digits != 0 && !math.IsInf(digits, 0) {
			x = math.Round(scaled) / digits
		}
	}
	if x == 0 || math.IsNaN(x) {
		x = math.Abs(x)
	}
	p.number(math.Float64bits(x))
}

func (p *printer) list(v reflect.Value) {
	p.number(uint64(v.Len()))
	if v.Type().Elem().Kind() == reflect.Uint8 && (v.Kind() == reflect.Slice || v.CanAddr()) {
		p.bytes(v.Bytes())
		return
	}
	for i := range v.Len() {
		p.value(v.Index(i))
	}
}

// spans is value for what a trace notes, of which there is much.
func (p *printer) spans(list []schema.Span) {
	for i := range list {
		s := &list[i]
		p.number(uint64(s.Offset))
		p.number(uint64(s.Size) ^ uint64(s.Count)<<32)
		p.text(s.Path)
		p.text(s.Field)
		p.text(s.Layout)
		p.text(s.Means)
	}
}

func (p *printer) table(v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, k := range keys {
		p.value(k)
		p.value(v.MapIndex(k))
	}
}
