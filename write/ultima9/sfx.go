package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// SoundLink writes a record of sfxassoc.flx. Source of these four: reference section 12.6.
func SoundLink(x *ultima9.SoundLink) ([]byte, error) { return record("u9-sfxassoc", 4, x, x.Trailing) }

// SoundCategory writes a record of sfxcat.flx.
func SoundCategory(x *ultima9.SoundCategory) ([]byte, error) {
	return record("u9-sfxcat", 40, x, x.Trailing)
}

// SoundEnvironment writes a record of sfxenv.flx.
func SoundEnvironment(x *ultima9.SoundEnvironment) ([]byte, error) {
	return record("u9-sfxenv", 80, x, x.Trailing)
}

// SoundTemplate writes a record of sfxtmpl.flx.
func SoundTemplate(x *ultima9.SoundTemplate) ([]byte, error) {
	return record("u9-sfxtmpl", ultima9.SoundTemplateSize+len(x.Actions)*ultima9.SoundActionSize, x, x.Trailing)
}

// record writes x, which has about size bytes, and what lies behind it.
func record(format string, size int, x any, rest []byte) ([]byte, error) {
	w := write.NewBuffer(format, size+len(rest))
	w.Record(x)
	w.Bytes(rest)
	return w.Finish()
}
