package engine

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Target is what an item is converted to: an interchange file or a native format.
type Target struct {
	Extension   string         // of the main file, with its dot
	Format      *format.Format // nil for an interchange file
	interchange *interchange.Interchange
}

// Carries reports whether the target is an interchange file that can hold the content of a format.
func (t Target) Carries(f *format.Format) bool {
	return t.interchange != nil && t.interchange.Carries(f)
}

// name returns the name of the main file. A format whose files have numbers for extensions takes the one that the stem
// ends with, unless another one is asked for: terrain.5.glb becomes terrain.5.
func (t Target) name(stem string) string {
	ext := path.Ext(stem)
	if t.Format == nil || !formats.Numeric(ext) || !slices.Contains(t.Format.Extensions, ".*") {
		return stem + t.Extension
	}
	if formats.Numeric(t.Extension) {
		return strings.TrimSuffix(stem, ext) + t.Extension
	}
	return stem
}

// stem returns the stem of a native file for one of an input: a batch keeps ship.cmp and ship.sur apart as ship.cmp.glb and
// ship.sur.glb, which become ship.cmp and ship.sur again.
func (t Target) stem(input string) string {
	if ext := path.Ext(input); t.Format != nil && ext != input && strings.EqualFold(ext, t.Extension) {
		return strings.TrimSuffix(input, ext)
	}
	return input
}

// ParseTarget parses the target that a user names: an extension, with or without its dot, or the name of a format. If
// several formats share the extension, it takes the one that the item was made from, if it is one of them or had that
// extension, and otherwise the first one with a Lower function.
func ParseTarget(name string, it *interchange.Item) (Target, error) {
	ext := "." + strings.TrimPrefix(strings.ToLower(name), ".")
	var own *format.Format
	if it != nil {
		own = it.NativeFormat()
	}
	if x := interchange.ByExtension(ext); x != nil {
		if it != nil && own != nil && formats.HasExtension(own, ext) && !x.Carries(own) { // a table that is stored as text
			return Target{Extension: ext, Format: own}, nil
		}
		if !x.Writes() {
			return Target{}, fmt.Errorf("%s files are read, and not made", x.Name)
		}
		return Target{Extension: ext, interchange: x}, nil
	}
	if own != nil && own.Write != nil && name == it.OwnExtension() && len(formats.ByExtension(name)) > 0 {
		return Target{Extension: ext, Format: own}, nil // it is what it was, whatever its file is called
	}
	if it != nil && it.Format != nil && slices.Contains(it.Format.Extensions, ext) && it.Format.Write != nil {
		return Target{Extension: ext, Format: it.Format}, nil // a voice bank is a .utf file as well as a utf tree is
	}
	if f := formats.ByName(strings.TrimPrefix(name, ".")); f != nil {
		return Target{Extension: mainExtension(f), Format: f}, nil
	}
	candidates := formats.ByExtension(ext)
	if it != nil {
		for _, f := range candidates {
			if own != nil && f.Name == own.Name {
				return Target{Extension: ext, Format: own}, nil
			}
		}
		if own != nil && own.Lower != nil && formats.Numeric(ext) { // the number of a map says nothing of the format
			return Target{Extension: ext, Format: own}, nil
		}
	}
	for _, f := range candidates {
		if f.Lower != nil || f.Create != nil {
			if own := mainExtension(f); strings.HasSuffix(own, ext) { // "_d.3d" for ".3d"
				ext = own
			}
			return Target{Extension: ext, Format: f}, nil
		}
	}
	if len(candidates) > 0 {
		if f := formats.ByName(candidates[0].Beside); f != nil {
			return Target{}, fmt.Errorf("%s is made with a %s file, beside it: ask for that", candidates[0].Name, f.Extensions[0])
		}
		return Target{}, fmt.Errorf("%s can be read but not made", candidates[0].Name)
	}
	return Target{}, fmt.Errorf("nothing known makes %q files; \"usher formats\" lists what does", name)
}

func mainExtension(f *format.Format) string {
	if len(f.Extensions) == 0 || f.Extensions[0] == ".*" {
		return "." + f.Name
	}
	return f.Extensions[0]
}

// DefaultTarget returns the target if the user names none: the interchange file for the item's kind, or, for an interchange
// file, the native format that it was made from.
func DefaultTarget(it *interchange.Item) (Target, error) {
	if it == nil || it.Asset == nil && it.Format == nil {
		return Target{}, errors.New("there is nothing to convert")
	}
	if it.Asset != nil {
		f := it.NativeFormat()
		if t, ok := it.Asset.(*asset.Texture); ok && f == nil && t.File != nil { // a picture of another kind
			return Target{Extension: ".png", interchange: interchange.ByExtension(".png")}, nil
		}
		if f == nil {
			return Target{}, schema.Hinted(errors.New("it does not say what it was made from"), ": choose a target with --to or -o")
		}
		return Target{Extension: cmp.Or(it.OwnExtension(), mainExtension(f)), Format: f}, nil
	}
	if it.Document && it.Format.Write != nil {
		return Target{Extension: mainExtension(it.Format), Format: it.Format}, nil
	}
	return ShownAs(it.Format), nil
}

// ShownAs returns the interchange file that a format becomes by default.
func ShownAs(f *format.Format) Target {
	if f == nil {
		return Target{}
	}
	ext := defaultExtension(f)
	return Target{Extension: ext, interchange: interchange.ByExtension(ext)}
}

func defaultExtension(f *format.Format) string {
	switch {
	case f.Lift == nil:
		return ".json"
	case f.Shown != "":
		return f.Shown
	}
	switch f.Kind {
	case format.Model, format.Animation:
		return ".glb"
	case format.Texture:
		return ".png"
	case format.Sound:
		return ".wav"
	case format.Text:
		return ".txt"
	}
	return ".json"
}

// Compiled returns the format that an input is compiled into if a file with the extension of its text is requested: the
// text or the JSON of an INI file becomes a compiled INI file. It is nil for all other inputs.
func Compiled(it *interchange.Item, t Target) *format.Format {
	switch {
	case it == nil || t.interchange == nil:
		return nil
	case it.Document && it.Format.Kind == format.Text && slices.Contains(it.Format.Extensions, t.Extension):
		return it.Format
	}
	text, ok := it.Asset.(*asset.Text)
	if !ok || text.Extension != t.Extension {
		return nil
	}
	for _, f := range formats.ByExtension(t.Extension) {
		if f.Kind == format.Text && f.Lower != nil {
			return f
		}
	}
	return nil
}

// cannotMake says what to do instead of converting to a format.
func cannotMake(f *format.Format) error {
	switch {
	case f.Create != nil:
		return schema.Hinted(fmt.Errorf("%s is an archive", f.Name), ": put the files into a folder and make it with \"usher pack FOLDER -o ARCHIVE\", or one file into a copy of its archive with \"usher pack FILE --base ARCHIVE -o NEW\"")
	case f.Read == nil:
		return schema.Hinted(fmt.Errorf("%s exists in archives only", f.Name), ": put the file back into the folder that \"usher unpack\" made, and use \"usher pack\"")
	}
	return fmt.Errorf("%s cannot be made from other formats", f.Name)
}
