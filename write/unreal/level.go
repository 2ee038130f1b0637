package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Level writes the list of a map's actors (reference sections 12.3 and 19).
func Level(l *unreal.Level) ([]byte, error) {
	w := objectWriter(&l.Object, 512+4*len(l.Actors)+24*len(l.ReachSpecs))
	w.base(&l.Object)
	w.array(len(l.Actors), l.Capacity)
	for _, r := range l.Actors {
		w.Ref(r)
	}
	w.url(&l.URL)
	w.Ref(l.Model)
	w.Index(int32(len(l.ReachSpecs)))
	for i := range l.ReachSpecs {
		s := &l.ReachSpecs[i]
		w.I32(s.Distance)
		w.Ref(s.Start)
		w.Ref(s.End)
		w.i32s([]int32{s.Radius, s.Height, s.Flags})
		w.U8(s.Pruned)
	}
	w.F32(l.TimeSeconds)
	w.Ref(l.First)
	for _, r := range l.Blocks {
		w.Ref(r)
	}
	w.travel(l)
	return w.finish(&l.Object)
}

func (w *writer) travel(l *unreal.Level) {
	if l.NoValues && (w.version < unreal.TravelVersion || w.version >= unreal.PairedVersion || len(l.Travel) > 0) {
		w.NoPlace("NoValues", "version %d and %d pairs", w.version, len(l.Travel))
	}
	if w.version < unreal.TravelVersion {
		if len(l.Travel) > 0 {
			w.Failf(schema.ErrUnsupported, "travel info", "version %d has none", w.version)
		}
		return
	}
	w.Index(int32(len(l.Travel)))
	paired := w.version >= unreal.PairedVersion
	for _, t := range l.Travel {
		w.Str(t[0], "travel key")
		if paired {
			w.Str(t[1], "travel value")
		}
	}
	if paired || l.NoValues {
		return
	}
	w.Index(int32(len(l.Travel)))
	for _, t := range l.Travel {
		w.Str(t[1], "travel value")
	}
}

func (w *writer) url(u *unreal.URL) {
	w.Str(u.Protocol, "protocol")
	w.Str(u.Host, "host")
	w.Str(u.Map, "map")
	w.Str(u.Portal, "portal")
	w.Index(int32(len(u.Options)))
	for _, s := range u.Options {
		w.Str(s, "option")
	}
	w.I32(u.Port)
	w.I32(u.Valid)
}
