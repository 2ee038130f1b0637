package freelancer

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/convert/picture"
	"github.com/usher-assets/usher/convert/wav"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/schema/media"

	read "github.com/usher-assets/usher/read/freelancer"
	readmedia "github.com/usher-assets/usher/read/media"
	write "github.com/usher-assets/usher/write/freelancer"
	writemedia "github.com/usher-assets/usher/write/media"
)

// The leaves of textures and voice lines, which are files of their own: what "unpack" makes of them is edited and
// stored again in the kind that it was. A new picture becomes a DDS file.
var (
	ddsLeaf  = pictureLeaf("fldds", "Freelancer texture, a DDS file", readmedia.DDS, writemedia.DDS, ddsTexture, encodeFaces, newTexture)
	tgaLeaf  = pictureLeaf("fltga", "Freelancer texture, a Targa", readmedia.TGA, writemedia.TGA, tgaTexture, encodeTarga, nil)
	waveLeaf = soundLeaf("flvoice", "Freelancer voice line, a WAV file")
)

// pictureLeaf makes the format of a picture. Lower returns the stored file for as long as the pictures look the same,
// else encode makes one like it; create makes one of a picture that was never stored.
func pictureLeaf[T any](name, title string, r func([]byte, *schema.Diagnostics) (*T, error), w func(*T) ([]byte, error),
	lift func(*T) (*asset.Texture, error), encode func(like []byte, t *asset.Texture, e media.Effort) ([]byte, error), create func(t *asset.Texture, asked string, e media.Effort) ([]byte, error)) *format.Format {
	f := leaf(name, title, format.Texture, r, w)
	f.Write = func(v any) ([]byte, error) {
		switch x := v.(type) { // each also in the place of the other
		case *media.DDS:
			return writemedia.DDS(x)
		case *media.TGA:
			return writemedia.TGA(x)
		}
		return w(v.(*T))
	}
	*f = format.Of(*f, format.Functions[T, *asset.Texture]{Lift: func(x *T, env *format.Env) (*asset.Texture, error) {
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
	}})
	reread := func(b []byte, t *asset.Texture, env *format.Env) (*T, error) {
		x, err := r(b, nil)
		if err != nil {
			return nil, err
		}
		if now, err := lift(x); err == nil {
			noteLosses(t, now, env.Told())
		}
		return x, nil
	}
	f.Lower = lowerPicture(name, func(t *asset.Texture, env *format.Env) (any, error) {
		if t.Native == nil || t.Native.Format != name || len(t.Native.Payload) == 0 {
			if create != nil {
				b, err := create(t, asked(env), env.Effort())
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
		b, err := encode(t.Native.Payload, t, env.Effort())
		if err != nil {
			return nil, err
		}
		return reread(b, t, env)
	})
	return f
}

// lowerPicture makes the Lower of pictures, which may be stored in another kind of file than before.
func lowerPicture(name string, f func(t *asset.Texture, env *format.Env) (any, error)) func(asset.Asset, *format.Env) (any, error) {
	return func(a asset.Asset, env *format.Env) (any, error) {
		t, ok := a.(*asset.Texture)
		if !ok {
			return nil, schema.Errorf(name, schema.ErrUnsupported, "", "cannot be made from what is no picture")
		}
		return f(t, env)
	}
}

// askedKind returns the kind that the user asks for, where a texture can become one; else it is empty. Targas are several
// leaves, for which there has to be an archive.
func askedKind(name string, t *asset.Texture, env *format.Env) string {
	kind := asked(env)
	if !slices.Contains(textureKinds, kind) || len(pictures(t)) != 1 {
		return ""
	}
	if kind == kindTGA {
		if a, ok := env.Archive.(*archive); !ok || name != "fldds" || !a.holdsTargas(env.Entry) {
			return ""
		}
	}
	return kind
}

// storedKind returns the kind of a stored picture, as Options.Encoding names it; empty for one that has no such name.
func storedKind(b []byte) string {
	x, err := readmedia.DDS(b, nil)
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
	if kind == kindTGA {
		m := rgba(t)
		leaves, err := targas(fit(m, m.Width, m.Height))
		if err != nil {
			return nil, err
		}
		return readmedia.TGA(leaves[0].Data, nil)
	}
	b, err := newTexture(t, kind, env.Effort())
	if err != nil {
		return nil, err
	}
	x, err := readmedia.DDS(b, nil)
	if err != nil {
		return nil, err
	}
	if now, err := ddsTexture(x); err == nil {
		noteLosses(t, now, env.Told())
	}
	return x, nil
}

// asked returns the encoding that the user asks for.
func asked(env *format.Env) string {
	if env == nil {
		return ""
	}
	return env.Options.Encoding
}

// noteLosses tells when the pictures of a texture have another size than the person gave them, or less alpha.
func noteLosses(want, have *asset.Texture, d *schema.Diagnostics) {
	stored := pictures(have)
	for k, p := range pictures(want) {
		if k >= len(stored) {
			return
		}
		a, b := rgba(p), rgba(stored[k])
		if a.Width != b.Width || a.Height != b.Height {
			d.Warnf("texture-scaled", "", "%d x %d pixels became %d x %d: the game wants powers of two, and faces of one size", a.Width, a.Height, b.Width, b.Height)
		}
		noteAlpha(d, "", a, b)
	}
}

// noteAlpha tells when a stored picture has less alpha than the one it was made from.
func noteAlpha(d *schema.Diagnostics, name string, want, have *asset.Image) {
	if alphaOf(want) > alphaOf(have) {
		d.Lossf("texture-alpha", name, "the texture is stored in a kind that holds less alpha than the picture has")
	}
}

// newTexture stores a new picture as a DDS file. One that becomes Targas is not compressed: an archive that takes it has
// a leaf for each of their levels (see archive.Add).
func newTexture(t *asset.Texture, asked string, effort media.Effort) ([]byte, error) {
	m := rgba(t)
	if m == nil {
		return nil, schema.Errorf("dds", schema.ErrValue, "", "the texture has no picture")
	}
	m = picture.PowerOfTwo(m)
	kind := newKind(m, asked)
	if kind == kindTGA {
		kind = kindRGBA
	}
	return newDDS(m, kind, effort)
}

// newTextureLibrary makes a texture library of one picture.
func newTextureLibrary(t *asset.Texture, env *format.Env) (*freelancer.Tree, error) {
	m := rgba(t)
	if m == nil {
		return nil, schema.Errorf("dds", schema.ErrValue, "", "the texture has no picture")
	}
	small := picture.PowerOfTwo(m)
	asked, d := "", env.Told()
	if env != nil {
		asked = env.Options.Encoding
	}
	kind := newKind(small, asked)
	name := t.Name
	if name == "" && env != nil {
		name = strings.TrimSuffix(env.Name, path.Ext(env.Name))
	}
	if !strings.Contains(name, ".") {
		name += map[bool]string{false: ".dds", true: ".tga"}[kind == kindTGA]
	}
	x, err := newEntry(name, small, kind, env.Effort())
	if err != nil {
		return nil, err
	}
	if now, err := liftTexture(x, nil); err == nil {
		noteLosses(t, now, d)
	}
	tree := freelancer.NewTree()
	return tree, write.Texture(tree.Root, x)
}

func ddsTexture(x *media.DDS) (*asset.Texture, error) {
	a := new(asset.Texture)
	return a, liftDDS(a, x)
}

func tgaTexture(x *media.TGA) (*asset.Texture, error) {
	m, err := tgaImage(x)
	if err != nil {
		return nil, err
	}
	return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}, Alpha: alphaOf(&m)}, nil
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
		list = append(list, fingerprint(p))
	}
	return list
}

