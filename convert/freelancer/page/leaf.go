package page

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// pageNode is an entry as JSON shows it: a directory has children, a leaf the one of the other values that it holds.
// Hashes of meshes and materials are names where those are known. Tail is what follows the value.
type pageNode struct {
	Name      string
	Note      *string // for people; says nothing
	Text      *string
	Bare      *bool             // the zero behind the text is missing
	Floats    []float32         `json:",omitempty"`
	Rows      [][]float32       `json:",omitempty"`
	Ints      []uint32          `json:",omitempty"`
	Flags     []freelancer.Hash `json:",omitempty"`
	Shorts    []uint16          `json:",omitempty"`
	Reference *pageRef
	Wire      *pageWire
	Mesh      *pageMesh
	Joints    []pageJoint `json:",omitempty"`
	Channel   *pageChannel
	Frames    [][]float32            `json:",omitempty"` // as the channel's header says
	Rects     []freelancer.FrameRect `json:",omitempty"`
	Hex       pageHex
	Data      []byte
	Tail      pageHex
	Children  []*pageNode `json:",omitempty"`
}

// Brief implements json.Brief.
func (pageNode) Brief() {}

// pageHex is bytes in hexadecimal.
type pageHex []byte

// MarshalText implements encoding.TextMarshaler.
func (h pageHex) MarshalText() ([]byte, error) { return hex.AppendEncode([]byte{}, h), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *pageHex) UnmarshalText(b []byte) (err error) {
	*h, err = hex.AppendDecode([]byte{}, b)
	return err
}

// leaf shows what a leaf holds. What cannot be written back as the same bytes is shown as bytes.
func (x *pager) leaf(p *pageNode, n, parent, library *freelancer.Node, path string) {
	kind := freelancer.KindOf(n, parent, library)
	if err := x.decode(p, n, parent, kind); err != nil {
		x.d.Warnf("kept-raw", path, "shown as bytes: %v", err)
		*p = pageNode{Name: n.Name, Hex: hexOf(n.Data)}
		return
	}
	if p.Text != nil || p.Floats != nil || p.Rows != nil || p.Ints != nil || p.Flags != nil || p.Shorts != nil || p.Reference != nil ||
		p.Wire != nil || p.Mesh != nil || p.Joints != nil || p.Channel != nil || p.Frames != nil || p.Rects != nil {
		var channel *pageChannel
		frames := 0
		if h := parent.Child("Header"); h != nil && p.Frames != nil {
			channel = channelHeader(h.Data)
		}
		if f := parent.Child("Frames"); f != nil && p.Channel != nil {
			list, _ := p.Channel.rows(f.Data)
			frames = len(list)
		}
		if b, err := p.payload(channel, frames); err == nil && bytes.Equal(b, n.Data) {
			return
		}
		if p.Channel != nil { // how many frames there are is shown where it counts
			count := binary.LittleEndian.Uint32(n.Data)
			p.Channel.Count = &count
			if b, err := p.payload(nil, 0); err == nil && bytes.Equal(b, n.Data) {
				return
			}
		}
	}
	note := p.Note
	*p = pageNode{Name: n.Name, Note: note}
	const short = 32
	switch text := plainText(n.Data); {
	case text != nil:
		p.Text = text
	case len(n.Data) == 0:
		p.Data = []byte{}
	case len(n.Data) <= short:
		p.Hex = hexOf(n.Data)
	default: // not a copy: many entries may share one
		p.Data = n.Data
	}
}

func hexOf(b []byte) pageHex { return append(pageHex{}, b...) }

// plainText returns what can be nothing but a text with its zero; else nil.
func plainText(b []byte) *string {
	const least = 3
	if len(b) <= least || b[len(b)-1] != 0 {
		return nil
	}
	for _, c := range b[:len(b)-1] {
		if c < ' ' || c > '~' {
			return nil
		}
	}
	s := string(b[:len(b)-1])
	return &s
}

// rowLengths are the lengths of rows of leaves that hold many of them.
var rowLengths = map[string]int{
	"orientation": 3, "points": 3, "vertex_normals": 3, "uv0": 2, "uv1": 2, "madeltas": 5, "makeys": 4, "bone to root": 3,
}

