package page

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// TestAttributes: edited attributes arrive; those of a directory for a leaf, or of a leaf for a directory, are refused by name. An
// entry in the place of one that is gone has its own.
func TestAttributes(t *testing.T) {
	for _, c := range []struct {
		path, entry string // the path that the layout has for an entry, and that of the entry
		attributes  freelancer.Hash
		want        freelancer.Attributes
		refused     bool
	}{
		{"d/x", "d/x", 0x81, 0x81, false},
		{"d/x", "d/x", 0, 0, false},
		{"d/x", "d/x", 0x90, 0, true},
		{"d", "d", 0x30, 0x30, false},
		{"d", "d", 0x80, 0, true},
		{"", "", 0x80, 0, true},
		{"d/old", "d/x", 0x81, 0x81, false},
		{"d/old", "d/x", 0x90, 0x80, false},
	} {
		leaf := &freelancer.Node{Name: "x", Attributes: freelancer.File, Data: []byte("1")}
		root := freelancer.NewDir("\\", freelancer.NewDir("d", leaf))
		x := newPlaces(&pageLayout{Entries: []pageEntry{{Path: c.path, Attributes: &c.attributes}, {Path: ""}, {Path: "d"}}}) // the first of a path counts
		x.give(root, "", true)
		if c.refused {
			if schema.Class(x.err) != schema.ErrMismatch || !strings.Contains(x.err.Error(), "\""+c.path+"\"") {
				t.Errorf("%s with 0x%x: %v", c.path, uint32(c.attributes), x.err)
			}
			continue
		}
		if got := root.Find(c.entry).Attributes; got != c.want || x.err != nil {
			t.Errorf("%s with 0x%x: 0x%x, %v", c.path, uint32(c.attributes), got, x.err)
		}
	}
}

// TestFrames: frames that lack a number, or have one that the file cannot hold, are refused with their number.
func TestFrames(t *testing.T) {
	positions := &pageChannel{Interval: 1, Type: freelancer.Hash(freelancer.ChannelPosition)}
	turns := &pageChannel{Interval: 1, Type: freelancer.Hash(freelancer.ChannelVector)}
	for _, c := range []struct {
		channel *pageChannel
		rows    [][]float32
		size    int
		says    string
	}{
		{positions, [][]float32{{1, 2, 3}, {4, 5, 6}}, 24, ""},
		{positions, [][]float32{{1, 2, 3}, {4, 5}}, 0, "frame 1 has too few numbers"},
		{turns, [][]float32{{1, -32768, 32767}}, 6, ""},
		{turns, [][]float32{{1, 2, 32768}}, 0, "frame 0: 32768 is no whole number of 16 bits"},
		{turns, [][]float32{{1, 2, 0.5}}, 0, "frame 0: 0.5 is no whole number of 16 bits"},
	} {
		b, err := c.channel.bytes(c.rows)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || err == nil && len(b) != c.size {
			t.Errorf("%v: %d bytes, %v; want %d, %s", c.rows, len(b), err, c.size, c.says)
		}
	}
}

// TestKeptRaw: a leaf that is no longer what its name says is shown as bytes, and a warning says why.
func TestKeptRaw(t *testing.T) {
	ref := freelancer.NewLeaf("VMeshRef", []byte{1, 2, 3})
	root := freelancer.NewDir("\\", freelancer.NewDir("VMeshPart", ref))
	x := &pager{d: new(schema.Diagnostics)}
	p := &pageNode{Name: ref.Name}
	x.leaf(p, ref, root.Child("VMeshPart"), nil, "VMeshPart/VMeshRef")
	if !x.d.Has("kept-raw") || string(p.Hex) != "\x01\x02\x03" || p.Reference != nil {
		t.Errorf("%x, %v; said %v", p.Hex, p.Reference, x.d.All())
	}
}

// TestLayoutOfPage: a layout that says nothing is none; a size that no file has is refused by its name.
func TestLayoutOfPage(t *testing.T) {
	for _, c := range []struct {
		layout  *pageLayout
		size    int // −1 where the tree has no layout
		refused bool
	}{
		{nil, -1, false}, {&pageLayout{}, -1, false}, {&pageLayout{Size: 1}, 1, false}, {&pageLayout{Size: 4294967295}, 4294967295, false}, {&pageLayout{Residue: []freelancer.Span{}}, 0, false},
		{&pageLayout{Size: -1}, 0, true}, {&pageLayout{Size: 4294967296}, 0, true},
	} {
		tree, err := treeOfPage(&page{Root: &pageNode{}, Layout: c.layout})
		if c.refused {
			if schema.Class(err) != schema.ErrValue || !strings.Contains(err.Error(), "Layout.Size") {
				t.Errorf("%+v: %v", c.layout, err)
			}
			continue
		}
		if err != nil || (tree.Layout == nil) != (c.size < 0) || tree.Layout != nil && tree.Layout.Size != c.size {
			t.Errorf("%+v: %+v, %v", c.layout, tree, err)
		}
	}
	if _, err := treeOfPage(&page{}); schema.Class(err) != schema.ErrValue || !strings.Contains(err.Error(), "there is no root") {
		t.Errorf("without a root: %v", err)
	}
}
