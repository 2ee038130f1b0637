package ultima9

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// updateInfos updates sdInfo records after their textures (reference section 4.6). A new texture gets a copy of the record
// of the texture most like it, with its own sizes.
func (f *flxFile) updateInfos(partner format.ArchiveFile) (changed []string, err error) {
	for _, slot := range f.archive.Edited() {
		path := strconv.Itoa(slot)
		at := slices.IndexFunc(partner.Entries(), func(e format.Entry) bool { return e.Path == path })
		b, _ := f.archive.Edit(slot)
		if b == nil {
			if at >= 0 {
				if err := partner.Remove(at); err != nil {
					return changed, err
				}
				changed = append(changed, path)
			}
			continue
		}
		if at >= 0 && f.sameShape(slot, b) {
			continue
		}
		done, err := f.describe(partner, path, at, b)
		if err != nil {
			return changed, schema.In(path, err)
		}
		if done {
			changed = append(changed, path)
		}
	}
	return changed, nil
}

// sameShape reports whether an edit left all as it was that a record of the partner tells of the texture: that record may
// know better than the texture, and stays.
func (f *flxFile) sameShape(slot int, texture []byte) bool {
	was, err := f.archive.Stored(slot)
	if err != nil {
		return false
	}
	before, err1 := description(was)
	after, err2 := description(texture)
	return err1 == nil && err2 == nil && bytes.Equal(before, after)
}

// description returns a record that tells of a texture and nothing else.
func description(texture []byte) ([]byte, error) {
	t, err := read.Texture(texture, nil)
	if err != nil {
		return nil, err
	}
	info := new(ultima9.SDInfo)
	info.Describe(t)
	return write.SDInfo(info)
}

// describe sets the record of one texture; done reports whether it changed.
func (f *flxFile) describe(partner format.ArchiveFile, path string, at int, texture []byte) (done bool, err error) {
	t, err := read.Texture(texture, nil)
	if err != nil { // somebody laid it in as it is
		f.env.Told().Warnf("partner", path, "cannot be read, so %s does not follow: %v", beside.InfoArchive(f.name), err)
		return false, nil
	}
	var was []byte
	info := new(ultima9.SDInfo)
	if at >= 0 {
		if was, err = partner.Payload(at); err != nil {
			return false, err
		}
		if info, err = read.SDInfo(was, nil); err != nil {
			return false, err
		}
	} else if like := f.likeness(partner, t); like != nil {
		info = like
	}
	info.Describe(t)
	now, err := write.SDInfo(info)
	if err != nil || bytes.Equal(now, was) {
		return false, err
	}
	if at >= 0 {
		return true, partner.Replace(at, now)
	}
	return true, partner.Add(path, now, &sdInfoFormat)
}

// likeness returns the record of a texture of the same format, of the same size if there is one.
func (f *flxFile) likeness(partner format.ArchiveFile, t *ultima9.TextureSet) (like *ultima9.SDInfo) {
	kind, err := t.Format(0)
	if err != nil {
		return nil
	}
	for i, e := range partner.Entries() {
		slot, err := beside.ParseSlot(e.Path)
		if err != nil || !f.archive.Used(slot) {
			continue
		}
		head := make([]byte, min(f.archive.Length(slot), probeHead))
		section, err := f.archive.Section(slot)
		if err != nil {
			continue
		}
		if _, err := section.ReadAt(head, 0); err != nil || formatOfHead(head) != kind {
			continue
		}
		b, err := partner.Payload(i)
		if err != nil {
			continue
		}
		info, err := read.SDInfo(b, nil)
		if err != nil {
			continue
		}
		if info.MaxWidth == uint32(t.MaxWidth) && info.MaxHeight == uint32(t.MaxHeight) {
			return info
		}
		if like == nil {
			like = info
		}
	}
	return like
}

// formatOfHead returns the pixel format of a texture set's first frame, 0 when the head of the record does not tell.
func formatOfHead(b []byte) ultima9.PixelFormat {
	if len(b) < ultima9.TextureHeaderSize+ultima9.FrameEntrySize {
		return 0
	}
	if le.Uint16(b[6:]) == ultima9.StorageBC1 {
		return ultima9.BC1
	}
	at := int64(le.Uint32(b[16:]))
	if at+4 > int64(len(b)) {
		return 0
	}
	kind, _ := ultima9.FrameFlags(le.Uint32(b[at:])).Format()
	return kind
}
