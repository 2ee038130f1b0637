package look

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Lifter makes the materials and textures of a scene. Equal ones are made once (reference section 5).
type Lifter struct {
	Env        *format.Env
	ForReading bool // the models are shown only, and their materials are read-only, because they belong to other files

	scene     *asset.Scene
	materials map[ultima9.Material]*asset.Material
	names     map[string]int
	textures  map[Picture]*asset.Texture
	digests   map[*asset.Texture]int
	invisible *asset.Material
	archives  []beside.Archive
	searched  bool
}

// Picture identifies a frame of a texture.
type Picture struct {
	Slot  uint16
	Frame uint8
}

// NewLifter returns a Lifter that adds its materials and textures to a scene.
func NewLifter(s *asset.Scene, env *format.Env) *Lifter {
	return &Lifter{scene: s, Env: env, materials: map[ultima9.Material]*asset.Material{}, names: map[string]int{}, textures: map[Picture]*asset.Texture{}, digests: map[*asset.Texture]int{}}
}

// WithoutRange returns a stored material without its range of faces, so that equal materials can be compared.
func WithoutRange(m ultima9.Material) ultima9.Material {
	m.FirstFace, m.FaceCount = 0, 0
	return m
}

// Material returns the scene's material for a stored one.
func (l *Lifter) Material(m ultima9.Material) *asset.Material {
	m = WithoutRange(m)
	if known := l.materials[m]; known != nil {
		return known
	}
	out := asset.NewMaterial(l.unique(materialTitle(m)))
	out.Native = &asset.Native{Format: materialName, Values: l.values(&m), Payload: materialBytes(m)}
	if m.Texture == ultima9.NoTexture {
		out.Alpha, out.BaseColor[3] = asset.Blend, 0
	} else {
		l.paint(out, m)
		if d := l.digest(out.BaseColorTexture.Texture); d >= 0 {
			scene.SetShown(out.Native, pictureKey, d)
		}
	}
	l.materials[m] = out
	l.scene.Materials = append(l.scene.Materials, out)
	return out
}

// values are those of a material as they are shown.
func (l *Lifter) values(m *ultima9.Material) map[string]any {
	if l.ForReading {
		return scene.ForReading(fields(m).Values())
	}
	return fields(m).Values()
}

// digest is [digest], once for each texture.
func (l *Lifter) digest(t *asset.Texture) int {
	d, known := l.digests[t]
	if !known {
		d = Digest(t)
		l.digests[t] = d
	}
	return d
}

func materialTitle(m ultima9.Material) string {
	if m.Texture == ultima9.NoTexture {
		return "invisible"
	}
	return Picture{m.Texture, m.Current}.Title()
}

// Title returns the name of a picture.
func (p Picture) Title() string {
	if p.Frame > 0 {
		return fmt.Sprintf("texture_%d_f%d", p.Slot, p.Frame)
	}
	return fmt.Sprintf("texture_%d", p.Slot)
}

