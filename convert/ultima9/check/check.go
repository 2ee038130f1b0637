// Package check tells what Ultima IX would stumble over: objects that it crashes on, slots that something refers to and nothing
// fills, and descriptions of textures that are not theirs.
package check

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// Kinds are the kinds of findings.
var Kinds format.FindingKinds

var (
	objectRequired = Kinds.Add("object-required", "a fixed object lacks the flag that all have: the game crashes")
	typeMissing    = Kinds.Add("type-missing", "an object is of a type that does not exist")
	modelMissing   = Kinds.Add("model-missing", "an object shows a model whose slot is empty")
	textureMissing = Kinds.Add("texture-missing", "a model wears a texture whose slot is empty in all archives")
	infoStale      = Kinds.Add("sdinfo-stale", "what sdInfo says of a texture is not true: its size, or how many frames or levels it has")
	damaged        = Kinds.Add("file-damaged", "a file, or a record of an archive, cannot be read")
)

// Game tells what the game would stumble over.
func Game(g *format.Game) []format.Finding {
	c := &checker{game: g}
	defer c.close()
	c.types()
	models := c.archive("static/sappear.flx")
	c.maps(models)
	c.textures(models)
	return c.found
}

type checker struct {
	game  *format.Game
	known []ultima9.Type // nil where types.dat is not there
	open  []io.Closer
	found []format.Finding
}

func (c *checker) close() {
	for _, f := range c.open {
		f.Close()
	}
}

func (c *checker) tell(k *format.FindingKind, at format.GameFile, entry, name, text string, args ...any) {
	c.found = append(c.found, format.Finding{Kind: k, File: at, Entry: entry, Name: name, Msg: fmt.Sprintf(text, args...)})
}

// archive is an archive of the game.
type archive struct {
	*ultima9.Archive
	at format.GameFile
}

// used reports whether a slot is filled. Of an archive that is not there, or cannot be read, nothing is said.
func (a *archive) used(slot int) bool { return a == nil || a.Used(slot) }

// archive opens an archive; nil when there is none.
func (c *checker) archive(name string) *archive {
	at, ok := c.game.Find(name)
	if !ok {
		return nil
	}
	r, err := c.game.OpenAt(at)
	if err != nil {
		return nil // which is told already
	}
	c.open = append(c.open, r)
	a, err := read.FLX(r, at.Size, nil)
	if err != nil {
		c.tell(damaged, at, "", "", "%v", err)
		return nil
	}
	return &archive{a, at}
}

// payload reads a slot; one that cannot be read is told.
func (c *checker) payload(a *archive, slot int) (b []byte, ok bool) {
	b, err := a.Payload(slot)
	if err != nil {
		c.tell(damaged, a.at, strconv.Itoa(slot), "", "%v", err)
	}
	return b, err == nil
}

func (c *checker) types() {
	at, ok := c.game.Find("static/types.dat")
	if !ok {
		return
	}
	b, err := c.game.Read(at)
	if err != nil {
		return
	}
	x, err := read.Types(b, nil)
	if err != nil {
		c.tell(damaged, at, "", "", "%v", err)
		return
	}
	c.known = x.Records
}

// maps looks at the objects of all maps.
func (c *checker) maps(models *archive) {
	kinds := map[string]ultima9.ObjectKind{"fixed": ultima9.Fixed, "nonfixed": ultima9.Nonfixed}
	for _, at := range slices.Concat(c.game.Files("static"), c.game.Files("runtime")) {
		name, number, _ := strings.Cut(strings.ToLower(path.Base(at.Path)), ".")
		kind, ok := kinds[name]
		if _, err := strconv.ParseUint(number, 10, 8); !ok || err != nil {
			continue
		}
		b, err := c.game.Read(at)
		if err != nil {
			continue
		}
		x, err := world.ReadObjects(b, kind)
		if err != nil {
			c.tell(damaged, at, "", "", "%v", err)
			continue
		}
		c.objects(at, x, models)
	}
}

