package ultima9_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// TestSharedFrames: frames of a texture may share their bytes, up to twice the record and 4,096 bytes in all.
func TestSharedFrames(t *testing.T) {
	frame := make([]byte, 20+4*16+16*16) // flags, size, anchor; rows; palette indices
	frame[4], frame[8] = 16, 16
	for n, class := range map[int]error{1: nil, 2: nil, 14: nil, 15: schema.ErrLimit, 200: schema.ErrLimit} {
		b := make([]byte, 16, 16+8*n+len(frame))
		b[0], b[4], b[8] = 16, 16, byte(n)
		for range n {
			b = binary.LittleEndian.AppendUint32(b, uint32(16+8*n))
			b = binary.LittleEndian.AppendUint32(b, uint32(len(frame)))
		}
		set, err := read.Texture(append(b, frame...), nil)
		if schema.Class(err) != class {
			t.Errorf("%d frames: %v, want %v", n, err, class)
		}
		if err == nil && (len(set.Frames) != n || len(set.Frames[n-1].Levels[0]) != 256 || len(set.Gaps) > 0) {
			t.Errorf("%d frames: %d, gaps %v", n, len(set.Frames), set.Gaps)
		}
	}
}

// TestEmptyLOD: a level of detail of no bytes is one, and a size that is not that of the bytes is refused.
func TestEmptyLOD(t *testing.T) {
	l, err := read.SappearLOD(make([]byte, 4), nil)
	if err != nil || l.Size != 0 {
		t.Errorf("an empty one: %+v, %v", l, err)
	}
	for name, b := range map[string][]byte{"longer": {0, 0, 0, 0, 0}, "shorter": {1, 0, 0, 0}} {
		if _, err := read.SappearLOD(b, nil); schema.Class(err) != schema.ErrMismatch {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLODWithoutFaces: a list of none may end with the level, and is passed over where there is no room for it.
func TestLODWithoutFaces(t *testing.T) {
	const lists = 4 + 0x64 // of the file: four offsets
	for more, want := range []int{0, 0, 0, 0, 2, 2} {
		b := make([]byte, 4+ultima9.LODHeaderSize+more)
		binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
		for i := range 4 {
			binary.LittleEndian.PutUint32(b[lists+4*i:], ultima9.LODHeaderSize)
		}
		l, err := read.SappearLOD(b, nil)
		if err != nil || len(l.Sorted[0]) != want || len(l.Sorted[3]) != want {
			t.Errorf("%d bytes behind the header: %+v, %v", more, l, err)
		}
	}
}

// TestActivityEnds: a record whose length is right may still hold more than its activities.
func TestActivityEnds(t *testing.T) {
	for n := range 3 {
		b := append([]byte{0, 0, 0, 0, byte(n), 0, 0, 0}, make([]byte, n)...)
		if _, err := read.ActivityList(b, nil); (err == nil) != (n == 0) || err != nil && schema.Class(err) != schema.ErrMismatch {
			t.Errorf("%d bytes more: %v", n, err)
		}
	}
}

// TestProcesses has numbers in the first and the last of what is known of processes, and a count for one reference more.
func TestProcesses(t *testing.T) {
	for _, more := range []uint32{0, 1} {
		b := make([]byte, ultima9.ProcessReferences+12)
		binary.LittleEndian.PutUint32(b[ultima9.ProcessReferences+4:], 3+more)
		binary.LittleEndian.PutUint32(b[ultima9.ProcessReferences+8:], 77)
		for i := range uint32(9) {
			b = binary.LittleEndian.AppendUint32(b, 100+i)
		}
		x, err := read.Processes(b, nil)
		if more > 0 {
			if schema.Class(err) != schema.ErrCount {
				t.Errorf("one reference too many: %v", err)
			}
			continue
		}
		want := []ultima9.ObjectReference{{Uses: 100, Map: 101, Offset: 102}, {Uses: 103, Map: 104, Offset: 105}, {Uses: 106, Map: 107, Offset: 108}}
		if err != nil || x.FreeHead != 77 || !slices.Equal(x.References, want) || len(x.NPCs) != ultima9.ProcessNPCCount {
			t.Errorf("%d npcs, references %v, free head %d, %v", len(x.NPCs), x.References, x.FreeHead, err)
		}
	}
}

// TestTypeNameEnds: a name ends with its zero byte; what is missing or follows is told, with where it lies, and kept.
func TestTypeNameEnds(t *testing.T) {
	for _, c := range []struct {
		rest, name, after, code string
		offset                  int64
		msg                     string
	}{
		{"axe\x00", "axe", "\x00", "", 0, ""},
		{"axe", "axe", "", "no-terminator", 6, "the name has no zero byte"},
		{"axe\x00!", "axe", "\x00!", "trailing-bytes", 10, "1 bytes behind the name"},
		{"\x00abc", "", "\x00abc", "trailing-bytes", 7, "3 bytes behind the name"},
		{"\x00", "", "\x00", "", 0, ""},
	} {
		var d schema.Diagnostics
		x, err := read.TypeName(append(make([]byte, 6), c.rest...), &d)
		if err != nil || x.Name == nil || *x.Name != c.name || string(x.After) != c.after {
			t.Errorf("%q: %+v, %v", c.rest, x, err)
		}
		all := d.All()
		if c.code == "" && len(all) > 0 || c.code != "" && (len(all) != 1 || all[0].Code != c.code || all[0].Offset != c.offset || all[0].Msg != c.msg) {
			t.Errorf("%q: %v", c.rest, all)
		}
	}
}

// TestRouteBlock: the block of routes is as long as it says, to the byte.
func TestRouteBlock(t *testing.T) {
	for _, c := range []struct {
		size  byte
		block int
		class error
	}{{0, 0, nil}, {1, 1, schema.ErrMismatch}, {2, 2, schema.ErrMismatch}, {1, 0, schema.ErrMismatch}, {0, 1, nil}} {
		b := append(make([]byte, 12), make([]byte, c.block)...) // no points, no routes
		b[8] = c.size
		x, err := read.Highway(b, nil)
		if schema.Class(err) != c.class || err == nil && len(x.Trailing) != c.block {
			t.Errorf("%d bytes of %d: %+v, %v; want %v", c.size, c.block, x, err, c.class)
		}
	}
}

// TestIndexedEmpty: the offset of an empty table means nothing.
func TestIndexedEmpty(t *testing.T) {
	b := make([]byte, ultima9.IndexedHeaderSize)
	binary.LittleEndian.PutUint32(b, ultima9.IndexedMagic)
	for _, offset := range []uint32{0, 7, 1 << 31} {
		binary.LittleEndian.PutUint32(b[4:], offset)
		if m, err := read.Indexed(b, nil); err != nil || len(m.Faces)+len(m.Corners)+len(m.Vertices) != 0 || m.CornersAt != offset {
			t.Errorf("tables at %d: %+v, %v", offset, m, err)
		}
	}
}

// TestStereoSounds: PCM and EA-XA may have two channels, MicroTalk one only.
func TestStereoSounds(t *testing.T) {
	for encoding, classes := range map[ultima9.SoundEncoding][4]error{
		ultima9.SoundPCM:       {schema.ErrValue, nil, nil, schema.ErrValue},
		ultima9.SoundEAXA:      {schema.ErrValue, nil, nil, schema.ErrValue},
		ultima9.SoundMicroTalk: {schema.ErrValue, nil, schema.ErrUnsupported, schema.ErrValue},
	} {
		for channels, class := range classes {
			b := make([]byte, ultima9.SoundHeaderSize)
			b[0x2C], b[0x30], b[0x34], b[0x38] = 1, 16, byte(channels), byte(encoding)
			if _, err := read.Sound(b, nil); schema.Class(err) != class {
				t.Errorf("encoding %v with %d channels: %v, want %v", encoding, channels, err, class)
			}
		}
	}
}

// TestLimbPlaces: a limb may lie anywhere behind the header, and up to the end of the record.
func TestLimbPlaces(t *testing.T) {
	const room = 4*2 + ultima9.LimbHeaderSize + 4 // offsets of the limb and its level, both
	const end = ultima9.MeshHeaderSize + room
	for offset, class := range map[uint32]error{
		ultima9.MeshHeaderSize - 1: schema.ErrRange, ultima9.MeshHeaderSize: nil, ultima9.MeshHeaderSize + 8: nil,
		end - ultima9.LimbHeaderSize: nil, end - ultima9.LimbHeaderSize + 1: schema.ErrRange, 1<<32 - 1: schema.ErrRange,
	} {
		b := make([]byte, end)
		b[0], b[4] = 1, 1
		binary.LittleEndian.PutUint32(b[ultima9.MeshHeaderSize:], offset)
		binary.LittleEndian.PutUint32(b[ultima9.MeshHeaderSize+4:], end-4)
		if m, err := read.Sappear(b, nil); schema.Class(err) != class || err == nil && m.Limbs[0].Offset != offset {
			t.Errorf("a limb at 0x%x: %v, want %v", offset, err, class)
		}
	}
}

// TestDamagedFrameFlags: the first frame tells the layout of later ones whose flags contradict their size, and is told so;
// nothing tells that of the first.
func TestDamagedFrameFlags(t *testing.T) {
	const size = ultima9.FrameHeaderSize + 2*4 + 8 // two rows of two pixels
	for i := range 3 {
		set := &ultima9.TextureSet{MaxWidth: 2, MaxHeight: 2}
		for k := range 3 {
			set.Frames = append(set.Frames, ultima9.TextureFrame{Offset: uint32(ultima9.TextureHeaderSize + 3*ultima9.FrameEntrySize + k*size), Flags: ultima9.RGB565.Flags(), Width: 2, Height: 2, Rows: make([]uint32, 2), Levels: [][]byte{{1, 2, 3, 4, 5, 6, 7, byte(k)}}})
		}
		b, err := write.Texture(set)
		if err != nil {
			t.Fatal(err)
		}
		at := int64(set.Frames[i].Offset)
		binary.LittleEndian.PutUint32(b[at:], uint32(ultima9.P8.Flags()))
		var d schema.Diagnostics
		got, err := read.Texture(b, &d)
		if i == 0 {
			if schema.Class(err) != schema.ErrMismatch {
				t.Errorf("the first frame: %v", err)
			}
			continue
		}
		if all := d.All(); err != nil || len(all) != 1 || all[0].Code != "frame-flags" || all[0].Offset != at || len(got.Frames[i].Levels[0]) != 8 || got.Frames[i].Levels[0][7] != byte(i) {
			t.Errorf("frame %d: %v, %v", i, all, err)
		}
	}
}

// TestShadeTable: the colours stand before the shades, or are not there.
func TestShadeTable(t *testing.T) {
	const shades = 32 * 256
	for _, c := range []struct{ size, palette, trailing int }{{shades, 0, 0}, {shades + 1023, 0, 1023}, {shades + 1024, 1024, 0}, {shades + 1024 + 5, 1024, 5}} {
		b := make([]byte, c.size)
		for i := range b {
			b[i] = byte(i / 7)
		}
		x, err := read.ShadeTable(b, nil)
		if err != nil || len(x.Palette) != c.palette || len(x.Trailing) != c.trailing {
			t.Fatalf("%d bytes: %d of colours, %d behind, %v", c.size, len(x.Palette), len(x.Trailing), err)
		}
		for i, row := range x.Shades {
			if at := c.palette + 256*i; !slices.Equal(row[:], b[at:at+256]) {
				t.Errorf("%d bytes: shade %d is another", c.size, i)
			}
		}
		if !slices.Equal(x.Palette, b[:c.palette]) {
			t.Errorf("%d bytes: the colours are others", c.size)
		}
	}
}

// TestVastFrame: a frame whose length, in 64 bits, comes round to that of an empty one is none.
func TestVastFrame(t *testing.T) {
	const at = ultima9.TextureHeaderSize + ultima9.FrameEntrySize
	b := make([]byte, at+ultima9.FrameHeaderSize)
	le := binary.LittleEndian
	b[8] = 1 // frame
	le.PutUint32(b[ultima9.TextureHeaderSize:], at)
	le.PutUint32(b[ultima9.TextureHeaderSize+4:], ultima9.FrameHeaderSize)
	le.PutUint32(b[at:], uint32(ultima9.RGB565.Flags()))
	le.PutUint32(b[at+4:], 1<<32-2)
	le.PutUint32(b[at+8:], 1<<31)
	if _, err := read.Texture(b, nil); schema.Class(err) != schema.ErrMismatch {
		t.Error(err)
	}
}

// TestColourCubeDepth: a cube is eight levels deep at most.
func TestColourCubeDepth(t *testing.T) {
	for depth, class := range map[int]error{ultima9.ColourDepth: schema.ErrTruncated, ultima9.ColourDepth + 1: schema.ErrLimit} {
		b := make([]byte, ultima9.PaletteSize+4*depth) // each level begins with one that has no indices
		if _, err := read.ColourCube(b, nil); schema.Class(err) != class {
			t.Errorf("%d levels: %v, want %v", depth, err, class)
		}
	}
}
