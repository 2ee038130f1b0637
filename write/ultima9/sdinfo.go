package ultima9

import "github.com/usher-assets/usher/schema/ultima9"

// SDInfo writes a record of 48 bytes (reference section 4.6).
func SDInfo(s *ultima9.SDInfo) ([]byte, error) {
	return record("u9-sdinfo", ultima9.SDInfoSize, s, s.Trailing)
}
