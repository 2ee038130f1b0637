package freelancer

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// lowerRecords writes the records that the game wants of a model, and of those that stood in its scene, beside it.
func lowerRecords(name string, e *editor, t *freelancer.Tree, others []game.Piece, library bool) error {
	if !e.env.Options.Freelancer.Records {
		return nil
	}
	stem := cmp.Or(e.env.Output, e.stem)
	if !game.Plain(stem) {
		return schema.Errorf(name, schema.ErrValue, stem, "an INI file cannot hold such a name of a model: --ini wants one of letters, digits, - and _")
	}
	if e.env.Emit == nil {
		e.d.Warnf("records-left-out", stem, "the records of --ini go into a file of their own, and nothing takes one here")
		return nil
	}
	m, err := newModel(name, t, e.env.Quiet())
	if err != nil {
		return err
	}
	ranges, err := m.ranges()
	if err != nil {
		return err
	}
	s := &game.Ship{Name: stem, Extension: "." + name, Library: library, Ranges: ranges, Size: max(scene.Size(m.scene), 1), Pieces: others}
	for _, p := range m.parts {
		s.Parts = append(s.Parts, p.name)
		for _, h := range p.hardpoints {
			s.Hardpoints = append(s.Hardpoints, h.h.Name)
		}
	}
	if !library && t.Root.Child(freelancer.MaterialLibrary) == nil {
		e.d.Notef("records-library", stem, "its materials are in other files: material_library lines for those belong into %s.ini", stem)
	}
	text, unfit := s.INI()
	if len(unfit) > 0 {
		e.d.Warnf("records-name", stem, "an INI file cannot hold these names of hardpoints and models, and no record has them: %q", unfit)
	}
	return e.env.Emit(stem+".ini", []byte(text))
}

// pieceOf returns a model that stood in the scene of another one, as records name it.
func pieceOf(name, kind string, t *freelancer.Tree, env *format.Env) (p game.Piece, err error) {
	m, err := newModel(kind, t, env.Quiet())
	if err != nil {
		return p, err
	}
	p.File = name + "." + kind
	p.Ranges, err = m.ranges()
	return p, err
}

// ranges returns the distances for the most levels of detail that a part has, as LODranges has them.
func (m *model) ranges() (string, error) {
	list := []float32{0, farthestLevel}
	for _, p := range m.parts {
		dir := p.content.Child("MultiLevel")
		if dir == nil {
			continue
		}
		ml, err := read.MultiLevel(dir)
		if err != nil {
			return "", err
		}
		if len(ml.Switch) > len(list) {
			list = ml.Switch
		}
	}
	return rangesOf(list), nil
}

// rangesOf returns the distances of a model as LODranges has them.
func rangesOf(list []float32) string {
	var text []string
	for _, x := range list {
		text = append(text, strconv.FormatFloat(float64(min(x, farthestLevel-1)), 'f', -1, 32))
	}
	return strings.Join(text, ", ")
}
