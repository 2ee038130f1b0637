package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// SoundLink reads a record of sfxassoc.flx. Source of these four: reference section 12.6.
func SoundLink(b []byte, d *schema.Diagnostics) (*ultima9.SoundLink, error) {
	x := new(ultima9.SoundLink)
	return record("u9-sfxassoc", b, d, x, &x.Trailing)
}

// SoundCategory reads a record of sfxcat.flx.
func SoundCategory(b []byte, d *schema.Diagnostics) (*ultima9.SoundCategory, error) {
	x := new(ultima9.SoundCategory)
	return record("u9-sfxcat", b, d, x, &x.Trailing)
}

// SoundEnvironment reads a record of sfxenv.flx.
func SoundEnvironment(b []byte, d *schema.Diagnostics) (*ultima9.SoundEnvironment, error) {
	x := new(ultima9.SoundEnvironment)
	return record("u9-sfxenv", b, d, x, &x.Trailing)
}

// SoundTemplate reads a record of sfxtmpl.flx.
func SoundTemplate(b []byte, d *schema.Diagnostics) (*ultima9.SoundTemplate, error) {
	x := new(ultima9.SoundTemplate)
	return record("u9-sfxtmpl", b, d, x, &x.Trailing)
}

// record reads x from b, and into rest what lies behind it.
func record[T any](format string, b []byte, d *schema.Diagnostics, x *T, rest *[]byte) (*T, error) {
	c := read.NewCursor(format, b, d)
	c.Record(x)
	*rest = trailing(c, d)
	return done(x, c)
}
