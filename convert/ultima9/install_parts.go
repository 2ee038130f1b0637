package ultima9

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/usher-assets/usher/convert/format"
)

// countedArchives are the archives of which the summary tells the number of records.
var countedArchives = []struct{ what, file string }{
	{"music", "music.flx"}, {"sound effects", "sfx.flx"}, {"speech", "speech.flx"}, {"lines of text", "text.flx"}, {"books", "books-en.flx"},
	{"activities", "activity.flx"}, {"triggers", "triggers.flx"}, {"areas", "areas.flx"}, {"spaces", "spaces.flx"},
}

// summary describes the whole installation.
func (s *survey) summary() []format.Fact {
	facts := []format.Fact{{Name: "maps", Value: len(s.maps)}}
	for _, m := range s.maps {
		facts = append(facts, format.Fact{Name: "map", Value: m})
	}
	named := 0
	for i := range s.types {
		if i < len(s.names) && s.names[i] != nil && s.names[i].Name != nil && *s.names[i].Name != "" {
			named++
		}
	}
	shown, used, dangling := 0, 0, map[int]bool{}
	for i := range s.models {
		if len(s.typesOf[i])+len(s.modelIn[i]) > 0 {
			shown++
		}
	}
	for i := range s.textures {
		if len(s.usersOf[i])+len(s.iconOf[i])+len(s.groundOf[i]) > 0 {
			used++
		}
	}
	facts = append(facts,
		format.Fact{Name: "types", Value: fmt.Sprintf("%d, %d of them with a name", len(s.types), named)},
		format.Fact{Name: "models", Value: fmt.Sprintf("%d, %d of them shown by a type or an object", len(s.models), shown)},
		format.Fact{Name: "textures", Value: fmt.Sprintf("%d, %d of them used by a model, the ground or as an icon", len(s.textures), used)},
		format.Fact{Name: "animations", Value: len(s.clips)})
	for _, c := range countedArchives {
		if a := s.archive(c.file); a != nil {
			facts = append(facts, format.Fact{Name: c.what, Value: len(slots(a))})
		}
	}
	for i, list := range s.typesOf {
		if !s.models[i] && len(s.models) > 0 {
			for _, t := range list {
				dangling[t] = true
			}
		}
	}
	if len(dangling) > 0 {
		facts = append(facts, format.Fact{Name: "types whose model is missing", Value: s.titles(slices.Sorted(maps.Keys(dangling)))})
	}
	missing := map[int]bool{}
	for t := range s.usersOf {
		if len(s.textures) > 0 && !s.textures[t] {
			missing[t] = true
		}
	}
	if len(missing) > 0 {
		facts = append(facts, format.Fact{Name: "textures of models that are missing", Value: numbers(slices.Sorted(maps.Keys(missing)))})
	}
	return facts
}

func (s *survey) titles(types []int) []string {
	list := make([]string, len(types))
	for i, t := range types {
		list[i] = s.typeTitle(t)
	}
	return list
}

func numbers(list []int) []string {
	text := make([]string, len(list))
	for i, n := range list {
		text[i] = strconv.Itoa(n)
	}
	return text
}

// timesOn sums up on which maps something stands, and how often.
func timesOn(list []int) []string {
	counts := map[int]int{}
	for _, m := range list {
		counts[m]++
	}
	var text []string
	for _, m := range slices.Sorted(maps.Keys(counts)) {
		text = append(text, fmt.Sprintf("map %d × %d", m, counts[m]))
	}
	return text
}

// described makes a part of the facts that say something.
func described(name string, facts ...format.Fact) format.Part {
	return format.Part{Name: name, Facts: slices.DeleteFunc(facts, func(f format.Fact) bool {
		list, ok := f.Value.([]string)
		return ok && len(list) == 0
	})}
}

// modelParts reports each model its types, textures and places.
func (s *survey) modelParts() (parts []format.Part) {
	for _, i := range slices.Sorted(maps.Keys(s.models)) {
		parts = append(parts, described(fmt.Sprintf("model %d", i), format.Fact{Name: "types", Value: s.titles(s.typesOf[i])},
			format.Fact{Name: "textures", Value: numbers(s.texturesOf[i])}, format.Fact{Name: "placed", Value: timesOn(s.modelIn[i])}))
	}
	return parts
}

// textureParts reports each texture which models, maps and icons it is on.
func (s *survey) textureParts() (parts []format.Part) {
	for _, i := range slices.Sorted(maps.Keys(s.textures)) {
		parts = append(parts, described(fmt.Sprintf("texture %d", i), format.Fact{Name: "models", Value: numbers(s.usersOf[i])},
			format.Fact{Name: "ground of maps", Value: numbers(s.groundOf[i])}, format.Fact{Name: "icon of types", Value: s.titles(s.iconOf[i])}))
	}
	return parts
}

// typeParts reports each type its model and where it stands.
func (s *survey) typeParts() (parts []format.Part) {
	for i, t := range s.types {
		facts := []format.Fact{{Name: "model", Value: int(t.Model)}}
		if i < len(s.names) && s.names[i] != nil {
			facts = append(facts, format.Fact{Name: "icon", Value: int(s.names[i].Icon)})
		}
		parts = append(parts, described("type "+s.typeTitle(i), append(facts, format.Fact{Name: "placed", Value: timesOn(s.placed[i])})...))
	}
	return parts
}
