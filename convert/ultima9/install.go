package ultima9

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/check"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// Install describes an installation of the game.
var Install = format.Install{
	Family: family, Title: "Ultima IX installation", Describe: describeInstall,
	Folders: []string{"static", "runtime"}, Check: check.Game, Kinds: check.Kinds,
}

// maxMap is the highest number of a map that is looked for.
const maxMap = 99

// survey collects what the files of an installation say of each other. Slots of archives and types are numbers.
type survey struct {
	env   *format.Env
	types []ultima9.Type
	names []*ultima9.TypeName

	models, textures, clips map[int]bool  // slots in use
	typesOf                 map[int][]int // by model
	texturesOf              map[int][]int // by model
	iconOf                  map[int][]int // types by texture
	usersOf                 map[int][]int // models by texture
	groundOf                map[int][]int // maps by texture
	placed                  map[int][]int // maps by type, one entry an object
	modelIn                 map[int][]int // maps by model, one entry an object that shows it
	maps                    []string      // in words
}

func describeInstall(env *format.Env) []format.Part {
	s := &survey{env: env, typesOf: map[int][]int{}, texturesOf: map[int][]int{}, iconOf: map[int][]int{}, usersOf: map[int][]int{}, groundOf: map[int][]int{},
		placed: map[int][]int{}, modelIn: map[int][]int{}}
	for _, name := range []string{"types.dat", "sappear.flx"} {
		if _, _, _, err := env.FindAt(name); err != nil {
			return nil
		}
	}
	s.readTypes()
	s.readModels()
	s.textures, s.clips = slots(s.archive(beside.TextureNames...)), slots(s.archive("anim.flx"))
	s.readMaps()
	parts := []format.Part{{Facts: s.summary()}}
	parts = append(parts, s.modelParts()...)
	parts = append(parts, s.textureParts()...)
	return append(parts, s.typeParts()...)
}

// archive opens an archive of the installation; it is nil where it is missing or damaged.
func (s *survey) archive(names ...string) *ultima9.Archive {
	r, size, path, err := s.env.FindAt(names...)
	if err != nil {
		return nil
	}
	a, err := read.FLX(r, size, nil)
	if err != nil {
		s.env.Told().Warnf("damaged", path, "%v", err)
		return nil
	}
	return a
}

// slots returns the slots of an archive that are in use.
func slots(a *ultima9.Archive) map[int]bool {
	list := map[int]bool{}
	for i := 0; a != nil && i < a.Len(); i++ {
		if a.Used(i) {
			list[i] = true
		}
	}
	return list
}

func (s *survey) readTypes() {
	s.names = beside.TypeNames(s.env)
	if b, path, err := s.env.Find("types.dat"); err == nil {
		t, err := read.Types(b, nil)
		if err != nil {
			s.env.Told().Warnf("damaged", path, "%v", err)
			return
		}
		s.types = t.Records[:min(int(t.Active), len(t.Records))]
	}
	for i, t := range s.types {
		if t.Model != 0 {
			s.typesOf[int(t.Model)] = append(s.typesOf[int(t.Model)], i)
		}
	}
	for i, n := range s.names {
		if n != nil && n.Icon != ultima9.DefaultIcon {
			s.iconOf[int(n.Icon)] = append(s.iconOf[int(n.Icon)], i)
		}
	}
}

func (s *survey) readModels() {
	a := s.archive("sappear.flx")
	s.models = slots(a)
	for _, i := range slices.Sorted(maps.Keys(s.models)) {
		b, err := a.Payload(i)
		if err != nil {
			s.env.Told().Warnf("damaged", fmt.Sprintf("sappear.flx:%d", i), "%v", err)
			continue
		}
		m, err := read.Sappear(b, nil)
		if err != nil {
			if _, older := read.Indexed(b, nil); older != nil {
				s.env.Told().Warnf("damaged", fmt.Sprintf("sappear.flx:%d", i), "%v", err)
			}
			continue
		}
		used := map[int]bool{}
		for k := range m.Limbs {
			for l := range m.Limbs[k].LODs {
				for _, material := range m.Limbs[k].LODs[l].Materials {
					if material.Texture != ultima9.NoTexture {
						used[int(material.Texture)] = true
					}
				}
			}
		}
		s.texturesOf[i] = slices.Sorted(maps.Keys(used))
		for t := range used {
			s.usersOf[t] = append(s.usersOf[t], i)
		}
	}
}

// readMaps reads the maps and notes what stands on them.
func (s *survey) readMaps() {
	for number := range maxMap + 1 {
		ext := "." + strconv.Itoa(number)
		var words []string
		if b, path, err := s.env.Find("terrain" + ext); err == nil {
			if t, err := read.Terrain(b, nil); err != nil {
				s.env.Told().Warnf("damaged", path, "%v", err)
			} else {
				s.ground(t, number)
				words = append(words, fmt.Sprintf("%s, %d x %d points", strconv.Quote(t.Name.Text), t.Width, t.Height))
			}
		}
		for _, kind := range []ultima9.ObjectKind{ultima9.Fixed, ultima9.Nonfixed} {
			b, path, err := s.env.Find(kind.String() + ext)
			if err != nil {
				continue
			}
			x, err := world.ReadObjects(b, kind)
			if err != nil {
				s.env.Told().Warnf("damaged", path, "%v", err)
				continue
			}
			n := 0
			x.Walk(func(o, _ *ultima9.Object) {
				n++
				s.placed[int(o.Type)] = append(s.placed[int(o.Type)], number)
				if model := s.modelOf(o, kind); model != 0 || kind == ultima9.Nonfixed {
					s.modelIn[model] = append(s.modelIn[model], number)
				}
			})
			words = append(words, fmt.Sprintf("%d %s objects", n, kind))
		}
		if len(words) > 0 {
			s.maps = append(s.maps, fmt.Sprintf("%d: %s", number, strings.Join(words, ", ")))
		}
	}
}

// modelOf returns the slot of the model that shows an object.
func (s *survey) modelOf(o *ultima9.Object, kind ultima9.ObjectKind) int {
	if kind == ultima9.Nonfixed {
		return int(o.Model)
	}
	if int(o.Type) < len(s.types) {
		return int(s.types[o.Type].Model)
	}
	return 0
}

// ground notes the textures of a terrain.
func (s *survey) ground(t *ultima9.Terrain, number int) {
	used := map[int]bool{}
	for i := range t.Chunks {
		for _, p := range &t.Chunks[i] {
			if p.Visible() {
				used[p.Texture()] = true
			}
		}
	}
	for n := range used {
		s.groundOf[n] = append(s.groundOf[n], number)
	}
}

// typeTitle is the number of a type, with its name where it has one.
func (s *survey) typeTitle(i int) string {
	if i < len(s.names) && s.names[i] != nil && s.names[i].Name != nil {
		return strings.TrimSpace(fmt.Sprintf("%d %s", i, *s.names[i].Name))
	}
	return strconv.Itoa(i)
}
