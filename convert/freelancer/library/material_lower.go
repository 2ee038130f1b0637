package library

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// LowerMaterials updates the materials that a scene's meshes use, and their textures.
func (e *Editor) LowerMaterials(used []*asset.Material) error {
	if err := e.lowerMaterialAnims(used); err != nil {
		return err
	}
	defer e.tellLooks()
	var fresh []*freelancer.Material
	byCRC := map[uint32]*asset.Material{}
	for _, a := range used {
		crc := mesh.MaterialCRC(a)
		if other := byCRC[crc]; other != nil {
			e.told.Warnf("material-clash", a.Name, "the game cannot tell it from %q; that one counts", other.Name)
			continue
		}
		byCRC[crc] = a
		m, err := e.lowerMaterial(crc, a)
		if err != nil {
			return err
		}
		if m != nil {
			fresh = append(fresh, m)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	var all []*freelancer.Material
	if dir := e.tree.Root.Child(freelancer.MaterialLibrary); dir != nil {
		for _, l := range e.materials {
			if l.own && l.m != nil && l.m.Node != nil && slices.Contains(dir.Children, l.m.Node) {
				all = append(all, l.m)
			}
		}
		slices.SortFunc(all, func(a, b *freelancer.Material) int {
			return slices.Index(dir.Children, a.Node) - slices.Index(dir.Children, b.Node)
		})
	}
	return write.Materials(e.tree.Root, append(all, fresh...))
}

// lowerMaterialAnims takes over edited motions of texture coordinates: nine numbers a step (see Library.LiftAnimations).
func (e *Editor) lowerMaterialAnims(used []*asset.Material) error {
	stored, err := read.MaterialAnims(e.tree.Root, nil)
	if err != nil {
		return err
	}
	for _, a := range used {
		values := rig.Values(a.Native)
		if values[animationKey] == nil {
			continue
		}
		rows := rig.Numbers(values, animationKey)
		if len(rows) == 0 || len(rows)%9 != 0 || slices.ContainsFunc(rows, func(x float64) bool { return math.Abs(x) > math.MaxFloat32 }) {
			e.told.Warnf("texture-animation", a.Name, "its %s is no list of nine numbers for each step: it stays as it was", animationKey)
			continue
		}
		m := &freelancer.MaterialAnim{Material: mesh.MaterialName(a), Flags: 2}
		for _, old := range stored {
			if freelancer.FLCRC(old.Material) == mesh.MaterialCRC(a) {
				m = old
				break
			}
		}
		segments := make([]freelancer.MaterialSegment, len(rows)/9)
		for i := range segments {
			s, row := &segments[i], rows[9*i:]
			s.Duration, s.Speed, s.Key = float32(row[0]), [4]float32(scene.Narrow(row[1:5])), [4]float32(scene.Narrow(row[5:9]))
		}
		if !slices.Equal(m.Segments, segments) {
			m.Segments = segments
			if err := write.MaterialAnim(e.tree.Root, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// lowerMaterial changes the stored material with a hash where the visible one differs. It returns one that has yet to
// be stored, or nil.
func (e *Editor) lowerMaterial(crc uint32, a *asset.Material) (*freelancer.Material, error) {
	l := e.materials[crc]
	known := l != nil && l.m != nil && !l.nameOnly
	if was := rig.Values(a.Native); was != nil && was["own"] != float64(1) && (!known || was["drawn"] != nil) { // it lies in another file
		named, _ := was["name"].(string)
		switch {
		case asDrawn(a) && (!known || !painted(a)):
			e.unheld.Compare(a, asShown(a), &e.room, true)
			return nil, e.foreignEdits(a)
		case known:
		case named == "":
			return e.nameMaterial(crc, a)
		default:
			e.told.Lossf("material-copied", a.Name, "the material was edited and lies in a file that is not at hand: this file gets one of what the scene shows")
		}
	}
	base := asset.NewMaterial(a.Name)
	base.BaseColor = [4]float32{-1, -1, -1, -1}
	m := &freelancer.Material{Name: mesh.MaterialName(a)}
	if known {
		base, m = e.Material(crc), l.m
	}
	to := here
	if known && !l.own {
		to = e.destination(l.path, wornBy(e.tree.Root).has(crc))
	}
	if known && isAir(m.Type) {
		a = e.withoutTable(a, m, base)
	}
	typ := e.typeOf(a, m, base, known)
	slots := map[string]*asset.TextureRef{"Dt": a.BaseColorTexture, "Et": a.EmissiveTexture}
	was := map[string]*asset.TextureRef{"Dt": base.BaseColorTexture, "Et": base.EmissiveTexture}
	changed := typ != m.Type
	set := freelancer.Material{Name: m.Name, Type: typ, Node: m.Node, Properties: slices.Clone(m.Properties)}
	set.Set(freelancer.Property{Name: "Type", Kind: freelancer.TextProperty, Text: typ})

	values, err := takeValues(&set, a, base, known)
	if err != nil {
		return nil, err
	}
	changed = changed || values
	for _, slot := range [...]string{"Dt", "Et"} {
		edited, err := e.lowerSlot(&set, slot, was[slot], slots[slot], to)
		if err != nil {
			return nil, err
		}
		changed = changed || edited
	}
	e.reportUnder(a, &set, base)
	e.unheld.Compare(a, e.liftMaterial(&set), &e.room, known)
	if !changed {
		return nil, nil
	}
	if to == left {
		e.tellLeft("material", a.Name, l.path)
		return nil, nil
	}
	*m = set
	if known && l.own {
		return nil, write.Material(m)
	}
	if known {
		m = e.copied(crc, a, m, l.path, to)
	}
	e.materials[crc] = &material{m: m, own: true, asset: a}
	return m, nil
}

// copied returns an edited copy of a material of another file; apart from that it has a name of its own, and what this file shows
// wears it.
func (e *Editor) copied(crc uint32, a *asset.Material, m *freelancer.Material, path string, to destination) *freelancer.Material {
	c := *m
	c.Node = nil
	if to == apart {
		c.Name = e.freeMaterial(a, e.stem+"_"+m.Name)
		e.repointed = append(e.repointed, repointing{crc, m.Name, c.Name})
		e.materials[freelancer.FLCRC(c.Name)] = &material{m: &c, own: true, asset: a}
		e.told.Notef("material-apart", a.Name, "the material was edited: this file gets one of its own called %q, and wears that", c.Name)
		return &c
	}
	e.took[c.Name] = true
	if !e.isBase(path) {
		e.tellShared(a.Name, path, e.wearersOf(path).ofMaterial(crc))
	}
	e.told.Notef("material-copied", a.Name, "the material lies in another file; this file gets an edited copy")
	return &c
}

// nameMaterial stores an edited material whose name nobody knows under a new name, which this file's meshes get to know.
func (e *Editor) nameMaterial(crc uint32, a *asset.Material) (*freelancer.Material, error) {
	own := *a
	own.Name, own.Native = e.freeMaterial(a, pictureName(a)), nil
	if !e.wears(crc) {
		e.told.Lossf("material-unknown", a.Name, "the material was edited, but neither its name is known nor does a mesh in this file wear it: its library has it")
		return nil, nil
	}
	m, err := e.lowerMaterial(freelancer.FLCRC(own.Name), &own)
	if m == nil || err != nil {
		return nil, err
	}
	e.told.Warnf("material-named", a.Name, "the material was edited, and nobody knows its name in the file that it lies in: this file gets one called %q, and its meshes wear that", m.Name)
	e.repointed = append(e.repointed, repointing{crc, "", m.Name})
	return m, nil
}

// repointing is a material that the meshes of a file are to wear in place of another one.
type repointing struct {
	from uint32
	was  string // empty where nobody knows it
	to   string
}

// pictureName returns a name for a material that has none: what its picture is called.
func pictureName(a *asset.Material) string {
	if t := a.BaseColorTexture; t != nil && t.Texture != nil && t.Texture.Name != "" {
		return strings.TrimSuffix(t.Texture.Name, path.Ext(t.Texture.Name))
	}
	return "material"
}

// freeMaterial returns a free name for a material that gets a new one: what a person called it, or else the one that is given.
func (e *Editor) freeMaterial(a *asset.Material, name string) string {
	e.renames = slices.DeleteFunc(e.renames, func(r renaming) bool {
		if r.was == a.Name {
			name = r.now
		}
		return r.was == a.Name
	})
	name = mesh.MaterialName(&asset.Material{Name: name})
	full := name
	text, _ := schema.EncodeWindows1252(name) // a letter is one byte there
	short := schema.DecodeWindows1252(text[:min(len(text), 55)])
	for k := 2; e.Has(full); k++ {
		full = fmt.Sprintf("%s_%d", short, k)
	}
	return full
}

// wears reports whether a mesh of this file has a group with a material.
func (e *Editor) wears(crc uint32) (worn bool) {
	for _, m := range e.Own {
		worn = worn || slices.ContainsFunc(m.VMesh.Groups, func(g freelancer.MeshGroup) bool { return g.Material == crc })
	}
	return worn
}

// foreignEdits stores the edited pictures of a material that lies in a file that is not at hand.
func (e *Editor) foreignEdits(a *asset.Material) error {
	for _, r := range texturesOf(a) {
		if r == nil || r.Texture == nil {
			continue
		}
		if _, err := e.lowerTexture(r.Texture, here); err != nil {
			return err
		}
	}
	return nil
}

// asDrawn reports whether a material of another file looks as it did when it was shown, but for what its pictures show.
func asDrawn(a *asset.Material) bool {
	drawn, said := rig.Values(a.Native)["drawn"]
	if said && drawn != drawnOf(a) {
		return false
	}
	if was := rig.Values(a.Native)[numbersKey]; was != nil && was != numbersOf(a) {
		return false
	}
	for _, r := range texturesOf(a) {
		if !said && r != nil && r.Texture != nil && rig.Values(r.Texture.Native)["picture"] == nil {
			return false // GLBs of before say no more than which pictures are theirs
		}
	}
	return sameAsShown(a)
}

// painted reports whether a picture of a material is another one than was shown.
func painted(a *asset.Material) bool {
	for _, r := range texturesOf(a) {
		if r != nil && r.Texture != nil && rig.Values(r.Texture.Native)["picture"] != texture.Fingerprint(r.Texture) {
			return true
		}
	}
	return false
}

// typeOf chooses the shader: that of the file, what the person put there, or one after the inputs that are used.
func (e *Editor) typeOf(a *asset.Material, m *freelancer.Material, base *asset.Material, known bool) string {
	if t, ok := rig.Values(a.Native)["type"].(string); ok && t != "" && (!known || t != m.Type) {
		return t
	}
	if known {
		return e.retyped(a, m, base)
	}
	typ := "Dc"
	if a.BaseColorTexture != nil {
		typ += "Dt"
	}
	switch {
	case a.EmissiveTexture != nil:
		typ += "Et"
	case a.Emissive != [3]float32{}:
		typ += "Ec"
	}
	if a.Alpha == asset.Blend {
		typ += "OcOt"
	}
	if a.DoubleSided {
		typ += "Two"
	}
	if a.BaseColorTexture == nil {
		typ = strings.Replace(typ, "Dc", "DcDt", 1) // the game has no shader without a texture
	}
	return typ
}

// shaderTokens are the inputs that the name of a shader tells, in their order.
var shaderTokens = [...]string{"Dc", "Ac", "Sc", "Dt", "Bt", "Ec", "Et", "Oc", "Ot", "Two"}

// retyped returns the shader of a stored material with the inputs that were added and without those that were taken away.
func (e *Editor) retyped(a *asset.Material, m *freelancer.Material, base *asset.Material) string {
	wants := map[string]bool{}
	change := func(was, is bool, tokens ...string) {
		for _, t := range tokens {
			if was != is {
				wants[t] = is
			}
		}
	}
	change(base.Alpha == asset.Blend, a.Alpha == asset.Blend, "Oc", "Ot")
	change(base.DoubleSided, a.DoubleSided, "Two")
	change(base.EmissiveTexture != nil, a.EmissiveTexture != nil, "Et")
	if dark := [3]float32{}; base.Emissive == dark && a.Emissive != dark && a.EmissiveTexture == nil {
		wants["Ec"] = true
	}
	if len(wants) == 0 {
		return m.Type
	}
	tokens := freelancer.Tokens(m.Type)
	if tokens == nil {
		e.told.Lossf("material-type", a.Name, "the shader %s cannot be made transparent, two-sided or shining here", m.Type)
		return m.Type
	}
	typ := ""
	for _, t := range shaderTokens {
		if is, changed := wants[t]; is || !changed && slices.Contains(tokens, t) {
			typ += t
		}
	}
	return typ
}

// reportUnder reports a texture that shows where another one was taken off.
func (e *Editor) reportUnder(a *asset.Material, m *freelancer.Material, base *asset.Material) {
	if base.BaseColorTexture == nil || a.BaseColorTexture != nil || a.EmissiveTexture != nil {
		return
	}
	for _, slot := range otherSlots {
		if name, _, ok := m.Slot(slot); ok && name != "" {
			e.told.Warnf("texture-under", a.Name, "its texture was taken off, and the one below it shows instead: %q (%s)", name, slot)
			return
		}
	}
}

// Looks is what the game's materials can hold besides colour and picture.
const Looks = scene.LookBlend | scene.LookDoubleSided | scene.LookEmissive | scene.LookEmissiveTexture

// tellLooks reports what materials show that their stored ones do not.
func (e *Editor) tellLooks() {
	e.unheld.Tell(e.told, "", &e.room)
	e.unheld = scene.Unheld{}
}

// asShown returns a material as its library shows it, which is not at hand, where asDrawn has looked at all that it remembers.
func asShown(a *asset.Material) *asset.Material {
	usual := asset.NewMaterial(a.Name)
	is := *a
	if look := rig.Numbers(rig.Values(a.Native), "look"); len(look) == len(lookOf(a)) {
		is.Alpha = asset.AlphaMode(look[lookAlpha])
	}
	is.Roughness, is.EmissiveStrength = usual.Roughness, usual.EmissiveStrength
	if a.BaseColorTexture != nil {
		r := *a.BaseColorTexture
		r.Filter = asset.Unset
		is.BaseColorTexture = &r
	}
	return &is
}

func colorProperty(name string, c []float32) freelancer.Property {
	p := freelancer.Property{Name: name, Kind: freelancer.FloatProperty}
	for _, x := range c {
		p.Floats = append(p.Floats, scene.Display(x))
	}
	return p
}

// sameAsShown reports whether a material looks as it did when it was shown; one that does not remember does.
func sameAsShown(a *asset.Material) bool {
	was, now := rig.Numbers(rig.Values(a.Native), "look"), lookOf(a)
	if len(was) != len(now) {
		return true
	}
	for i, x := range was {
		y, _ := now[i].(float64)
		switch {
		case i < lookAlpha:
			x, y = float64(scene.Display(float32(x))), float64(scene.Display(float32(y)))
		case i == lookAlpha: // the game blends, or it does not
			x, y = flag(x == float64(asset.Blend)), flag(y == float64(asset.Blend))
		}
		if math.Abs(x-y) > 2e-3 {
			return false
		}
	}
	return true
}

// renaming is a material that has another name in the scene.
type renaming struct {
	was, now string
}

// UndoRenames gives materials their stored names back until all other edits are done, because meshes refer to them by these
// names. A copy that an editor made beside its original is a new material.
func (e *Editor) UndoRenames(list []*asset.Material) {
	names := map[string]bool{}
	for _, a := range list {
		names[a.Name] = true
	}
	for _, a := range list {
		values := rig.Values(a.Native)
		was, _ := values["name"].(string)
		if was == "" {
			was, _ = values["crc"].(string)
		}
		if was == "" || was == a.Name || names[was] {
			continue
		}
		e.renames = append(e.renames, renaming{was, a.Name})
		names[was] = true
		a.Name = was
	}
}

// ApplyRenames gives renamed materials their new names, in the library and in all references of the file. Materials of
// other files keep theirs.
func (e *Editor) ApplyRenames() error {
	for _, r := range e.renames {
		l := e.materials[freelancer.FLCRC(r.was)]
		now := mesh.MaterialName(&asset.Material{Name: r.now})
		switch taken := e.materials[freelancer.FLCRC(now)]; {
		case l == nil || !l.own || l.m == nil || l.m.Node == nil:
			e.told.Lossf("material-name-kept", r.was, "it is called %q now, but lies in another file, by whose name for it the model refers to it: it keeps that", r.now)
			continue
		case taken != nil && taken != l:
			e.told.Lossf("material-name-kept", r.was, "there is a material %q already: it keeps its name", now)
			continue
		}
		e.told.Notef("material-renamed", r.was, "the material is called %q now; models in other files that wear it refer to the old name", now)
		l.m.Node.Name, l.m.Name = now, now
		if err := e.renameUses(freelancer.FLCRC(r.was), r.was, now); err != nil {
			return err
		}
	}
	for _, r := range e.repointed {
		if err := e.renameUses(r.from, r.was, r.to); err != nil {
			return err
		}
	}
	return nil
}

// renameUses makes meshes, characters, planets and motions of texture coordinates refer to a material by its new name. Where
// the old one is not known, meshes alone do.
func (e *Editor) renameUses(from uint32, was, now string) error {
	to := freelancer.FLCRC(now)
	var err error
	e.tree.Root.Walk(func(_ string, n *freelancer.Node) bool {
		_, side := freelancer.NumberOf(n.Name, "M")
		switch {
		case err != nil || n.IsDir() || len(n.Data) == 0:
		case freelancer.SameName(n.Name, "VMeshData"):
			var v *freelancer.VMesh
			if v, err = read.VMesh(n.Data, nil); err != nil {
				return false
			}
			if slices.ContainsFunc(v.Groups, func(g freelancer.MeshGroup) bool { return g.Material == from }) {
				n.Data = slices.Clone(n.Data)
				for i, g := range v.Groups {
					if g.Material == from {
						binary.LittleEndian.PutUint32(n.Data[16+12*i:], to)
					}
				}
			}
		case was != "" && (side || freelancer.SameName(n.Name, "Material_name")):
			if t, bad := read.Text(n.Data, nil); bad == nil && freelancer.SameName(t.Value, was) {
				t.Value = now
				n.Data, err = write.Text(t)
			}
		}
		return true
	})
	if dir := e.tree.Root.Child("MaterialAnim"); dir != nil && was != "" {
		for _, n := range dir.Children {
			if freelancer.SameName(n.Name, was) {
				n.Name = now
			}
		}
	}
	return err
}
