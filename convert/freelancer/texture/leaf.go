package texture

import (
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	pixels "github.com/usher-assets/usher/schema/media"
	encode "github.com/usher-assets/usher/write/media"

	write "github.com/usher-assets/usher/write/freelancer"
)

// The leaves of textures, which are files of their own: what "unpack" makes of them is edited and stored again in the kind that it
// was. A new picture becomes a DDS file.
var (
	DDS = pictureLeaf("fldds", "Freelancer texture, a DDS file", media.DDS, encode.DDS, ddsTexture, encodeFaces, newTexture)
	TGA = pictureLeaf("fltga", "Freelancer texture, a Targa", media.TGA, encode.TGA, tgaTexture, encodeTarga, nil)
)

// pictureLeaf makes the format of a picture. Lower returns the stored file for as long as the pictures look the same,
// else change makes one like it; create makes one of a picture that was never stored.
func pictureLeaf[T any](name, title string, r func([]byte, *schema.Diagnostics) (*T, error), w func(*T) ([]byte, error),
	lift func(*T) (*asset.Texture, error), change func(like []byte, t *asset.Texture, e pixels.Effort) ([]byte, error), create func(t *asset.Texture, asked string, e pixels.Effort) ([]byte, error)) *format.Format {
	f := format.Of(format.Format{Name: name, Family: "freelancer", Title: title, Kind: format.Texture, Probe: format.Never}, format.Functions[T, *asset.Texture]{
		Read: r,
		Lift: func(x *T, env *format.Env) (*asset.Texture, error) {
			t, err := lift(x)
			if err != nil {
				return nil, err
			}
			b, err := w(x)
			if err != nil {
				return nil, err
			}
			t.Native = &asset.Native{Format: name, Payload: b}
			return t, nil
		},
	})
	f.New = func() any { return new(T) }
	f.Write = func(v any) ([]byte, error) {
		switch x := v.(type) { // each also in the place of the other
		case *pixels.DDS:
			if x != nil {
				return encode.DDS(x)
			}
		case *pixels.TGA:
			if x != nil {
				return encode.TGA(x)
			}
		}
		x, ok := v.(*T)
		if !ok || x == nil {
			return nil, schema.Errorf(name, schema.ErrUnsupported, "", "a %T is no picture of this format", v)
		}
		return w(x)
	}
	reread := func(b []byte, t *asset.Texture, env *format.Env) (*T, error) { return reread(b, t, r, lift, env) }
	f.Lower = func(a asset.Asset, env *format.Env) (any, error) { // which may be stored in another kind of file than before
		t, ok := asset.Given(a).(*asset.Texture)
		if !ok {
			return nil, schema.Errorf(name, schema.ErrUnsupported, "", "cannot be made from what is no picture")
		}
		if t.Native == nil || t.Native.Format != name || len(t.Native.Payload) == 0 {
			if create != nil {
				b, err := create(t, env.Encoding(), env.Effort())
				if err != nil {
					return nil, err
				}
				return reread(b, t, env)
			}
			return nil, schema.Errorf(name, schema.ErrUnsupported, "", "a picture alone does not say how it is to be stored: replace one of an unpacked library")
		}
		stored, err := r(t.Native.Payload, nil)
		if err != nil {
			return nil, err
		}
		original, err := lift(stored)
		if err != nil {
			return nil, err
		}
		kind := askedKind(name, t, env)
		if slices.Equal(fingerprints(t), fingerprints(original)) && (kind == "" || !env.Options.Reencode || kind == storedKind(t.Native.Payload)) {
			return stored, nil
		}
		if kind != "" {
			return otherKind(t, kind, env)
		}
		b, err := change(t.Native.Payload, t, env.Effort())
		if err != nil {
			return nil, err
		}
		return reread(b, t, env)
	}
	return &f
}

// targaHolder is an archive that reports whether the DDS file of an entry could be Targas.
type targaHolder interface{ HoldsTargas(entry string) bool }

// askedKind returns the kind that the user asks for, where a texture can become one; else it is empty. Targas are several
// leaves, for which there has to be an archive.
func askedKind(name string, t *asset.Texture, env *format.Env) string {
	kind := env.Encoding()
	if !slices.Contains(textureKinds, kind) || len(pictures(t)) != 1 {
		return ""
	}
	if kind == KindTGA {
		if a, ok := env.Archive.(targaHolder); !ok || name != "fldds" || !a.HoldsTargas(env.Entry) {
			return ""
		}
	}
	return kind
}

// storedKind returns the kind of a stored picture, as Options.Encoding names it; empty for one that has no such name.
func storedKind(b []byte) string {
	x, err := media.DDS(b, nil)
	if err != nil {
		return ""
	}
	if x.Format.Block() > 0 {
		return strings.ToLower(x.Format.FourCC.String())
	}
	if x.Format.Bits == 32 {
		return kindRGBA
	}
	return ""
}

// otherKind stores a picture in a kind: as a DDS file, or as the largest of some Targas.
func otherKind(t *asset.Texture, kind string, env *format.Env) (any, error) {
	if kind == KindTGA { // in place of a DDS file: see askedKind
		x, err := media.DDS(t.Native.Payload, nil)
		if err != nil {
			return nil, err
		}
		m := Fit(RGBA(t), int(x.Width), int(x.Height))
		noteLosses(t, &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{*m}}}}, env.Told())
		leaves, err := Targas(m)
		if err != nil {
			return nil, err
		}
		return media.TGA(leaves[0].Data, nil)
	}
	b, err := newTexture(t, kind, env.Effort())
	if err != nil {
		return nil, err
	}
	return reread(b, t, media.DDS, ddsTexture, env)
}

