package interchange

import (
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// SniffFile returns the format of a file on disk: a native format, an interchange format, or neither.
func SniffFile(p string) (f *format.Format, x *Interchange) {
	formats.ProbeFile(p, func(in *format.Input) { f, x = Recognise(in) })
	return f, x
}

// Recognised reports whether any format knows the file at p.
func Recognised(p string) bool {
	f, x := SniffFile(p)
	return f != nil || x != nil
}

// outside says what files of games are that usher leaves to other tools, by their extensions.
var outside = map[string]string{
	".dll": "a library of Windows; Freelancer has its names and infocards in those, which FLInfocardIE and FLDev edit",
	".fl":  "a savegame of Freelancer: an INI as text, or encrypted, where it begins with FLS1, which flcodec reads",
	".thn": "a scene of Freelancer, compiled Lua 3.2, which LancerEdit turns into text and back",
}

// Unknown returns ErrUnknown for a file of the given name, with a hint: the formats that use its extension, or the one with
// the most similar extension.
func Unknown(name string) error {
	ext := strings.ToLower(path.Ext(name))
	if ext == ".json" {
		return fmt.Errorf("%w: it is no document that usher wrote; {\"usher\": FORMAT, \"value\": … begins those", formats.ErrUnknown)
	}
	if x := ByExtension(ext); x != nil {
		return fmt.Errorf("%w: it does not begin as a %s file does", formats.ErrUnknown, x.Name)
	}
	if what := outside[ext]; what != "" {
		return fmt.Errorf("%w: %s", formats.ErrUnknown, what)
	}
	var names []string
	for _, f := range formats.ByExtension(ext) {
		if f.Read != nil || f.Open != nil {
			names = append(names, f.Name)
		}
	}
	switch {
	case len(names) == 1:
		return schema.Hinted(fmt.Errorf("%w: it does not begin as %s does, the one format with the extension %s", formats.ErrUnknown, names[0], ext), "; --from %s reads it so and says what is wrong", names[0])
	case len(names) > 1:
		return schema.Hinted(formats.ErrUnknown, ": of the formats with the extension %s, --from takes %s", ext, strings.Join(names, ", "))
	}
	if near := formats.NearestExtension(ext); near != "" {
		return schema.Hinted(fmt.Errorf("%w: nothing known has the extension %s", formats.ErrUnknown, ext), "; --from %s reads it as the nearest one, %s", formats.ByExtension(near)[0].Name, near)
	}
	return schema.Hinted(formats.ErrUnknown, "; --from FORMAT reads it as one of those that \"usher formats\" lists")
}

// Recognise returns the native or the interchange format of an input. Both are nil if it is unknown.
func Recognise(in *format.Input) (*format.Format, *Interchange) {
	if in == nil {
		return nil, nil
	}
	if x := sniffInterchange(in, false); x != nil {
		if f := formats.ArchiveAround(in); f != nil {
			return f, nil
		}
		return nil, x
	}
	if f := formats.Sniff(in); f != nil {
		return f, nil
	}
	return nil, sniffInterchange(in, true)
}
