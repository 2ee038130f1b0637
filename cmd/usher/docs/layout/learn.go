package layout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// Learn finds the layout that all samples have.
func Learn(samples []Sample) *Layout {
	slices.SortStableFunc(samples, func(a, b Sample) int { return cmp.Compare(len(a.Bytes), len(b.Bytes)) })
	l, files := &Layout{}, []*instance(nil)
	var pieces []*instance
	for i, s := range samples {
		x, loose, warnings := s.run(s.Bytes, false, 0)
		if len(x.nodes) == 0 {
			continue
		}
		l.Files++
		files = append(files, x)
		pieces = append(pieces, looseRecords(loose, x.file)...)
		if i >= mostAltered {
			continue
		}
		trace := spansOf(&s)
		alterations(s.Bytes, trace, mostNoted/mostAltered/len(trace), func(b []byte) {
			x, _, _ := s.run(b, true, warnings)
			files = append(files, x)
			l.Altered++
		})
	}
	t := &learner{layout: l}
	l.Items, l.Whole = t.items(nil, files)
	t.loose(pieces)
	return l
}

func spansOf(s *Sample) []schema.Span {
	trace, d := new(schema.Trace), new(schema.Diagnostics)
	trace.Place(s.Bytes, 0)
	d.Record(trace)
	_ = s.Read(s.Bytes, d)
	return trace.Spans
}

// learner finds a layout.
type learner struct{ layout *Layout }

// items finds what follows each other in the instances of a record. It is whole if nothing is left over in any.
func (t *learner) items(scope []*Item, all []*instance) (list []*Item, whole bool) {
	taken := map[string]bool{}
	for _, x := range all {
		x.begin()
	}
	for {
		all = slices.DeleteFunc(slices.Clone(all), func(x *instance) bool { return x.next == len(x.nodes) && !x.ended })
		if !slices.ContainsFunc(all, func(x *instance) bool { return !x.file.altered }) {
			return list, false
		}
		keys := nextKeys(all)
		if len(keys) == 0 {
			return list, true
		}
		var found *Item
		for _, k := range keys {
			if found = t.item(append(scope, &Item{Record: list}), k, all); found != nil {
				break
			}
		}
		if found == nil {
			return list, false
		}
		found.ID = identifier(found.Name)
		for n := 2; taken[found.ID]; n++ {
			found.ID = fmt.Sprintf("%s_%d", identifier(found.Name), n)
		}
		taken[found.ID] = true
		list = append(list, found)
	}
}

// nextKeys are the keys of what comes next.
func nextKeys(all []*instance) (list []key) {
	for _, x := range all {
		if x.next < len(x.nodes) && !slices.Contains(list, x.nodes[x.next].key) {
			list = append(list, x.nodes[x.next].key)
		}
	}
	return list
}

// split tells who has a key next. It fails if somebody who has it not has it later.
func split(k key, all []*instance) (present, absent []*instance, ok bool) {
	for _, x := range all {
		switch {
		case x.next < len(x.nodes) && x.nodes[x.next].key == k:
			present = append(present, x)
		case slices.ContainsFunc(x.nodes[x.next:], func(n node) bool { return n.key == k }):
			return nil, nil, false
		default:
			absent = append(absent, x)
		}
	}
	return present, absent, true
}

// item is the item of a key, if there are rules for when it is there and how many there are of it; otherwise nil. The last
// of the scope is the record that it belongs to.
func (t *learner) item(scope []*Item, k key, all []*instance) *Item {
	present, absent, ok := split(k, all)
	if !ok {
		return nil
	}
	x := &Item{Name: k.name, Words: words(k.layout)}
	if k.layout == "" {
		var inner []*instance
		for _, p := range present {
			inner = append(inner, p.nodes[p.next].record...)
		}
		var whole bool
		if x.Record, whole = t.items(scope, inner); !whole {
			return nil
		}
	}
	fixed := func() bool { return k.list && x.Count.Kind == Fixed && hasIndex(scope) }
	if !x.explain(k, numbersIn(scope), present, absent) || fixed() {
		return t.unplaced(x)
	}
	for _, p := range present {
		p.take(x)
	}
	return x
}

// explain finds the count and the condition of an item.
func (x *Item) explain(k key, numbers []Place, present, absent []*instance) (ok bool) {
	if len(absent) == 0 {
		x.Count, ok = countOf(x, k, numbers, present, nil)
		return ok
	}
	once, single := countOf(x, k, numbers, present, nil)
	if !single || once.Kind != Once {
		if x.Count, ok = countOf(x, k, numbers, present, absent); ok {
			return true
		}
	}
	x.If, x.Count = conditionOf(numbers, present, absent), once
	return single && x.If != nil && !x.doubtful()
}

