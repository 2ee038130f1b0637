package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// SoundLink writes a record of sfxassoc.flx. Source of these four: reference section 12.6.
func SoundLink(x *ultima9.SoundLink) ([]byte, error) {
	w := write.NewBuffer("u9-sfxassoc", 4)
	w.U32(x.Template)
	w.Bytes(x.Trailing)
	return w.Finish()
}

// SoundCategory writes a record of sfxcat.flx.
func SoundCategory(x *ultima9.SoundCategory) ([]byte, error) {
	w := write.NewBuffer("u9-sfxcat", 40)
	w.U8(x.ID)
	fixedText(w, x.Name, ultima9.SoundNameSize, "name")
	w.Bytes(x.Pad22[:])
	w.U32(x.Count)
	w.Bytes(x.Trailing)
	return w.Finish()
}

// SoundEnvironment writes a record of sfxenv.flx.
func SoundEnvironment(x *ultima9.SoundEnvironment) ([]byte, error) {
	w := write.NewBuffer("u9-sfxenv", 80)
	w.U32(x.Profile)
	w.Floats(x.Volume, x.Decay, x.Damping)
	fixedText(w, x.Name, ultima9.SoundEnvironmentNameSize, "name")
	w.Bytes(x.Trailing)
	return w.Finish()
}

// SoundTemplate writes a record of sfxtmpl.flx.
func SoundTemplate(x *ultima9.SoundTemplate) ([]byte, error) {
	w := write.NewBuffer("u9-sfxtmpl", ultima9.SoundTemplateSize+len(x.Actions)*ultima9.SoundActionSize)
	w.U32(x.ID)
	fixedText(w, x.Name, ultima9.SoundNameSize, "name")
	w.Bytes(x.Pad25[:])
	w.Count32(len(x.Actions), "actions")
	w.U32(x.InnerCone)
	w.U32(x.OuterCone)
	w.U8(x.Near)
	w.U8(x.Far)
	w.Bytes(x.Pad36[:])
	for i := range x.Actions {
		a := &x.Actions[i]
		w.U8(a.Category)
		fixedText(w, a.Name, ultima9.SoundNameSize, "name")
		w.Bytes(a.Pad22[:])
		w.Count32(len(a.Choices), "references")
		for _, r := range a.Choices {
			w.U8(r.Choice)
			w.Bytes(r.Pad01[:])
			w.U32(r.Sound)
			w.Bytes([]byte{r.Volume, r.OffAxis, r.HourFrom, r.HourTo, r.Pitch, r.Weight})
			w.Bytes(r.Pad0E[:])
		}
	}
	w.Bytes(x.Trailing)
	return w.Finish()
}
