package freelancer

import (
	"bytes"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

const biniName = "bini"

// BINI holds the typed functions for one format: compiled INI.
var BINI = format.Functions[freelancer.BINI, *asset.Text]{
	Read:  read.BINI,
	Write: write.BINI,
	Facts: biniFacts,
	Lift:  liftBINI,
	Lower: lowerBINI,
}

func biniFormat() format.Format {
	return format.Of(format.Format{
		Name: biniName, Family: family, Title: "Freelancer compiled INI (BINI)", Kind: format.Text, Extensions: []string{ini.Extension}, Shown: ini.Extension,
		Probe: func(in *format.Input) format.Confidence {
			if bytes.HasPrefix(in.Head, []byte(freelancer.BINIMagic)) {
				return format.Certain
			}
			return format.No
		},
	}, BINI)
}

// liftBINI makes the text of it. The text alone returns the same bytes, unless another tool than the game's made the file:
// then those ride along.
func liftBINI(x *freelancer.BINI, env *format.Env) (*asset.Text, error) {
	t := &asset.Text{Name: env.EntryName("ini"), Body: ini.Text(x), Extension: ini.Extension}
	if x.Strings == nil {
		return t, nil
	}
	payload, err := write.BINI(x)
	if err != nil {
		return nil, err
	}
	t.Native = &asset.Native{Format: biniName, Payload: payload}
	return t, nil
}

// lowerBINI compiles a text. Where it was made of a file with a table of strings of its own, that stays.
func lowerBINI(t *asset.Text, env *format.Env) (*freelancer.BINI, error) {
	x, err := ini.Parse(t.Body, env.Told())
	if err != nil {
		return nil, err
	}
	if n := t.Native; n != nil && n.Format == biniName && len(n.Payload) > 0 {
		was, err := read.BINI(n.Payload, nil)
		if err != nil {
			return nil, err
		}
		x.Strings = was.Strings
	}
	return x, nil
}

func biniFacts(x *freelancer.BINI) []format.Fact {
	entries, values := 0, 0
	kinds := map[string]bool{}
	var names []string
	for _, s := range x.Sections {
		entries += len(s.Entries)
		for _, e := range s.Entries {
			values += len(e.Values)
		}
		if !kinds[s.Name] {
			kinds[s.Name] = true
			names = append(names, s.Name)
		}
	}
	facts := []format.Fact{{Name: "sections", Value: len(x.Sections)}, {Name: "entries", Value: entries}, {Name: "values", Value: values}}
	const most = 12
	if len(names) > 0 && len(names) <= most {
		facts = append(facts, format.Fact{Name: "names of sections", Value: names})
	}
	if x.Strings != nil {
		facts = append(facts, format.Fact{Name: "table of strings", Value: "of another tool than the game's"})
	}
	return facts
}
