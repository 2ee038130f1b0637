package png

import (
	"bytes"
	"testing"
)

func TestDropAlpha(t *testing.T) {
	for n := range 12 {
		var src, want []byte
		for i := range byte(n) {
			want = append(want, 10*i, 10*i+1, 10*i+2)
			src = append(src, 10*i, 10*i+1, 10*i+2, 0xFF)
		}
		dst := make([]byte, 3*n)
		if dropAlpha(dst, src); !bytes.Equal(dst, want) {
			t.Errorf("%d pixels: % x, want % x", n, dst, want)
		}
	}
}
