package asset

import (
	"bytes"
	"image/color"
	"testing"
)

func TestImage(t *testing.T) {
	tests := []struct {
		name    string
		m       Image
		palette []RGBA
		want    color.Color
	}{
		{"rgba", Image{Width: 2, Height: 1, Format: RGBA8, Pix: []byte{0, 0, 0, 0, 200, 100, 50, 128}}, nil, color.NRGBA{200, 100, 50, 128}},
		{"indexed", Image{Width: 2, Height: 1, Format: Indexed8, Pix: []byte{0, 1}}, []RGBA{{}, {1, 2, 3, 255}}, color.NRGBA{1, 2, 3, 255}},
		{"beyond the palette", Image{Width: 2, Height: 1, Format: Indexed8, Pix: []byte{0, 9}}, []RGBA{{}}, color.NRGBA{}},
		{"grey", Image{Width: 2, Height: 1, Format: Gray8, Pix: []byte{0, 77}}, nil, color.Gray{77}},
		{"16 bits", Image{Width: 2, Height: 1, Format: Gray16, Pix: []byte{0, 0, 0x34, 0x12}}, nil, color.Gray16{0x1234}},
	}
	for _, tt := range tests {
		m := tt.m.Image(tt.palette)
		if got := m.At(1, 0); got != tt.want || m.Bounds().Dx() != 2 || m.Bounds().Dy() != 1 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		back := FromImage(m)
		if c := (color.NRGBA{back.Pix[4], back.Pix[5], back.Pix[6], back.Pix[7]}); color.NRGBAModel.Convert(tt.want) != c {
			t.Errorf("%s: back %v, want %v", tt.name, c, tt.want)
		}
	}
	straight := Image{Width: 1, Height: 1, Format: RGBA8, Pix: []byte{201, 99, 51, 3}}
	if back := FromImage(straight.Image(nil)); !bytes.Equal(back.Pix, straight.Pix) {
		t.Errorf("straight alpha: %v", back.Pix)
	}
}
