package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// SDInfo reads a record of 48 bytes (reference section 4.6). It fails with ErrTruncated when b is shorter.
func SDInfo(b []byte, d *schema.Diagnostics) (*ultima9.SDInfo, error) {
	s := new(ultima9.SDInfo)
	return record("u9-sdinfo", b, d, s, &s.Trailing)
}
