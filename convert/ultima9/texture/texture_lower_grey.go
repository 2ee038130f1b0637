package texture

import (
	"bytes"
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Without ankh.pal the indices of 8-bit textures are shown as greys. Their pictures must not be taken for colours when
// the palette is there on the way back, nor colours for such greys when it is not.

// chooseGreys lowers pictures as greys that were lifted so: most of them are the greys of the stored indices.
func (l *textureLowerer) chooseGreys() error {
	if !slices.ContainsFunc(l.base.Frames, func(f ultima9.TextureFrame) bool { kind, _ := f.Flags.Format(); return kind == ultima9.P8 }) {
		return nil
	}
	if l.shown("palette") == "grey" {
		return l.refuseColours()
	}
	grey, err := Pictures(l.base, nil, true)
	if err != nil {
		return err
	}
	same, coloured, all := 0, 0, 0
	for i := range min(len(l.asset.Frames), len(l.base.Frames)) {
		now, was, plain, err := l.threePictures(i, grey)
		if err != nil {
			return err
		}
		all += len(now) / 4
		same += equalPixels(now, plain)
		coloured += equalPixels(now, was)
	}
	if same <= coloured || same <= all/4 {
		return nil
	}
	l.env.Told().Warnf("grey-picture", "", "the picture was made without ankh.pal: its greys are taken for indices")
	l.values = maps.Clone(l.values)
	l.values["palette"] = "grey"
	delete(l.values, scene.ReadOnly)
	l.before = grey
	return l.refuseColours()
}

// threePictures returns the picture of an 8-bit frame, and the stored one in colours and in greys; nothing for other
// frames or another size.
func (l *textureLowerer) threePictures(i int, grey *asset.Texture) (now, was, plain []byte, err error) {
	if kind, _ := l.base.Format(i); kind != ultima9.P8 {
		return nil, nil, nil, nil
	}
	m := &l.asset.Frames[i].Mips[0]
	if now, err = ToRGBA(m, l.asset.Palette); err != nil {
		return nil, nil, nil, err
	}
	if was, err = ToRGBA(&l.before.Frames[i].Mips[0], l.before.Palette); err != nil {
		return nil, nil, nil, err
	}
	if plain, err = ToRGBA(&grey.Frames[i].Mips[0], grey.Palette); err != nil || len(was) != len(now) {
		return nil, nil, nil, err
	}
	return now, was, plain, nil
}

func equalPixels(a, b []byte) (n int) {
	for i := 0; i < len(a); i += 4 {
		if bytes.Equal(a[i:i+4], b[i:i+4]) {
			n++
		}
	}
	return n
}

// refuseColours refuses a coloured picture where only greys can be made of it.
func (l *textureLowerer) refuseColours() error {
	for i := range min(len(l.asset.Frames), len(l.base.Frames)) {
		if kind, _ := l.base.Format(i); kind != ultima9.P8 || l.usual != ultima9.P8 {
			continue
		}
		pix, err := ToRGBA(&l.asset.Frames[i].Mips[0], l.asset.Palette)
		if err != nil {
			return err
		}
		const cast = 8 // that an editor may add to a grey
		for k := 0; k < len(pix); k += 4 {
			if p := pix[k : k+4]; p[3] > 0 && int(max(p[0], p[1], p[2]))-int(min(p[0], p[1], p[2])) > cast {
				return schema.Errorf(Name, schema.ErrUnsupported, "palette",
					"frame %d has colours, and ankh.pal is not there, or was not when the picture was made: unpack or convert again beside it", i)
			}
		}
	}
	return nil
}
