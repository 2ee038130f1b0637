package ultima9

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/png"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// looks makes the materials and textures of a scene, each once (reference section 5).
type looks struct {
	scene     *asset.Scene
	env       *format.Env
	materials map[ultima9.Material]*asset.Material
	names     map[string]int
	textures  map[picture]*asset.Texture
	digests   map[*asset.Texture]int
	invisible *asset.Material
	archives  []bitmap
	searched  bool
}

// picture is a frame of a texture.
type picture struct {
	slot  uint16
	frame uint8
}

func newLooks(s *asset.Scene, env *format.Env) *looks {
	return &looks{scene: s, env: env, materials: map[ultima9.Material]*asset.Material{}, names: map[string]int{}, textures: map[picture]*asset.Texture{}, digests: map[*asset.Texture]int{}}
}

// withoutRange returns a material without the faces that it is for, so that equal ones are one.
func withoutRange(m ultima9.Material) ultima9.Material {
	m.FirstFace, m.FaceCount = 0, 0
	return m
}

func (l *looks) material(m ultima9.Material) *asset.Material {
	m = withoutRange(m)
	if known := l.materials[m]; known != nil {
		return known
	}
	out := asset.NewMaterial(l.unique(materialTitle(m)))
	out.Native = &asset.Native{Format: materialName, Values: materialValues(m), Payload: materialBytes(m)}
	if m.Texture == ultima9.NoTexture {
		out.Alpha, out.BaseColor[3] = asset.Blend, 0
	} else {
		l.paint(out, m)
		if d := l.digest(out.BaseColorTexture.Texture); d >= 0 {
			out.Native.Values[pictureKey] = d
		}
	}
	l.materials[m] = out
	l.scene.Materials = append(l.scene.Materials, out)
	return out
}

// digest is [digest], once for each texture.
func (l *looks) digest(t *asset.Texture) int {
	d, known := l.digests[t]
	if !known {
		d = digest(t)
		l.digests[t] = d
	}
	return d
}

func materialTitle(m ultima9.Material) string {
	if m.Texture == ultima9.NoTexture {
		return "invisible"
	}
	return pictureTitle(picture{m.Texture, m.Current})
}

func pictureTitle(p picture) string {
	if p.frame > 0 {
		return fmt.Sprintf("texture_%d_f%d", p.slot, p.frame)
	}
	return fmt.Sprintf("texture_%d", p.slot)
}