// decode fills in what a leaf of a kind holds.
func (x *pager) decode(p *pageNode, n, parent *freelancer.Node, kind freelancer.LeafKind) error {
	b := n.Data
	v, err := read.Leaf(kind, n, nil)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *freelancer.Text:
		p.Text, p.Tail = &v.Value, tailOf(v.Tail)
		if v.Unterminated {
			p.Bare = &v.Unterminated
		}
	case *freelancer.Floats:
		p.Tail = tailOf(v.Tail)
		if size := rowLengths[strings.ToLower(n.Name)]; size > 0 && len(v.Values) > size && len(v.Values)%size == 0 {
			p.Rows = rowsOf(v.Values, size)
		} else {
			p.Floats = v.Values
		}
	case *freelancer.Ints:
		p.Tail = tailOf(v.Tail)
		if name := strings.ToLower(n.Name); strings.HasSuffix(name, "flags") {
			p.Flags = make([]freelancer.Hash, len(v.Values))
			for i, w := range v.Values {
				p.Flags[i] = freelancer.Hash(w)
			}
		} else {
			p.Ints = v.Values
		}
	case *freelancer.Shorts:
		p.Shorts, p.Tail = v.Values, tailOf(v.Tail)
	case *freelancer.VMeshRef:
		p.Reference, p.Tail = x.ref(v), tailOf(v.Tail)
	case *freelancer.VWire:
		p.Wire, p.Tail = x.wire(v), tailOf(v.Tail)
	case *freelancer.VMesh:
		p.Mesh = x.mesh(b)
	case *freelancer.Joints:
		p.Joints, p.Tail = jointsOf(v), tailOf(v.Tail)
	case nil:
		x.special(p, n, parent, kind)
	}
	return nil
}

// special shows leaves that have no reader of their own.
func (x *pager) special(p *pageNode, n, parent *freelancer.Node, kind freelancer.LeafKind) {
	b := n.Data
	switch {
	case kind == freelancer.DDSLeaf || kind == freelancer.TGALeaf:
		if note := pictureNote(b); note != "" {
			p.Note = &note
		}
	case freelancer.SameName(n.Name, "Header") && freelancer.SameName(parent.Name, "Channel"):
		if c := channelHeader(b); c != nil {
			p.Channel, p.Tail = c, tailOf(b[12:])
		}
	case freelancer.SameName(n.Name, "Frames") && freelancer.SameName(parent.Name, "Channel"):
		if h := parent.Child("Header"); h != nil {
			if c := channelHeader(h.Data); c != nil {
				p.Frames, p.Tail = c.rows(b)
			}
		}
	case freelancer.SameName(n.Name, "Frame rects") && len(b) >= 20:
		for ; len(b) >= 20; b = b[20:] {
			word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
			f := func(i int) float32 { return math.Float32frombits(word(i)) }
			p.Rects = append(p.Rects, freelancer.FrameRect{Texture: word(0), U0: f(1), V0: f(2), U1: f(3), V1: f(4)})
		}
		p.Tail = tailOf(b)
	}
	if id, ok := freelancer.ParseVoiceName(n.Name); ok && x.names[id] != "" {
		name := x.names[id]
		p.Note = &name
	}
}

func tailOf(b []byte) pageHex {
	if len(b) == 0 {
		return nil
	}
	return hexOf(b)
}

// pictureNote says of what kind and size a picture is.
func pictureNote(b []byte) string {
	if x, err := media.DDS(b, nil); err == nil {
		kind := fmt.Sprintf("%d bits", x.Format.Bits)
		if x.Format.Block() > 0 {
			kind = x.Format.FourCC.String()
		}
		return fmt.Sprintf("%s, %d x %d, %d levels", kind, x.Width, x.Height, x.Mips())
	}
	if x, err := media.TGA(b, nil); err == nil {
		return fmt.Sprintf("Targa of %d bits, %d x %d", x.Bits, x.Width, x.Height)
	}
	return ""
}

// oneValue refuses an entry that holds several values, or what belongs to another kind of value.
func (p *pageNode) oneValue() error {
	first := ""
	for _, v := range [...]struct {
		there bool
		name  string
	}{
		{p.Children != nil, "Children"}, {p.Text != nil, "Text"}, {p.Floats != nil, "Floats"}, {p.Rows != nil, "Rows"}, {p.Ints != nil, "Ints"}, {p.Flags != nil, "Flags"},
		{p.Shorts != nil, "Shorts"}, {p.Reference != nil, "Reference"}, {p.Wire != nil, "Wire"}, {p.Mesh != nil, "Mesh"}, {p.Joints != nil, "Joints"},
		{p.Channel != nil, "Channel"}, {p.Frames != nil, "Frames"}, {p.Rects != nil, "Rects"}, {p.Hex != nil, "Hex"}, {p.Data != nil, "Data"},
	} {
		switch {
		case !v.there:
		case first == "":
			first = v.name
		default:
			return schema.Errorf("json", schema.ErrMismatch, p.Name, "an entry holds one value: %s or %s", first, v.name)
		}
	}
	switch first {
	case "Text":
		return nil
	case "", "Children", "Hex", "Data":
		if p.Tail != nil {
			return schema.Errorf("json", schema.ErrMismatch, p.Name, "a Tail follows a value, and there is none")
		}
	}
	if p.Bare != nil {
		return schema.Errorf("json", schema.ErrMismatch, p.Name, "only a Text is Bare")
	}
	return nil
}

