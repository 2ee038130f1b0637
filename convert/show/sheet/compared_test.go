package sheet

import (
	"image"
	"reflect"
	"testing"
)

// TestHeat: what is the same is a dark grey of what is there, a quarter as bright; what differs goes from red to white.
func TestHeat(t *testing.T) {
	picture := func(pix ...uint8) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, len(pix)/4, 1))
		copy(m.Pix, pix)
		return m
	}
	a := picture(120, 120, 120, 255, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255)
	b := picture(120, 120, 120, 255, 0, 0, 0, 0, 0, 10, 0, 255, 100, 0, 0, 255, 255, 255, 255, 255)
	want := picture(30, 30, 30, 255, 0, 0, 0, 255, 116, 0, 0, 255, 255, 45, 0, 255, 255, 255, 253, 255)
	if got := heat(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got.Pix, want.Pix)
	}
	if heat(nil, b) != nil || heat(a, nil) != nil || heat(a, picture(0, 0, 0, 0)) != nil {
		t.Error("there is heat of what cannot be compared")
	}
}
