package foreign

import (
	"encoding/base64"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestWebP reads lossy pictures of one colour, whose range is not that of JPEG, against what libwebp shows of them.
func TestWebP(t *testing.T) {
	for file, want := range map[string][4]byte{
		"UklGRkAAAABXRUJQVlA4IDQAAAAQAgCdASoIAAgAAMASJaACdLoB+AH4AAPIAP72E1/+4//WbL/Z6//kP38mO/kP3/yCwAAA":                                             {240, 30, 21, 255},
		"UklGRmAAAABXRUJQVlA4WAoAAAAQAAAAAwAAAwAAQUxQSAoAAAABB9C/iAhERP8DVlA4IDAAAADQAQCdASoEAAQAAMASJaACdLoB+AADsAD+/USf//Jjv5Md/Jjv/kx3/zBK/IN4WAA=": {21, 30, 241, 127},
	} {
		b, err := base64.StdEncoding.DecodeString(file)
		if err != nil {
			t.Fatal(err)
		}
		x, err := DecodeImage("x.webp", b)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range x.Base().Pix {
			if d := int(c) - int(want[i%4]); d < -1 || d > 1 {
				t.Fatalf("byte %d is %d, want %d", i, c, want[i%4])
			}
		}
		if mode := x.Alpha; (mode == asset.Opaque) != (want[3] == 255) {
			t.Errorf("alpha mode %d", mode)
		}
		for n := range b {
			if x, err := DecodeImage("x.webp", b[:n]); err == nil && len(x.Base().Pix) == 0 {
				t.Errorf("%d of %d bytes: no error", n, len(b))
			}
		}
	}
}