// encodeFaces writes the pictures of a texture, six for a cube map, as a DDS file of the kind of another.
func encodeFaces(like []byte, t *asset.Texture, effort media.Effort) ([]byte, error) {
	x, err := readmedia.DDS(like, nil)
	if err != nil {
		return nil, err
	}
	var faces []*asset.Image
	for _, p := range pictures(t) {
		faces = append(faces, fit(rgba(p), int(x.Width), int(x.Height)))
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

func encodeTarga(like []byte, t *asset.Texture, _ media.Effort) ([]byte, error) {
	m := rgba(t)
	if m == nil {
		return nil, schema.Errorf("tga", schema.ErrValue, "", "the texture has no picture")
	}
	x, err := readmedia.TGA(like, nil)
	if err != nil {
		return nil, err
	}
	return encodeTGA(like, fit(m, int(x.Width), int(x.Height)))
}

// fit scales a picture to sides that the game can use, unless it has the size of the one whose place it takes.
func fit(m *asset.Image, width, height int) *asset.Image {
	if m.Width == width && m.Height == height {
		return m
	}
	return picture.PowerOfTwo(m)
}

// played is what the game plays beside MP3: the few lines of its banks that are none (reference section 19.4).
var played = wav.Policy{Bits: []int{8, 16}, Channels: 2}

// soundLeaf makes the format of a voice line. Whatever the WAV file holds, MP3 for the most part, goes in and out as it
// is.
func soundLeaf(name, title string) *format.Format {
	type stored = freelancer.Wave
	f := leaf(name, title, format.Sound, read.Wave, write.Wave)
	lift := func(x *stored, env *format.Env) (*asset.Sound, error) {
		b, err := write.Wave(x)
		if err != nil {
			return nil, err
		}
		s, err := wav.Decode(b)
		if err != nil {
			return nil, err
		}
		if s.Stored == nil {
			s.Stored = &asset.Stored{Encoding: wav.Encoding, Data: b}
		}
		s.Native = &asset.Native{Format: name, Payload: b}
		return s, nil
	}
	lower := func(s *asset.Sound, env *format.Env) (*stored, error) {
		if s.Native != nil && s.Native.Format == name {
			if old, err := wav.Decode(s.Native.Payload); err == nil && sameSound(s, old, s.Native.Payload, env) {
				return read.Wave(s.Native.Payload, nil)
			}
		}
		if s.Stored != nil && s.Stored.Encoding == wav.EncodingMP3 {
			return voice.WrapMP3(s.Stored.Data, 0, env.Told())
		}
		if _, ok := wav.Stream(s); ok && len(s.PCM) == 0 { // MP3 in WAV, as the game has it
			return read.Wave(s.Stored.Data, nil)
		}
		s, err := played.Fit(s, env.Samples, env != nil && env.Options.Strict, env.Told())
		if err != nil {
			return nil, err
		}
		if len(s.PCM) > 0 && asked(env) == wav.EncodingMP3 {
			return voice.EncodeMP3(s, env.Told())
		}
		env.Told().Warnf("voice-pcm", "", "the line is not MP3, and the game may not play it: --encoding mp3 encodes it")
		plain := *s
		plain.Stored = nil
		var w bytes.Buffer
		if err := wav.Encode(&w, &plain); err != nil {
			return nil, err
		}
		return read.Wave(w.Bytes(), nil)
	}
	*f = format.Of(*f, format.Functions[stored, *asset.Sound]{Lift: lift, Lower: lower})
	return f
}

// sameSound compares a sound with a stored one: the samples where both have them, else the files.
func sameSound(s, old *asset.Sound, file []byte, env *format.Env) bool {
	if len(s.PCM) > 0 {
		if plain, err := env.Samples(old); err == nil {
			old = plain // the person asked for the samples
		}
	}
	if len(s.PCM) == 0 || len(old.PCM) == 0 {
		return len(s.PCM) == len(old.PCM) && s.Stored != nil && bytes.Equal(s.Stored.Data, file)
	}
	return s.Rate == old.Rate && s.Channels == old.Channels && s.Bits == old.Bits && s.Float == old.Float && bytes.Equal(s.PCM, old.PCM)
}
