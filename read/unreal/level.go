package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Level reads the list of a map's actors (reference sections 12.3 and 19).
func Level(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Level, error) {
	return decode(b, x, d, level)
}

func level(r *reader, l *unreal.Level) {
	r.base(&l.Object)
	var n int
	n, l.Capacity = r.array(1, "actors")
	l.Actors = listOf(r, n, "actor", func(v *unreal.Ref) { *v = r.Ref("actor") })
	u := &l.URL
	u.Protocol, u.Host, u.Map, u.Portal = r.Str("protocol"), r.Str("host"), r.Str("map"), r.Str("portal")
	u.Options = list(r, 1, "options", func(s *unreal.Str) { *s = r.Str("option") })
	u.Port, u.Valid = r.I32("port"), r.I32("valid")
	l.Model = r.Ref("model")
	l.ReachSpecs = list(r, 19, "reach specs", func(s *unreal.ReachSpec) {
		*s = unreal.ReachSpec{Distance: r.I32("distance"), Start: r.Ref("start"), End: r.Ref("end"),
			Radius: r.I32("radius"), Height: r.I32("height"), Flags: r.I32("flags"), Pruned: r.U8("pruned")}
	})
	l.TimeSeconds = r.F32("TimeSeconds")
	l.First = r.Ref("first deleted actor")
	for i := range l.Blocks {
		l.Blocks[i] = r.Ref("text block")
	}
	if r.version < unreal.TravelVersion {
		return
	}
	if r.version >= unreal.PairedVersion {
		l.Travel = list(r, 2, "travel info", func(t *[2]unreal.Str) { *t = [2]unreal.Str{r.Str("key"), r.Str("value")} })
		return
	}
	l.Travel = list(r, 1, "travel info", func(t *[2]unreal.Str) { t[0] = r.Str("key") })
	if l.NoValues = r.Left() == 0 && len(l.Travel) == 0; l.NoValues {
		return
	}
	if n := r.Index("travel values"); int(n) != len(l.Travel) {
		r.Failf(schema.ErrMismatch, "travel values", "%d values of %d keys", n, len(l.Travel))
	}
	for i := range l.Travel {
		l.Travel[i][1] = r.Str("value")
	}
}
