package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// SoundLink reads a record of sfxassoc.flx. Source of these four: reference section 12.6.
func SoundLink(b []byte, d *schema.Diagnostics) (*ultima9.SoundLink, error) {
	c := read.NewCursor("u9-sfxassoc", b, d)
	x := &ultima9.SoundLink{Template: c.U32("template id")}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

// SoundCategory reads a record of sfxcat.flx.
func SoundCategory(b []byte, d *schema.Diagnostics) (*ultima9.SoundCategory, error) {
	c := read.NewCursor("u9-sfxcat", b, d)
	x := &ultima9.SoundCategory{ID: c.U8("id"), Name: fixedText(c, ultima9.SoundNameSize, "name")}
	copy(x.Pad22[:], c.Bytes(2, "pad"))
	x.Count = c.U32("count")
	x.Trailing = trailing(c, d)
	return done(x, c)
}

// SoundEnvironment reads a record of sfxenv.flx.
func SoundEnvironment(b []byte, d *schema.Diagnostics) (*ultima9.SoundEnvironment, error) {
	c := read.NewCursor("u9-sfxenv", b, d)
	x := &ultima9.SoundEnvironment{
		Profile: c.U32("profile"),
		Volume:  c.F32("volume"),
		Decay:   c.F32("decay"),
		Damping: c.F32("damping"),
		Name:    fixedText(c, ultima9.SoundEnvironmentNameSize, "name"),
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

// SoundTemplate reads a record of sfxtmpl.flx.
func SoundTemplate(b []byte, d *schema.Diagnostics) (*ultima9.SoundTemplate, error) {
	c := read.NewCursor("u9-sfxtmpl", b, d)
	x := &ultima9.SoundTemplate{ID: c.U32("id"), Name: fixedText(c, ultima9.SoundNameSize, "name")}
	copy(x.Pad25[:], c.Bytes(3, "pad"))
	actions := uint64(c.U32("actions"))
	x.InnerCone = c.U32("inner cone")
	x.OuterCone = c.U32("outer cone")
	x.Near = c.U8("near")
	x.Far = c.U8("far")
	copy(x.Pad36[:], c.Bytes(2, "pad"))
	x.Actions = make([]ultima9.SoundAction, c.Count(actions, ultima9.SoundActionSize, "actions"))
	for i := range x.Actions {
		c.Enter("action", i)
		soundAction(c, &x.Actions[i])
		c.Leave()
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

func soundAction(c *read.Cursor, a *ultima9.SoundAction) {
	a.Category = c.U8("category")
	a.Name = fixedText(c, ultima9.SoundNameSize, "name")
	copy(a.Pad22[:], c.Bytes(2, "pad"))
	a.Choices = make([]ultima9.SoundChoice, c.Count(uint64(c.U32("references")), ultima9.SoundChoiceSize, "references"))
	for i := range a.Choices {
		c.Enter("choice", i)
		r := &a.Choices[i]
		r.Choice = c.U8("choice")
		copy(r.Pad01[:], c.Bytes(3, "pad"))
		r.Sound = c.U32("sound id")
		r.Volume = c.U8("volume")
		r.OffAxis = c.U8("off-axis volume")
		r.HourFrom = c.U8("hour from")
		r.HourTo = c.U8("hour to")
		r.Pitch = c.U8("pitch")
		r.Weight = c.U8("weight")
		copy(r.Pad0E[:], c.Bytes(2, "pad"))
		c.Leave()
	}
}
