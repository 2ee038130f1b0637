package unreal_test

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestActorX: the real pair comes back byte for byte, with the numbers that its manifest tells.
func TestActorX(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "unreal"), "psk")
	b := corpus.Bytes(t, filepath.Join(dir, "C4.psk"))
	x, err := read.PSK(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Points) != 444 || len(x.Wedges) != 444 || len(x.Faces) != 404 || len(x.Materials) != 5 || len(x.Bones) != 1 || len(x.Weights) != 444 || len(x.Chunks) != 7 {
		t.Errorf("%d points, %d wedges, %d faces, %d materials, %d bones, %d weights", len(x.Points), len(x.Wedges), len(x.Faces), len(x.Materials), len(x.Bones), len(x.Weights))
	}
	again, err := write.PSK(x)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "C4.psk", again, b)
	b = corpus.Bytes(t, filepath.Join(dir, "C4.psa"))
	y, err := read.PSA(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(y.Bones) != 1 || len(y.Sequences) != 1 || y.Sequences[0].Frames != 2 || len(y.Keys) != 2 {
		t.Errorf("%+v", y)
	}
	if again, err = write.PSA(y); err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "C4.psa", again, b)
}

// smallPSK is a triangle on two bones.
func smallPSK() *unreal.PSK {
	return &unreal.PSK{
		Points:    [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
		Wedges:    []unreal.PSKWedge{{Point: 0}, {Point: 1, UV: [2]float32{1, 0}}, {Point: 2, UV: [2]float32{0, 0.5}, Material: 0}},
		Faces:     []unreal.PSKFace{{Wedges: [3]uint32{0, 1, 2}, Second: 190, Smoothing: 1}},
		Materials: []unreal.PSKMaterial{{Name: unreal.NewActorXName("skin"), Flags: 0x100, AuxFlags: 1, LODBias: 5}},
		Bones: []unreal.ActorXBone{{Name: unreal.NewActorXName("root"), Children: 1, Orientation: [4]float32{0, 0, 0, 1}},
			{Name: unreal.ActorXName{Text: "tip", Rest: append([]byte("garbage"), make([]byte, 53)...)}, Position: [3]float32{1, 2, 3}, Orientation: [4]float32{0, 0, 0, 1}}},
		Weights: []unreal.PSKWeight{{Weight: 1}, {Weight: 0.5, Point: 1}, {Weight: 0.5, Point: 1, Bone: 1}, {Weight: 1, Point: 2, Bone: 1}},
	}
}

func smallPSA() *unreal.PSA {
	return &unreal.PSA{
		Bones:     smallPSK().Bones,
		Sequences: []unreal.PSASequence{{Name: unreal.NewActorXName("Walk"), Group: unreal.NewActorXName("Legs"), Bones: 2, Quotum: 4, Reduction: 1, TrackTime: 2, Rate: 30, Frames: 2}},
		Keys:      make([]unreal.PSAKey, 4),
	}
}

// TestNewActorX: files without stored chunks get the usual ones, wide faces where the wedges need them, and read again.
func TestNewActorX(t *testing.T) {
	x := smallPSK()
	b, err := write.PSK(x)
	if err != nil {
		t.Fatal(err)
	}
	y, err := read.PSK(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(y.Chunks) != 7 || y.Bones[1].Name.Text != "tip" || !bytes.Equal(y.Bones[1].Name.Rest, x.Bones[1].Name.Rest) || y.Faces[0] != x.Faces[0] || !slices.Equal(y.Weights, x.Weights) {
		t.Errorf("%+v", y)
	}
	x.Wedges = make([]unreal.PSKWedge, 70000)
	x.Faces[0].Wedges[2] = 69999
	if b, err = write.PSK(x); err != nil {
		t.Fatal(err)
	}
	if y, err = read.PSK(b, nil); err != nil || y.Faces[0].Wedges[2] != 69999 || y.Chunks[3].Name() != "FACE3200" {
		t.Errorf("%v", err)
	}
}

// TestActorXMalformed: cut and senseless files are refused with their class.
func TestActorXMalformed(t *testing.T) {
	good, err := write.PSK(smallPSK())
	if err != nil {
		t.Fatal(err)
	}
	for n := range good {
		if _, err := read.PSK(good[:n], nil); schema.Class(err) == nil {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
	word := func(at int, v uint32) []byte {
		b := slices.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	points := unreal.ActorXHead // the second chunk
	for name, c := range map[string]struct {
		b     []byte
		class error
	}{
		"magic":    {append([]byte("ANIMHEAD"), good[8:]...), schema.ErrBadMagic},
		"size":     {word(points+24, 13), schema.ErrMismatch},
		"negative": {word(points+28, 1<<31), schema.ErrCount},
		"count":    {word(points+28, 1<<30), schema.ErrCount},
		"missing":  {append(slices.Clone(good[:points]), good[points+32+36:]...), schema.ErrMismatch},
	} {
		if _, err := read.PSK(c.b, nil); schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %v", name, err, c.class)
		}
	}
	// A chunk that nobody knows is kept.
	extra := make([]byte, 32, 40)
	copy(extra, "EXTRAUVS0")
	extra[24], extra[28] = 8, 1
	b := append(slices.Clone(good), append(extra, 1, 2, 3, 4, 5, 6, 7, 8)...)
	x, err := read.PSK(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := write.PSK(x); err != nil || !bytes.Equal(again, b) {
		t.Errorf("an unknown chunk is lost: %v", err)
	}
	// So is the count of elements that have no bytes; one of others is that of their bytes.
	b = slices.Clone(good)
	b[28], b[30] = 7, 0x20
	if x, err := read.PSK(b, nil); err != nil || x.Chunks[0].Count != 0x200007 {
		t.Errorf("the first chunk has %v elements: %v", x.Chunks[0].Count, err)
	} else if again, err := write.PSK(x); err != nil || !bytes.Equal(again, b) {
		t.Errorf("the count of elements without bytes is lost: %v", err)
	}
	for _, c := range []unreal.ActorXChunk{{Count: -1, Data: []byte{}}, {Count: 1, Size: 1, Data: []byte{1}}, {Count: 1}} {
		y := *x
		y.Chunks = append(slices.Clone(x.Chunks), c)
		if _, err := write.PSK(&y); schema.Class(err) != schema.ErrMismatch {
			t.Errorf("%+v: %v", c, err)
		}
	}
	last := &x.Chunks[len(x.Chunks)-1]
	for _, c := range []struct {
		size  int32
		data  string
		class error
	}{{8, "12345678", nil}, {4, "12345678", nil}, {3, "12345678", schema.ErrMismatch}, {0, "12345678", schema.ErrMismatch}, {0, "1", schema.ErrMismatch}, {1, "12345678", nil}, {-8, "12345678", schema.ErrMismatch}, {0, "", nil}, {8, "", nil}} {
		last.Size, last.Data = c.size, []byte(c.data)
		b, err := write.PSK(x)
		if schema.Class(err) != c.class {
			t.Errorf("%q in elements of %d: %v, want %v", c.data, c.size, err, c.class)
		}
		if err != nil {
			continue
		}
		if y, err := read.PSK(b, nil); err != nil || string(y.Chunks[len(y.Chunks)-1].Data) != c.data {
			t.Errorf("%q in elements of %d: %v", c.data, c.size, err)
		}
	}
}

func FuzzActorX(f *testing.F) {
	b, err := write.PSK(smallPSK())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	if b, err = write.PSA(smallPSA()); err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var again []byte
		var err error
		if x, bad := read.PSK(b, nil); bad == nil {
			again, err = write.PSK(x)
		} else if y, worse := read.PSA(b, nil); worse == nil {
			again, err = write.PSA(y)
		} else {
			if schema.Class(bad) == nil || schema.Class(worse) == nil {
				t.Fatalf("an error without a class: %v, %v", bad, worse)
			}
			return
		}
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%d bytes come back as %d, %v", len(b), len(again), err)
		}
	})
}
