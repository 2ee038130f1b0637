package ultima9

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

var le = binary.LittleEndian

// A record is recognised by its first bytes, of which this many are looked at, in so many records of an archive.
const (
	probeHead    = 1024
	probeRecords = 8
)

// recordFormat returns the format of an archive's records, judging by some of them. If several formats are possible, the
// archive's name decides.
func recordFormat(a *ultima9.Archive, name string) *format.Format {
	used := make([]int, 0, a.Len())
	for i := range a.Len() {
		if a.Used(i) {
			used = append(used, i)
		}
	}
	named := namedFormat(name)
	var best *format.Format
	top := 0
	scores, fits := make([]int, len(records)), make([]int, len(records))
	n := min(len(used), probeRecords)
	for k := range n {
		section, err := a.Section(used[k*len(used)/n])
		if err != nil {
			continue
		}
		head := make([]byte, min(section.Size(), probeHead))
		if _, err := section.ReadAt(head, 0); err != nil {
			continue
		}
		in := format.Input{Head: head, Size: section.Size(), At: section}
		for i, f := range records {
			if c := f.Probe(&in); c > format.No {
				scores[i] += int(c)
				fits[i]++
			}
		}
	}
	for i, f := range records {
		score := scores[i]
		if f == named {
			score += n
		}
		// A damaged record or two must not hide what the others are.
		if 4*fits[i] >= 3*n && scores[i]*2 >= n*int(format.Plausible) && score > top {
			best, top = f, score
		}
	}
	if named != nil && (best == nil || top < n*int(format.Structural)) {
		return named // the name says more than records that could be many a thing; its reader can say what is wrong
	}
	return best
}

// namedFormat returns the format that an archive of this name has in the game.
func namedFormat(name string) *format.Format {
	name = strings.ToLower(name)
	for _, n := range recordNames {
		if strings.HasPrefix(name, n.prefix) {
			return n.format
		}
	}
	return nil
}

func probeFLX(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < ultima9.FLXHeaderSize || le.Uint32(b[0x54:]) != ultima9.FLXVersion {
		return format.No
	}
	count := int64(le.Uint32(b[0x50:]))
	if count > (in.Size-ultima9.FLXHeaderSize)/ultima9.FLXSlotSize {
		return format.No
	}
	for _, c := range b[1:76] {
		if c != b[0] {
			return format.Plausible
		}
	}
	return format.Magic
}

func probePalette(in *format.Input) format.Confidence {
	b := in.Head
	named := strings.HasSuffix(strings.ToLower(in.Name), ".pal")
	if len(b) < ultima9.PaletteSize || in.Size > 2*ultima9.PaletteSize {
		return format.No
	}
	for i := 3; i < ultima9.PaletteSize; i += 4 {
		if b[i] != 0 && !named {
			return format.No
		}
	}
	if named {
		return format.Structural
	}
	if in.Size == ultima9.PaletteSize && b[4]|b[5]|b[6]|b[8]|b[9]|b[10] != 0 {
		return format.Plausible
	}
	return format.No
}

func probeTexture(in *format.Input) format.Confidence {
	b := in.Head
	const head = ultima9.TextureHeaderSize + ultima9.FrameEntrySize
	if len(b) < head || le.Uint16(b[6:]) > ultima9.StorageBC1 {
		return format.No
	}
	frames, offset, length := int64(le.Uint32(b[8:])), int64(le.Uint32(b[16:])), int64(le.Uint32(b[20:]))
	start := ultima9.TextureHeaderSize + ultima9.FrameEntrySize*frames
	if frames == 0 || start > in.Size || offset < start || length < ultima9.FrameHeaderSize || offset+length > in.Size {
		return format.No
	}
	frame := make([]byte, 12)
	if offset+12 <= int64(len(b)) {
		copy(frame, b[offset:])
	} else if in.At == nil {
		return format.No
	} else if _, err := in.At.ReadAt(frame, offset); err != nil {
		return format.No
	}
	w, h := le.Uint32(frame[4:]), le.Uint32(frame[8:])
	if w == 0 || h == 0 || w > uint32(le.Uint16(b)) || h > uint32(le.Uint16(b[4:])) {
		return format.No
	}
	f, ok := ultima9.FrameFlags(le.Uint32(frame)).Format()
	if b[6] == ultima9.StorageBC1 {
		f, ok = ultima9.BC1, true
	}
	if !ok {
		return format.Plausible
	}
	need := ultima9.FrameHeaderSize + 4*uint64(h)
	for k := range 1 + int(b[2]) {
		need += f.Size(uint64(max(1, w>>k)), uint64(max(1, h>>k)))
	}
	if need != uint64(length) {
		return format.Plausible
	}
	return format.Magic
}