// node is the inverse of pager.node; parent is the directory that holds it.
func (p *pageNode) node(parent *pageNode) (*freelancer.Node, error) {
	if err := p.oneValue(); err != nil {
		return nil, err
	}
	if p.Children != nil {
		n := freelancer.NewDir(p.Name)
		if slices.Contains(p.Children, nil) {
			return nil, schema.Errorf("json", schema.ErrValue, p.Name, "a child is null")
		}
		for _, c := range p.Children {
			child, err := c.node(p)
			if err != nil {
				return nil, schema.In(p.Name, err)
			}
			n.Children = append(n.Children, child)
		}
		return n, nil
	}
	var channel *pageChannel
	frames := 0
	if parent != nil {
		for _, c := range parent.Children {
			if c.Channel != nil {
				channel = c.Channel
			}
			frames = max(frames, len(c.Frames))
		}
	}
	b, err := p.payload(channel, frames)
	if err != nil {
		return nil, schema.In(p.Name, err)
	}
	return freelancer.NewLeaf(p.Name, b), nil
}

// payload returns the bytes of a leaf. Channel is the header of the frames that it may hold, frames the number of those
// that a header may count.
func (p *pageNode) payload(channel *pageChannel, frames int) ([]byte, error) {
	switch {
	case p.Text != nil:
		return write.Text(&freelancer.Text{Value: *p.Text, Unterminated: p.Bare != nil && *p.Bare, Tail: p.Tail})
	case p.Floats != nil:
		return write.Floats(&freelancer.Floats{Values: p.Floats, Tail: p.Tail})
	case p.Rows != nil:
		var all []float32
		for _, r := range p.Rows {
			all = append(all, r...)
		}
		return write.Floats(&freelancer.Floats{Values: all, Tail: p.Tail})
	case p.Ints != nil:
		return write.Ints(&freelancer.Ints{Values: p.Ints, Tail: p.Tail})
	case p.Flags != nil:
		var words []uint32
		for _, w := range p.Flags {
			words = append(words, uint32(w))
		}
		return write.Ints(&freelancer.Ints{Values: words, Tail: p.Tail})
	case p.Shorts != nil:
		return write.Shorts(&freelancer.Shorts{Values: p.Shorts, Tail: p.Tail})
	case p.Reference != nil:
		return write.VMeshRef(p.Reference.value(p.Tail))
	case p.Wire != nil:
		return write.VWire(p.Wire.value(p.Tail))
	case p.Mesh != nil:
		b, err := p.Mesh.payload()
		return append(b, p.Tail...), err
	case p.Joints != nil:
		v, err := joints(p.Name, p.Joints, p.Tail)
		if err != nil {
			return nil, err
		}
		return write.Joints(v)
	case p.Channel != nil:
		count := uint32(frames)
		if p.Channel.Count != nil {
			count = *p.Channel.Count
		}
		b := binary.LittleEndian.AppendUint32(nil, count)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(p.Channel.Interval))
		return append(binary.LittleEndian.AppendUint32(b, uint32(p.Channel.Type)), p.Tail...), nil
	case p.Frames != nil:
		if channel == nil {
			return nil, schema.Errorf("json", schema.ErrMismatch, "Frames", "there is no header beside them")
		}
		b, err := channel.bytes(p.Frames)
		return append(b, p.Tail...), err
	case p.Rects != nil:
		var b []byte
		for _, r := range p.Rects {
			b = binary.LittleEndian.AppendUint32(b, r.Texture)
			for _, v := range [...]float32{r.U0, r.V0, r.U1, r.V1} {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
		}
		return append(b, p.Tail...), nil
	case p.Hex != nil:
		return p.Hex, nil
	case p.Data == nil:
		return []byte{}, nil
	}
	return p.Data, nil
}
