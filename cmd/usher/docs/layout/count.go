package layout

import (
	"bytes"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// amount is how many there are of an item in one instance.
type amount struct {
	in      *instance
	n, size int64
	end     int64 // where the last one ends
	least   bool  // perhaps there are more
}

// agrees reports whether there may be n.
func (a *amount) agrees(n int64) bool { return a.n == n || a.least && n > a.n }

// fills reports whether the size may be that many bytes.
func (a *amount) fills(size int64) bool { return a.size == size || a.least && size > a.size }

func amounts(present, absent []*instance) (list []amount) {
	for _, x := range present {
		n := &x.nodes[x.next]
		list = append(list, amount{x, int64(n.n), n.size, n.at + n.size, n.least})
	}
	for _, x := range absent {
		list = append(list, amount{x, 0, 0, x.at, false})
	}
	return list
}

// countOf finds what tells how many there are of an item.
func countOf(x *Item, k key, numbers []Place, present, absent []*instance) (Count, bool) {
	list := amounts(present, absent)
	if fixed, same := fixedCount(list); same {
		return constant(x, k, fixed, numbers, list)
	}
	for _, find := range []func(*Item, []Place, []amount) (Count, bool){readCount, untilCount, zeroCount, restCount, productCount} {
		if c, ok := find(x, numbers, list); ok {
			return c, true
		}
	}
	return Count{}, false
}

// constant is the count of what is as often in all files. If a number says so, it is the number: where it is another one,
// the files were refused.
func constant(x *Item, k key, n int64, numbers []Place, list []amount) (Count, bool) {
	switch {
	case n == 1 && x.single(k):
		return Count{Kind: Once}, true
	case n == 0:
		return Count{}, false
	}
	for _, p := range numbers {
		if more, ok := follows(p, Read, list); ok && more == 0 {
			return Count{Kind: Read, Places: []Place{p}}, true
		}
		if v, same := sameNumber(p, list); same && v == -n {
			return Count{}, false
		}
	}
	c, rest := restCount(x, nil, list)
	switch {
	case rest && k.list:
		return c, true
	case x.data():
		return Count{}, false // how much there is of it follows from something
	}
	return Count{Kind: Fixed, Number: n}, true
}

// sameNumber is the number that all have at a place.
func sameNumber(p Place, list []amount) (n int64, same bool) {
	for i := range list {
		v, ok := list[i].in.number(p)
		if !ok || i > 0 && v != n {
			return 0, false
		}
		n = v
	}
	return n, len(list) > 0
}

// data reports whether an item is in a form of its own, such as packed pixels.
func (x *Item) data() bool {
	return len(x.Words) == 1 && !x.Words[0].numeric() && !slices.Contains([]string{schema.LayoutText, schema.LayoutWide, schema.LayoutBytes}, x.Words[0].Kind)
}

// single reports whether one of an item is just that: a number, or a record that has none.
func (x *Item) single(k key) bool {
	return x.Record != nil && !k.list || x.Record == nil && (len(x.Words) > 1 || x.Words[0].numeric())
}

// fixedCount is the number that all have.
func fixedCount(list []amount) (n int64, same bool) {
	n = -1
	for i := range list {
		if a := &list[i]; !a.least {
			if n >= 0 && a.n != n {
				return 0, false
			}
			n = a.n
		}
	}
	return n, n >= 0 && !slices.ContainsFunc(list, func(a amount) bool { return a.n > n })
}

// readCount looks for a number that is the count or the size, or differs from it by the same everywhere.
func readCount(x *Item, numbers []Place, list []amount) (Count, bool) {
	for _, p := range numbers {
		for _, kind := range []Kind{Read, Bytes} {
			if more, ok := follows(p, kind, list); ok {
				return Count{Kind: kind, Places: []Place{p}, Number: more}, true
			}
		}
	}
	return Count{}, false
}

// mostMore is the most that counts and sizes differ from the number that they follow, such as the size of a header.
const mostMore = 64

// follows reports whether counts or sizes are the number at a place and so many more.
func follows(p Place, kind Kind, list []amount) (more int64, ok bool) {
	known, seen := false, map[int64]bool{}
	for i := range list {
		a := &list[i]
		v, there := a.in.number(p)
		if !there {
			return 0, false
		}
		is, agrees := a.n, a.agrees
		if kind == Bytes {
			is, agrees = a.size, a.fills
		}
		switch {
		case a.least && !known:
		case !known:
			known, more = true, is-v
		case v+more < 0 && is == 0: // a number that is too small
		case !agrees(v + more):
			return 0, false
		}
		if !a.least {
			seen[is] = true
		}
	}
	return more, known && (more == 0 || len(seen) > 2 && more >= -mostMore && more <= mostMore)
}

// untilCount looks for a number that only the last record has.
func untilCount(x *Item, _ []Place, list []amount) (Count, bool) {
	for _, field := range x.Record {
		if !field.scalar() || field.If != nil {
			continue
		}
		p := Place{Item: field}
		if end, ok := lastNumber(p, list); ok && endsWith(p, end, list) {
			return Count{Kind: Until, Number: end, Places: []Place{p}}, true
		}
	}
	return Count{}, false
}

func lastNumber(p Place, list []amount) (int64, bool) {
	for i := range list {
		if a := &list[i]; !a.least {
			if a.n == 0 {
				return 0, false
			}
			return a.records()[a.n-1].number(p)
		}
	}
	return 0, false
}

// records are those of the item that was taken last, or comes next.
func (a *amount) records() []*instance { return a.in.nodes[a.in.next].record }

func endsWith(p Place, end int64, list []amount) bool {
	for i := range list {
		a := &list[i]
		if a.n == 0 {
			return false
		}
		for k, r := range a.records() {
			v, ok := r.number(p)
			last := int64(k) == a.n-1
			if ok && (v == end) != last && !(last && a.least) {
				return false
			}
		}
	}
	return true
}

// zeroCount reports whether a text ends with a byte that is 0.
func zeroCount(x *Item, _ []Place, list []amount) (Count, bool) {
	if len(x.Words) != 1 || x.Words[0].Kind != schema.LayoutText {
		return Count{}, false
	}
	ends := false
	for i := range list {
		a := &list[i]
		text := a.in.file.b[a.end-a.size : a.end]
		if at := bytes.IndexByte(text, 0); at != len(text)-1 || at < 0 {
			if at >= 0 || a.end != int64(len(a.in.file.b)) {
				return Count{}, false
			}
			continue
		}
		ends = true
	}
	return Count{Kind: Zero}, ends
}

// restCount reports whether an item goes up to the end of the file.
func restCount(x *Item, _ []Place, list []amount) (Count, bool) {
	for i := range list {
		a := &list[i]
		part := int64(max(x.Size(), 1))
		if a.n > 0 {
			part = max(part, a.in.nodes[a.in.next].part)
		}
		if int64(len(a.in.file.b))-a.end >= part && !a.least {
			return Count{}, false
		}
	}
	return Count{Kind: Rest}, true
}

// productCount looks for two numbers that make the count or the size when they are multiplied.
func productCount(x *Item, numbers []Place, list []amount) (Count, bool) {
	for i, p := range numbers {
		for _, q := range numbers[i+1:] {
			for _, kind := range []Kind{Read, Bytes} {
				if isProduct(p, q, kind, list) {
					return Count{Kind: kind, Places: []Place{p, q}}, true
				}
			}
		}
	}
	return Count{}, false
}

func isProduct(p, q Place, kind Kind, list []amount) bool {
	for i := range list {
		a := &list[i]
		v, ok := a.in.number(p)
		w, ok2 := a.in.number(q)
		agrees := a.agrees
		if kind == Bytes {
			agrees = a.fills
		}
		if !ok || !ok2 || !agrees(v*w) {
			return false
		}
	}
	return true
}

// conditionOf finds a number that tells those who have an item from those who have not.
func conditionOf(numbers []Place, present, absent []*instance) *Condition {
	for _, p := range numbers {
		yes, no := valuesAt(p, present), valuesAt(p, absent) // where the number is not there, the item is not either
		if len(yes) < len(present) || len(no) == 0 {
			continue
		}
		for _, c := range conditions(p, yes, no, alike(absent)) {
			wrong := func(want bool) func(int64) bool { return func(v int64) bool { return c.Holds(v) != want } }
			if !slices.ContainsFunc(yes, wrong(true)) && !slices.ContainsFunc(no, wrong(false)) {
				return &c
			}
		}
	}
	return nil
}

// alike reports whether the same comes next in all.
func alike(all []*instance) bool {
	var first key // none where nothing comes
	for i, x := range all {
		var k key
		if x.next < len(x.nodes) {
			k = x.nodes[x.next].key
		}
		if i == 0 {
			first = k
		} else if k != first {
			return false
		}
	}
	return true
}

// conditions are those that may tell the numbers of those who have an item from the numbers of those who have not.
// Single numbers do if all those who have it not have the same instead; otherwise other numbers may be for something else.
func conditions(p Place, yes, no []int64, alike bool) (list []Condition) {
	list = append(list, Condition{p, Unequal, 0})
	if alike {
		list = append(list, Condition{p, Equal, yes[0]}, Condition{p, Unequal, no[0]})
	}
	for bit := range 32 {
		list = append(list, Condition{p, HasBit, 1 << bit})
	}
	// A bound is one only where both sides of it were seen.
	if low, high := slices.Max(no), slices.Min(yes); low+1 == high {
		list = append(list, Condition{p, AtLeast, high})
	}
	if low, high := slices.Max(yes), slices.Min(no); low+1 == high {
		list = append(list, Condition{p, LessThan, high})
	}
	return list
}

func valuesAt(p Place, all []*instance) (list []int64) {
	for _, x := range all {
		if v, ok := x.number(p); ok {
			list = append(list, v)
		}
	}
	return list
}
