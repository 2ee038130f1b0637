package ultima9

import (
	"strconv"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Anim writes a record of anim.flx (reference section 7). It fails with ErrMismatch if the frame count is not that of the
// frame range, and with ErrValue for names outside Windows-1252.
func Anim(a *ultima9.Anim) ([]byte, error) {
	size := 64 + len(a.Source) + 4*len(a.Registry) + 12*len(a.Events)
	for i := range a.Parts {
		size += 12 + len(a.Parts[i].Name) + ultima9.AnimFrameSize*len(a.Parts[i].Frames)
	}
	w := write.NewBuffer("u9-anim", size)
	if int64(a.FrameCount) != int64(a.End)-int64(a.Start)+1 {
		w.Failf(schema.ErrMismatch, "frame count", "%d frames, but the clip runs from %d to %d", a.FrameCount, a.Start, a.End)
	}
	for _, v := range [...]int32{a.ID, a.Start, a.End, a.FrameCount, a.FPS, a.Interval} {
		w.I32(v)
	}
	writeLengthText(w, a.Source, "source")
	w.Count32(len(a.Registry), "registry count")
	for _, v := range a.Registry {
		w.I32(v)
	}
	w.Count32(len(a.Parts), "part count")
	for i := range a.Parts {
		writeAnimPart(w, &a.Parts[i])
	}
	w.Count32(len(a.Events), "event count")
	for _, e := range a.Events {
		w.I32(e.Time)
		w.U32(uint32(e.Type))
		w.U32(e.Parameter)
	}
	return w.Finish()
}

func writeLengthText(w *write.Buffer, s, field string) {
	m := w.Reserve32()
	start := w.Len()
	w.Text(s, field)
	w.Patch32(m, w.Len()-start, field)
}

func writeAnimPart(w *write.Buffer, p *ultima9.AnimPart) {
	w.I32(p.ID)
	writeLengthText(w, p.Name, "name")
	w.Count32(len(p.Frames), "frame count")
	for i := range p.Frames {
		f := &p.Frames[i]
		w.I32(f.Time)
		w.Floats(f.Rotation[:]...)
		w.Floats(f.Position[:]...)
		w.Floats(f.Scale[:]...)
	}
}

// Registry writes registry.txt (reference section 7.4). A line whose text still states its number and name is written as it
// was found.
func Registry(r *ultima9.Registry) ([]byte, error) {
	w := write.NewBuffer("u9-registry", 24*len(r.Lines))
	for _, l := range r.Lines {
		id, name, ok := ultima9.ParseRegistryLine(l.Text)
		if ok && id == l.ID && name == l.Name && (l.Text != "" || id != 0) {
			w.Text(l.Text, "line")
			continue
		}
		if l.ID < 0 {
			w.Failf(schema.ErrValue, "id", "%d is not positive", l.ID)
		}
		if l.ID == 0 && l.Name == "" && l.Text != "" {
			w.Failf(schema.ErrValue, "text", "%q is no line", l.Text)
		}
		if l.ID != 0 {
			w.Text(strconv.Itoa(int(l.ID))+" "+l.Name, "line")
		}
		w.Raw("\r\n")
	}
	return w.Finish()
}