// unique gives later materials of the same name a number behind it.
func (l *Lifter) unique(name string) string {
	l.names[name]++
	if n := l.names[name]; n > 1 {
		return fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// paint gives a visible material its texture and the way it is drawn.
func (l *Lifter) paint(out *asset.Material, m ultima9.Material) {
	t := l.texture(Picture{m.Texture, m.Current})
	show(out, m, t, t.Alpha)
	if m.Flags&ultima9.RenderAdditive != 0 {
		scene.SetMix(out, scene.Add)
	}
	if b := t.Base(); t.Alpha != asset.Opaque && b != nil && b.AlphaMode(t.Palette) == asset.Opaque {
		scene.SetShown(out.Native, holesKey, 1)
	}
}

// holesKey is where a material keeps that its texture has holes of which its picture, another frame, shows none.
const holesKey = "holes"

// show draws a material as its record says, with a picture that uses its alpha in some way.
func show(out *asset.Material, m ultima9.Material, t *asset.Texture, alpha asset.AlphaMode) {
	ref := &asset.TextureRef{Texture: t}
	if m.Flags&ultima9.RenderClampS != 0 {
		ref.WrapS = asset.Clamp
	}
	if m.Flags&ultima9.RenderClampT != 0 {
		ref.WrapT = asset.Clamp
	}
	out.BaseColorTexture = ref
	if m.Flags&ultima9.RenderChromaKey != 0 || alpha != asset.Opaque {
		out.Alpha = asset.Mask
	}
	if m.Flags&ultima9.RenderTranslucent != 0 {
		out.Alpha = asset.Blend
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

// Mount returns the material for mount faces, which only say where things attach. It hides them; without a material viewers
// would show them white.
func (l *Lifter) Mount() *asset.Material {
	if l.invisible == nil {
		l.invisible = asset.NewMaterial("mount")
		l.invisible.Alpha, l.invisible.BaseColor[3] = asset.Blend, 0
		l.scene.Materials = append(l.scene.Materials, l.invisible)
	}
	return l.invisible
}

func (l *Lifter) texture(p Picture) *asset.Texture {
	if t := l.textures[p]; t != nil {
		return t
	}
	t := &asset.Texture{Name: p.Title()}
	if full, err := l.load(p.Slot); err != nil {
		l.Env.Told().Warnf("texture-missing", fmt.Sprintf("texture %d", p.Slot), "%v", err)
	} else if full != nil {
		at := min(int(p.Frame), len(full.Frames)-1)
		t.Frames, t.Palette, t.Alpha = full.Frames[at:at+1], full.Palette, full.Alpha
		l.digest(t)
		if l.Env.Options.Ultima9.Region {
			l.pack(t)
		}
	}
	l.textures[p] = t
	l.scene.Textures = append(l.scene.Textures, t)
	return t
}

// pack keeps the picture of a texture as the file that it becomes: a map has a thousand of them.
func (l *Lifter) pack(t *asset.Texture) {
	var out bytes.Buffer
	if err := png.Encode(&out, t, png.Options{}); err != nil {
		return // whoever writes it says so
	}
	t.File = &asset.Stored{Encoding: "png", Data: out.Bytes()}
	t.Frames, t.Palette = nil, nil
}

// load decodes a texture of the first archive at hand that has it. Without an archive it returns nil, and says so once.
func (l *Lifter) load(slot uint16) (*asset.Texture, error) {
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
	return picturesAt(from, int(slot), l.Env, l.Env.Diagnostics)
}

func (l *Lifter) search() {
	if l.Env == nil {
		return
	}
	if l.archives = beside.TextureArchives(l.Env); len(l.archives) == 0 {
		l.Env.Diagnostics.Notef("no-textures", "", "no archive of textures was found: the model has none")
	} else if named := l.Env.Options.Textures; named != "" && l.archives[0].Name != named {
		l.Env.Diagnostics.Notef("textures-elsewhere", "", "%s is no archive of textures: they come from %s", named, l.archives[0].Path)
	}
}

// fields are those that a person may edit, by their names.
func fields(m *ultima9.Material) scene.Fields {
	return scene.Fields{
		"texture": &m.Texture, "frame": &m.Current, "flags": &m.Flags, "alpha": &m.ActiveAlpha, "defaultAlpha": &m.DefaultAlpha,
		"start": &m.Start, "end": &m.End, "fps": &m.FPS, "type": &m.Type, "backward": &m.Backward,
	}
}

// materialBytes is a material as it is stored, without its faces.
func materialBytes(m ultima9.Material) []byte {
	b := make([]byte, 0, ultima9.MaterialSize)
	for _, v := range [...]uint16{m.Texture, m.Unknown02, uint16(m.Flags), m.Unknown06, 0, 0} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = append(b, m.DefaultAlpha, m.ActiveAlpha, m.Start, m.End, m.Current, m.FPS, m.Type, uint8(m.Backward))
	return binary.LittleEndian.AppendUint32(b, m.Timer)
}

func parseMaterial(b []byte) (m ultima9.Material, ok bool) {
	if len(b) != ultima9.MaterialSize {
		return m, false
	}
	return ultima9.Material{
		Texture: binary.LittleEndian.Uint16(b), Unknown02: binary.LittleEndian.Uint16(b[2:]), Flags: ultima9.RenderFlags(binary.LittleEndian.Uint16(b[4:])), Unknown06: binary.LittleEndian.Uint16(b[6:]),
		DefaultAlpha: b[12], ActiveAlpha: b[13], Start: b[14], End: b[15], Current: b[16], FPS: b[17], Type: b[18], Backward: ultima9.Direction(b[19]), Timer: binary.LittleEndian.Uint32(b[20:]),
	}, true
}

// Edited reports whether the native values of a material were edited.
func Edited(a *asset.Material) bool {
	if a.Native == nil || a.Native.Format != materialName {
		return false
	}
	stored, _ := parseMaterial(a.Native.Payload)
	now := stored
	return fields(&now).Take(materialName, "", a.Native) != nil || now != stored
}

// titlePattern finds the slot and frame in the name of a picture or material, and the suffixes that editors add.
var titlePattern = format.Pattern(`^(?:u9_)?(?:texture_)?(\d{1,5})(?:_f(\d{1,3}))?(?:-\d+)?(?:\.\d{3})?(?:\.(?i:png|jpe?g|tga|bmp))?$`)

// parseTitle is the reverse of [Picture.Title].
func parseTitle(name string) (p Picture, ok bool) {
	m := titlePattern().FindStringSubmatch(name)
	if m == nil {
		return p, false
	}
	slot, err := strconv.ParseUint(m[1], 10, 16)
	if err != nil || slot == ultima9.NoTexture {
		return p, false
	}
	frame, err := strconv.ParseUint("0"+m[2], 10, 8)
	return Picture{uint16(slot), uint8(frame)}, err == nil
}

// Ground returns the material for a frame of a texture on the ground.
func (l *Lifter) Ground(p Picture) *asset.Material {
	m := asset.NewMaterial(l.unique(p.Title()))
	m.BaseColorTexture = &asset.TextureRef{Texture: l.texture(p), WrapS: asset.Clamp, WrapT: asset.Clamp}
	m.Native = &asset.Native{Format: groundLookName, Values: groundFields(&p).Values()}
	if d := l.digest(m.BaseColorTexture.Texture); d >= 0 {
		scene.SetShown(m.Native, pictureKey, d)
	}
	l.scene.Materials = append(l.scene.Materials, m)
	return m
}

// CheckNames checks the names of a scene's materials.
func CheckNames(r *scene.Renames, s *asset.Scene) {
	for _, m := range s.Materials {
		if m.Native == nil || m.Native.Format != materialName {
			continue
		}
		if stored, ok := parseMaterial(m.Native.Payload); ok {
			title := materialTitle(stored)
			if _, other := renumbered(m, stored); !other && numbered().ReplaceAllString(m.Name, "") != title {
				r.Check(title, m.Name)
			}
		}
	}
}

// renumbered returns the picture that the new name of a stored material tells, and whether it does. Materials without a
// picture have no number.
func renumbered(m *asset.Material, stored ultima9.Material) (p Picture, is bool) {
	p, is = parseTitle(m.Name)
	return p, is && stored.Texture != ultima9.NoTexture && p != Picture{stored.Texture, stored.Current}
}

// numbered takes the number off that [Lifter.Material] gives to further materials of one name.
var numbered = format.Pattern(`-\d+(\.\d{3})?$`)

// materialName is Native.Format of a material of a model.
const materialName = "sappear-material"
