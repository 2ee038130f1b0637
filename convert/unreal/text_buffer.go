package unreal

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/source"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// sourceFolder is where compilers look for the sources of a package.
const sourceFolder = "Classes"

// liftText gives a text with its line ends. That of a class is a .uc file, with the defaults of the class behind it.
func liftText(a *archive, i int, x *unreal.TextBuffer, env *format.Env) (asset.Asset, error) {
	t := &asset.Text{Name: pack.LastName(x.Path), Body: x.Text.Text, Extension: ".uc"}
	if lines, unsaid, ok := a.defaultsOf(i, x.Text.Text); ok {
		t.Name, t.Body = a.ObjectName(a.Outer(unreal.Ref(i+1))), source.Join(x.Text.Text, lines)
		if len(unsaid) > 0 {
			env.Told().Lossf("defaults", "", "defaults are left out: %s: the package that declares them is not at hand, or source has no words for them", source.Some(unsaid))
		}
	}
	var err error
	t.Native, err = pack.Native(textName, x)
	return t, err
}

// scriptClass returns the export of the class whose source a text is; −1 for other texts.
func (a *archive) scriptClass(i int) int {
	if i < 0 || i >= len(a.Exports) || !strings.EqualFold(a.Name(a.Exports[i].Name), "ScriptText") {
		return -1
	}
	outer := int(a.Exports[i].Outer) - 1
	if outer < 0 || outer >= len(a.Exports) || a.Exports[outer].Class != 0 {
		return -1
	}
	return outer
}

// defaultsOf returns the lines that stand behind a text in a source file; ok is false where none do.
func (a *archive) defaultsOf(i int, text string) (lines []source.Line, unsaid []string, ok bool) {
	class := a.scriptClass(i)
	if class < 0 || source.HasDefaults(text) {
		return nil, nil, false
	}
	c, err := pack.As[unreal.Class](a.File, class)
	if c == nil || err != nil || int(c.ScriptText) != i+1 {
		return nil, nil, false
	}
	lines, unsaid = source.Defaults(a.File, class, c)
	return lines, unsaid, true
}

func lowerText(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	t, ok := v.(*asset.Text)
	if !ok {
		return nil, schema.Errorf(textName, schema.ErrUnsupported, "", "a %T cannot become a text", v)
	}
	stored, err := a.Original(i, textName, t.Native)
	if err != nil {
		return nil, err
	}
	x, old := stored.(*unreal.TextBuffer)
	if !old {
		x = new(unreal.TextBuffer)
		x.Context, x.End = &unreal.Context{Package: a.Package, Class: "TextBuffer"}, a.AddName("None")
	}
	body := a.scriptOf(i, x, t, env)
	if !old || x.Text.Text != body {
		form := unreal.NameBytes
		if x.Text.Form == unreal.NameWide || x.Text.Form == unreal.NameRawWide {
			form = unreal.NameWide
		}
		x.Text = unreal.Str{Text: body, Form: form}
	}
	return x, nil
}

// scriptOf returns what of a source file the package stores, and says what an edit of it does not reach.
func (a *archive) scriptOf(i int, x *unreal.TextBuffer, t *asset.Text, env *format.Env) string {
	d := env.Told()
	if i < 0 && t.Extension == ".uc" {
		d.Warnf("no-class", t.Name, "it is added as a text, which is no class: only the compiler of the game makes one of it (ucc make)")
	}
	lines, _, ok := a.defaultsOf(i, x.Text.Text)
	if !ok {
		return t.Body
	}
	body := t.Body
	script, edited, found := source.Split(body)
	if keys := source.Edited(edited, lines); found && len(keys) > 0 {
		d.Lossf("defaults", "", "the defaults %s were edited in the source, and stay as they are: edit the JSON of the class", source.Some(keys))
	} else if !found && len(lines) > 0 {
		d.Warnf("defaults", "", "the source has no defaultproperties: the class keeps its own")
	}
	text := source.Restore(script, x.Text.Text)
	if text != x.Text.Text {
		d.Warnf("byte-code", "", "the text is stored, and the byte code of the class stays as it was compiled: the game runs that until somebody compiles the source (ucc make)")
	}
	return text
}