var probeSDInfo = exactly(ultima9.SDInfoSize, read.SDInfo, func(x *ultima9.SDInfo) bool {
	w, h, most := x.MaxWidth, x.MaxHeight, uint32(0xFFFF)
	return x.Format <= 3 && x.Width > 0 && x.Height > 0 && x.Width <= w && x.Height <= h && w <= most && h <= most && w>>x.Log2Width == 1 && h>>x.Log2Height == 1
})

func probeSappear(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < ultima9.MeshHeaderSize {
		return format.No
	}
	limbs, lods := int64(le.Uint32(b)), int64(le.Uint32(b[4:]))
	if probeIndexed(in) > format.No {
		return format.Plausible // among the records of an archive of models there are some of the older layout
	}
	table := ultima9.MeshHeaderSize + 4*limbs*(lods+1)
	if limbs == 0 || lods < 1 || lods > ultima9.MaxLODs || table+ultima9.LimbHeaderSize > in.Size || len(b) < ultima9.MeshHeaderSize+8 {
		return format.No
	}
	limb, lod := int64(le.Uint32(b[0x90:])), int64(le.Uint32(b[0x94:]))
	if limb < table || limb+ultima9.LimbHeaderSize > in.Size || lod < table || lod+4 > in.Size {
		return format.No
	}
	if limb == table && lod == table+ultima9.LimbHeaderSize {
		return format.Magic
	}
	return format.Structural
}

func probeAnim(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < 40 || int64(int32(le.Uint32(b[12:]))) != int64(int32(le.Uint32(b[8:])))-int64(int32(le.Uint32(b[4:])))+1 {
		return format.No
	}
	fps, interval, source := le.Uint32(b[16:]), le.Uint32(b[20:]), int64(le.Uint32(b[24:]))
	if fps == 0 || fps > 1000 || interval == 0 || interval > 10000 || source > in.Size-40 {
		return format.No
	}
	if at := 28 + source; at+4 <= int64(len(b)) && int64(le.Uint32(b[at:])) > (in.Size-at-4)/4 {
		return format.No
	}
	return format.Structural
}

func probeTypes(in *format.Input) format.Confidence {
	if in.Size < ultima9.TypesFileSize || in.Size > ultima9.TypesFileSize+64 || len(in.Head) < 8 || le.Uint32(in.Head) > ultima9.TypeCount || le.Uint32(in.Head[4:]) > ultima9.TypeCount {
		if in.Size == ultima9.TypesFileSize || strings.EqualFold(in.Name, "types.dat") {
			return format.Plausible
		}
		return format.No
	}
	return format.Structural
}

func probeTypeName(in *format.Input) format.Confidence {
	if in.Size > probeHead || int64(len(in.Head)) < in.Size {
		return format.No
	}
	x, err := read.TypeName(in.Head[:in.Size], nil)
	if err != nil || x.Text < -1 || x.Text > 0xFFFF || x.Name != nil && (!bytes.Equal(x.After, []byte{0}) || hasControls(*x.Name)) {
		return format.No
	}
	if x.Icon == ultima9.DefaultIcon {
		return format.Structural
	}
	return format.Plausible
}

func probeRegistry(in *format.Input) format.Confidence {
	named := strings.EqualFold(in.Name, "registry.txt")
	if in.Size > int64(len(in.Head)) || in.Size == 0 {
		return format.No
	}
	line, _, _ := bytes.Cut(in.Head, []byte{'\n'})
	if _, err := read.Registry(line, nil); err != nil { // of nearly all other files: they need not be read as text
		return format.No
	}
	r, err := read.Registry(in.Head, nil)
	if err != nil || len(r.Names()) == 0 {
		return format.No
	}
	if named {
		return format.Structural
	}
	return format.Plausible
}

// probeIndexed recognises the older layout by its tables, which follow each other.
func probeIndexed(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < 0x1C || !read.IsIndexed(b) {
		return format.No
	}
	corners, vertices, faces := int64(le.Uint32(b[4:])), int64(le.Uint32(b[8:])), int64(le.Uint32(b[0x10:]))
	if corners < ultima9.IndexedHeaderSize+ultima9.IndexedFaceSize*faces || corners > vertices || vertices > in.Size {
		return format.No
	}
	return format.Structural
}