// doubtful reports whether it may be chance that there are as many of an item in all files that have it: there were some with
// one number only, and that could be the count with something added.
func (x *Item) doubtful() bool {
	more := x.If.Number - x.Count.Number
	return x.If.Test == Equal && x.Count.Kind == Fixed && (x.Record != nil || x.Words[0].numeric()) && more >= -mostMore && more <= mostMore
}

// hasIndex reports whether there are compact indices among items, which can be counts without being numbers that are looked at.
func hasIndex(items []*Item) bool {
	return slices.ContainsFunc(items, func(x *Item) bool {
		return len(x.Words) == 1 && x.Words[0].Kind == schema.LayoutIndex || hasIndex(x.Record)
	})
}

// unplaced notes a record that is known while its number is not.
func (t *learner) unplaced(x *Item) *Item {
	if x.Record != nil && !refersOut(x.Record, 0) && !slices.ContainsFunc(t.layout.Records, func(y *Item) bool { return y.Name == x.Name }) {
		x.If, x.ID = nil, identifier(x.Name)
		t.layout.Records = append(t.layout.Records, x)
	}
	return nil
}

// refersOut reports whether items need numbers that stand further out than so many records.
func refersOut(items []*Item, depth int) bool {
	return slices.ContainsFunc(items, func(x *Item) bool {
		out := func(p Place) bool { return p.Up > depth }
		return x.If != nil && out(x.If.Place) || x.Count.Kind != Until && slices.ContainsFunc(x.Count.Places, out) || refersOut(x.Record, depth+1)
	})
}

// begin moves to the first node.
func (x *instance) begin() {
	x.next, x.numbers, x.inner = 0, map[*Item]int64{}, map[*Item]*frame{}
	if len(x.nodes) > 0 {
		x.at = x.nodes[0].at
	}
}

// take moves behind the next node, which is item i.
func (x *instance) take(i *Item) {
	n := &x.nodes[x.next]
	x.next++
	x.at = n.at + n.size
	if i.scalar() {
		x.numbers[i] = i.number(x.file.b[n.at : n.at+n.size])
	}
	if i.Record != nil && i.Count.Kind == Once {
		x.inner[i] = &n.record[0].frame
	}
}

// numbersIn are the numbers that an item of a scope can refer to, the nearest first.
func numbersIn(scope []*Item) (list []Place) {
	for up := range scope {
		list = appendNumbers(list, scope[len(scope)-1-up].Record, up, nil)
	}
	return list
}

func appendNumbers(list []Place, record []*Item, up int, in []*Item) []Place {
	for _, x := range slices.Backward(record) {
		switch {
		case x.scalar():
			list = append(list, Place{up, x, in})
		case x.Record != nil && x.Count.Kind == Once:
			list = appendNumbers(list, x.Record, up, append(slices.Clone(in), x))
		}
	}
	return list
}

// looseRecords are the records of spans that lie somewhere, each with what lies behind its first field without a gap.
func looseRecords(spans []schema.Span, f *file) (list []*instance) {
	for i := 0; i < len(spans); {
		end := i + 1
		for end < len(spans) && spans[end].Path == spans[i].Path && spans[end].Offset == spans[end-1].Offset+spans[end-1].Size {
			end++
		}
		if label, _, ok := step(spans[i].Path, strings.Count(spans[i].Path, "/")); ok && end-i > 1 {
			x := &instance{file: f, ended: true}
			x.build(joined(spans[i:end]), strings.Count(spans[i].Path, "/")+1)
			list = append(list, &instance{file: f, nodes: []node{{key: key{name: label}, record: []*instance{x}}}})
		}
		i = end
	}
	return list
}

// loose describes records that lie somewhere, where all are alike.
func (t *learner) loose(pieces []*instance) {
	byName := map[string][]*instance{}
	var names []string
	for _, p := range pieces {
		name := p.nodes[0].name
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], p.nodes[0].record...)
	}
	for _, name := range names {
		if slices.ContainsFunc(t.layout.Records, func(x *Item) bool { return x.Name == name }) {
			continue
		}
		u := &learner{layout: &Layout{}}
		if items, whole := u.items(nil, byName[name]); whole && len(items) > 1 && len(byName[name]) > 1 {
			t.layout.Records = append(t.layout.Records, &Item{Name: name, ID: identifier(name), Record: items})
		}
	}
}