// reread reads what a picture was stored as, and tells what that lost.
func reread[T any](b []byte, t *asset.Texture, r func([]byte, *schema.Diagnostics) (*T, error), lift func(*T) (*asset.Texture, error), env *format.Env) (*T, error) {
	x, err := r(b, nil)
	if err != nil {
		return nil, err
	}
	if now, err := lift(x); err == nil {
		noteLosses(t, now, env.Told())
	}
	return x, nil
}

// noteLosses tells when the pictures of a texture have another size than the person gave them, or less alpha.
func noteLosses(want, have *asset.Texture, d *schema.Diagnostics) {
	stored := pictures(have)
	for k, p := range pictures(want) {
		if k >= len(stored) {
			return
		}
		a, b := RGBA(p), RGBA(stored[k])
		if a.Width != b.Width || a.Height != b.Height {
			d.Warnf("texture-scaled", "", "%d x %d pixels became %d x %d: the game wants powers of two, and faces of one size", a.Width, a.Height, b.Width, b.Height)
		}
		noteAlpha(d, "", a, b)
	}
}

// noteAlpha tells when a stored picture has less alpha than the one it was made from.
func noteAlpha(d *schema.Diagnostics, name string, want, have *asset.Image) {
	if want.AlphaMode(nil) > have.AlphaMode(nil) {
		d.Lossf("texture-alpha", name, "the texture is stored in a kind that holds less alpha than the picture has")
	}
}

// newTexture stores a new picture as a DDS file. One that becomes Targas is not compressed: an archive that takes it has
// a leaf for each of their levels (see [Targas]).
func newTexture(t *asset.Texture, asked string, effort pixels.Effort) ([]byte, error) {
	m := RGBA(t)
	if m == nil {
		return nil, schema.Errorf("dds", schema.ErrValue, "", "the texture has no picture")
	}
	m = picture.PowerOfTwo(m)
	kind := NewKind(m, asked)
	if kind == KindTGA {
		kind = kindRGBA
	}
	return newDDS(m, kind, effort)
}

// NewLibrary returns a texture library with one picture.
func NewLibrary(t *asset.Texture, env *format.Env) (*freelancer.Tree, error) {
	m := RGBA(t)
	if m == nil {
		return nil, schema.Errorf("dds", schema.ErrValue, "", "the texture has no picture")
	}
	m = picture.PowerOfTwo(m)
	kind := NewKind(m, env.Encoding())
	name := t.Name
	if name == "" && env != nil {
		name = strings.TrimSuffix(env.Name, path.Ext(env.Name))
	}
	if !strings.Contains(name, ".") {
		name += Ending(kind)
	}
	x, err := New(name, m, kind, env.Effort(), nil)
	if err != nil {
		return nil, err
	}
	if now, err := Lift(x, nil); err == nil {
		noteLosses(t, now, env.Told())
	}
	tree := freelancer.NewTree()
	return tree, write.Texture(tree.Root, x)
}

func tgaTexture(x *pixels.TGA) (*asset.Texture, error) {
	m, err := tgaImage(x)
	if err != nil {
		return nil, err
	}
	return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}, Alpha: m.AlphaMode(nil)}, nil
}

// pictures returns the faces of a texture, each as a texture of its own.
func pictures(t *asset.Texture) (list []*asset.Texture) {
	for _, f := range t.Frames {
		for face := range 1 + len(f.Faces) {
			m := asset.Image{}
			if face > 0 {
				m = f.Faces[face-1]
			} else if len(f.Mips) > 0 {
				m = f.Mips[0]
			}
			if m.Width > 0 && m.Height > 0 {
				list = append(list, &asset.Texture{Palette: t.Palette, Frames: []asset.Frame{{Mips: []asset.Image{m}}}})
			}
		}
	}
	return list
}

func fingerprints(t *asset.Texture) (list []string) {
	for _, p := range pictures(t) {
		list = append(list, Fingerprint(p))
	}
	return list
}

// encodeFaces writes the pictures of a texture, six for a cube map, as a DDS file of the kind of another.
func encodeFaces(like []byte, t *asset.Texture, effort pixels.Effort) ([]byte, error) {
	x, err := media.DDS(like, nil)
	if err != nil {
		return nil, err
	}
	var faces []*asset.Image
	for _, p := range pictures(t) {
		faces = append(faces, Fit(RGBA(p), int(x.Width), int(x.Height)))
	}
	if slices.ContainsFunc(faces, func(m *asset.Image) bool { return m.Width != faces[0].Width || m.Height != faces[0].Height }) {
		for k := range faces { // those of a cube are alike
			faces[k] = picture.Scale(faces[k], int(x.Width), int(x.Height))
		}
	}
	if len(faces) == 0 {
		return nil, schema.Errorf("dds", schema.ErrValue, "", "the texture has no picture")
	}
	return encodeDDS(like, effort, faces...)
}

func encodeTarga(like []byte, t *asset.Texture, _ pixels.Effort) ([]byte, error) {
	m := RGBA(t)
	if m == nil {
		return nil, schema.Errorf("tga", schema.ErrValue, "", "the texture has no picture")
	}
	x, err := media.TGA(like, nil)
	if err != nil {
		return nil, err
	}
	return encodeTGA(like, Fit(m, int(x.Width), int(x.Height)))
}

// Fit scales a picture to a size that the game supports. A picture with the size of the one that it replaces is not scaled.
func Fit(m *asset.Image, width, height int) *asset.Image {
	if m.Width == width && m.Height == height {
		return m
	}
	return picture.PowerOfTwo(m)
}