// objects looks at the objects of a map. What many of them have in common is told once.
func (c *checker) objects(at format.GameFile, x *ultima9.ObjectFile, models *archive) {
	types, shown := map[int]int{}, map[int]int{} // objects by type and by model
	x.Walk(func(o, _ *ultima9.Object) {
		if x.Kind == ultima9.Fixed && o.Flags&ultima9.ObjectPresent == 0 {
			c.tell(objectRequired, at, fmt.Sprintf("0x%x", o.Offset), strconv.Itoa(int(o.Type)), "its flags are %v, without %v", o.Flags, ultima9.ObjectPresent)
		}
		if o.Type >= ultima9.TypeCount {
			types[int(o.Type)]++
			return
		}
		if model := c.modelOf(o, x.Kind); model != 0 && !models.used(model) {
			shown[model]++
		}
	})
	for _, n := range slices.Sorted(maps.Keys(types)) {
		c.tell(typeMissing, at, "", strconv.Itoa(n), "there is no type %d, of which it has %s: the last one is %d", n, schema.Counted(types[n], "object", "objects"), ultima9.TypeCount-1)
	}
	for _, n := range slices.Sorted(maps.Keys(shown)) {
		c.tell(modelMissing, at, "", strconv.Itoa(n), "slot %d of sappear.flx is empty, which %s", n, schema.Counted(shown[n], "object shows", "objects show"))
	}
}

// modelOf returns the model that shows an object, 0 for none.
func (c *checker) modelOf(o *ultima9.Object, kind ultima9.ObjectKind) int {
	switch {
	case kind == ultima9.Nonfixed:
		return int(o.Model)
	case int(o.Type) < len(c.known):
		return int(c.known[o.Type].Model)
	}
	return 0
}

// textures looks at the archives of textures, and at what models wear.
func (c *checker) textures(models *archive) {
	var pictures []*archive
	for _, name := range beside.TextureNames {
		if a := c.archive("static/" + name); a != nil {
			pictures = append(pictures, a)
			c.infos(a, c.archive("static/"+beside.InfoArchive(name)))
		}
	}
	if models == nil || len(pictures) == 0 {
		return
	}
	for slot := range models.Len() {
		if models.Used(slot) {
			c.model(models, slot, pictures)
		}
	}
}

// model looks at what a model wears. Records of the dead older layout say nothing.
func (c *checker) model(models *archive, slot int, pictures []*archive) {
	b, ok := c.payload(models, slot)
	if !ok {
		return
	}
	m, err := read.Sappear(b, nil)
	if err != nil {
		if _, older := read.Indexed(b, nil); older != nil {
			c.tell(damaged, models.at, strconv.Itoa(slot), "", "%v", err)
		}
		return
	}
	worn := map[int]bool{}
	for _, limb := range m.Limbs {
		for _, level := range limb.LODs {
			for _, x := range level.Materials {
				worn[int(x.Texture)] = x.Texture != ultima9.NoTexture
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(worn)) {
		if worn[n] && !slices.ContainsFunc(pictures, func(a *archive) bool { return a.used(n) }) {
			c.tell(textureMissing, models.at, strconv.Itoa(slot), strconv.Itoa(n), "it wears texture %d, and that slot is empty", n)
		}
	}
}

// infos compares textures with what is said of them.
func (c *checker) infos(pictures, infos *archive) {
	for slot := 0; infos != nil && slot < pictures.Len(); slot++ {
		if !pictures.Used(slot) || !infos.used(slot) {
			continue
		}
		b, ok := c.payload(pictures, slot)
		said, also := c.payload(infos, slot)
		if ok && also {
			c.info(infos, slot, b, said)
		}
	}
}

func (c *checker) info(infos *archive, slot int, texture, said []byte) {
	t, err := read.Texture(texture, nil)
	if err != nil {
		return // other textures than the game's are kept as they are
	}
	was, err := read.SDInfo(said, nil)
	if err != nil {
		c.tell(damaged, infos.at, strconv.Itoa(slot), "", "%v", err)
		return
	}
	is := *was
	is.Describe(t)
	before, now := facts(was), facts(&is)
	if before != now {
		c.tell(infoStale, infos.at, strconv.Itoa(slot), "", "it says %s, and the texture has %s", before, now)
	}
}

// facts are what the game has to know of a texture before it loads it.
func facts(s *ultima9.SDInfo) string {
	return fmt.Sprintf("%d x %d pixels, at most %d x %d, frames %d, levels %d", s.Width, s.Height, s.MaxWidth, s.MaxHeight, s.Frames, s.Mips)
}
