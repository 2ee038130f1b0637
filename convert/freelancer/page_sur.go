package freelancer

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema/freelancer"
)

// pageSur is a collision file as JSON shows it: what its ids stand for, where a model of its name tells, and the file.
// The names are for people; they say nothing.
type pageSur struct {
	Names   map[string]string // by hash
	Version float32
	Parts   []*freelancer.SurPart
	Old     *freelancer.OldSur
}

var surDocument = format.Documented(showSur, surOfPage)

func showSur(s *freelancer.Sur, env *format.Env) (*pageSur, error) {
	p := &pageSur{Version: s.Version, Parts: s.Parts, Old: s.Old}
	known := map[freelancer.Hash]string{}
	know := func(name string) { known[freelancer.Hash(freelancer.FLCRC(name))] = name }
	know("Root")
	know(freelancer.ShieldBubble)
	for crc, name := range voice.Hashes(env) {
		known[freelancer.Hash(crc)] = name
	}
	if env != nil {
		if m := modelBeside(env.Quiet()); m != nil {
			for _, part := range m.parts {
				know(part.name)
				for _, hp := range part.hardpoints {
					know(hp.h.Name)
				}
			}
		}
	}
	names := map[string]string{}
	use := func(id freelancer.Hash) {
		if name := known[id]; name != "" {
			names[id.String()] = name
		}
	}
	for _, part := range s.Parts {
		use(part.ID)
		for _, id := range part.Hardpoints {
			use(id)
		}
		if part.Surface == nil {
			continue
		}
		for i := range part.Surface.Hulls {
			if h := &part.Surface.Hulls[i]; h.Kind == freelancer.TerminalHull {
				use(h.ID)
			}
		}
	}
	if len(names) > 0 {
		p.Names = names
	}
	return p, nil
}

func surOfPage(p *pageSur) (*freelancer.Sur, error) {
	return &freelancer.Sur{Version: p.Version, Parts: p.Parts, Old: p.Old}, nil
}
