package asset

import "testing"

func TestAlphaMode(t *testing.T) {
	cases := []struct {
		name    string
		format  PixelFormat
		pix     []byte
		palette []RGBA
		want    AlphaMode
	}{
		{"opaque", RGBA8, []byte{0, 0, 0, 255, 0, 0, 0, 255}, nil, Opaque},
		{"opaque, odd", RGBA8, []byte{0, 0, 0, 255, 0, 0, 0, 255, 1, 1, 1, 255}, nil, Opaque},
		{"mask, odd", RGBA8, []byte{0, 0, 0, 255, 0, 0, 0, 255, 1, 1, 1, 0}, nil, Mask},
		{"mask, first", RGBA8, []byte{0, 0, 0, 0, 0, 0, 0, 255}, nil, Mask},
		{"blend", RGBA8, []byte{0, 0, 0, 0, 0, 0, 0, 254}, nil, Blend},
		{"empty", RGBA8, nil, nil, Opaque},
		{"palette", Indexed8, []byte{0}, []RGBA{{0, 0, 0, 255}}, Opaque},
		{"palette mask", Indexed8, []byte{0}, []RGBA{{0, 0, 0, 255}, {}}, Mask},
		{"palette blend", Indexed8, []byte{0}, []RGBA{{}, {0, 0, 0, 1}}, Blend},
		{"grey", Gray8, []byte{0}, nil, Opaque},
	}
	for _, c := range cases {
		m := Image{Format: c.format, Pix: c.pix}
		if got := m.AlphaMode(c.palette); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestOpaqueSeesEveryPixel(t *testing.T) {
	for n := 1; n <= 20; n++ {
		m := NewImage(n, 1, RGBA8)
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = 255
		}
		if !m.Opaque() {
			t.Errorf("%d solid pixels are not opaque", n)
		}
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = 254
			if m.Opaque() {
				t.Errorf("pixel %d of %d shows through, and nobody sees it", i/4, n)
			}
			m.Pix[i] = 255
		}
	}
}