// unique gives later materials of the same name a number behind it.
func (l *looks) unique(name string) string {
	l.names[name]++
	if n := l.names[name]; n > 1 {
		return fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// paint gives a visible material its texture and the way it is drawn.
func (l *looks) paint(out *asset.Material, m ultima9.Material) {
	t := l.texture(picture{m.Texture, m.Current})
	ref := &asset.TextureRef{Texture: t}
	if m.Flags&ultima9.RenderClampS != 0 {
		ref.WrapS = asset.Clamp
	}
	if m.Flags&ultima9.RenderClampT != 0 {
		ref.WrapT = asset.Clamp
	}
	out.BaseColorTexture = ref
	if m.Flags&ultima9.RenderChromaKey != 0 || t.Alpha != asset.Opaque {
		out.Alpha = asset.Mask
	}
	if m.ActiveAlpha != 0xFF {
		out.Alpha, out.BaseColor[3] = asset.Blend, float32(m.ActiveAlpha)/255
	}
	if m.Flags&ultima9.RenderAdditive != 0 {
		out.Alpha = asset.Blend
		out.Emissive = [3]float32{1, 1, 1}
		out.EmissiveTexture = &asset.TextureRef{Texture: t, WrapS: ref.WrapS, WrapT: ref.WrapT}
	}
}

// mount returns the material of geometry that only tells where things attach: without it viewers would show it white.
func (l *looks) mount() *asset.Material {
	if l.invisible == nil {
		l.invisible = asset.NewMaterial("mount")
		l.invisible.Alpha, l.invisible.BaseColor[3] = asset.Blend, 0
		l.scene.Materials = append(l.scene.Materials, l.invisible)
	}
	return l.invisible
}

func (l *looks) texture(p picture) *asset.Texture {
	if t := l.textures[p]; t != nil {
		return t
	}
	t := &asset.Texture{Name: pictureTitle(p)}
	if full, err := l.load(p.slot); err != nil {
		l.env.Told().Warnf("texture-missing", fmt.Sprintf("texture %d", p.slot), "%v", err)
	} else if full != nil {
		at := min(int(p.frame), len(full.Frames)-1)
		t.Frames, t.Palette, t.Alpha = full.Frames[at:at+1], full.Palette, full.Alpha
		l.digest(t)
		if l.env.Options.Ultima9.Region {
			l.pack(t)
		}
	}
	l.textures[p] = t
	l.scene.Textures = append(l.scene.Textures, t)
	return t
}

// pack keeps the picture of a texture as the file that it becomes: a map has a thousand of them.
func (l *looks) pack(t *asset.Texture) {
	var out bytes.Buffer
	if err := png.Encode(&out, t, png.Options{}); err != nil {
		return // whoever writes it says so
	}
	t.File = &asset.Stored{Encoding: "png", Data: out.Bytes()}
	t.Frames, t.Palette = nil, nil
}

// load decodes a texture of the first archive at hand that has it. Without an archive it returns nil, and says so once.
func (l *looks) load(slot uint16) (*asset.Texture, error) {
	if !l.searched {
		l.searched = true
		l.search()
	}
	if len(l.archives) == 0 {
		return nil, nil
	}
	from := l.archives[0]
	for _, b := range l.archives {
		if b.Used(int(slot)) {
			from = b
			break
		}
	}
	return from.picturesAt(int(slot), l.env, l.env.Diagnostics)
}

func (l *looks) search() {
	if l.env == nil {
		return
	}
	if l.archives = bitmaps(l.env); len(l.archives) == 0 {
		l.env.Diagnostics.Notef("no-textures", "", "no archive of textures was found: the model has none")
	} else if named := l.env.Options.Textures; named != "" && l.archives[0].name != named {
		l.env.Diagnostics.Notef("textures-elsewhere", "", "%s is no archive of textures: they come from %s", named, l.archives[0].path)
	}
}

func materialValues(m ultima9.Material) map[string]any {
	return map[string]any{
		"texture": int(m.Texture), "frame": int(m.Current), "flags": int(m.Flags), "alpha": int(m.ActiveAlpha), "defaultAlpha": int(m.DefaultAlpha),
		"start": int(m.Start), "end": int(m.End), "fps": int(m.FPS), "type": int(m.Type), "backward": int(m.Backward),
	}
}

// materialBytes is a material as it is stored, without its faces.
func materialBytes(m ultima9.Material) []byte {
	b := make([]byte, 0, ultima9.MaterialSize)
	for _, v := range [...]uint16{m.Texture, m.Unknown02, uint16(m.Flags), m.Unknown06, 0, 0} {
		b = le.AppendUint16(b, v)
	}
	b = append(b, m.DefaultAlpha, m.ActiveAlpha, m.Start, m.End, m.Current, m.FPS, m.Type, m.Backward)
	return le.AppendUint32(b, m.Timer)
}

func parseMaterial(b []byte) (m ultima9.Material, ok bool) {
	if len(b) != ultima9.MaterialSize {
		return m, false
	}
	return ultima9.Material{
		Texture: le.Uint16(b), Unknown02: le.Uint16(b[2:]), Flags: ultima9.RenderFlags(le.Uint16(b[4:])), Unknown06: le.Uint16(b[6:]),
		DefaultAlpha: b[12], ActiveAlpha: b[13], Start: b[14], End: b[15], Current: b[16], FPS: b[17], Type: b[18], Backward: b[19], Timer: le.Uint32(b[20:]),
	}, true
}

// titlePattern finds the slot and frame in the name of a picture or material, and the suffixes that editors add.
var titlePattern = format.Pattern(`^(?:u9_)?(?:texture_)?(\d{1,5})(?:_f(\d{1,3}))?(?:-\d+)?(?:\.\d{3})?(?:\.(?i:png|jpe?g|tga|bmp))?$`)

// parseTitle is the reverse of pictureTitle.
func parseTitle(name string) (p picture, ok bool) {
	m := titlePattern().FindStringSubmatch(name)
	if m == nil {
		return p, false
	}
	slot, err := strconv.ParseUint(m[1], 10, 16)
	if err != nil || slot == ultima9.NoTexture {
		return p, false
	}
	frame, err := strconv.ParseUint("0"+m[2], 10, 8)
	return picture{uint16(slot), uint8(frame)}, err == nil
}
