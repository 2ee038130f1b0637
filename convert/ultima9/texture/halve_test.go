package texture

import "testing"

// TestHalve: of every size a level has the mean of the pixels that lie under each of its own; at an odd edge that is the last row or
// column twice, and nothing lies beyond.
func TestHalve(t *testing.T) {
	for w := 1; w <= 5; w++ {
		for h := 1; h <= 5; h++ {
			pix := make([]byte, 4*w*h)
			for i := range pix {
				pix[i] = byte(37*i*i + 11*i)
				if i%4 == 3 {
					pix[i] = 255 // opaque, so that colours weigh the same
				}
			}
			got, nw, nh := halve(pix, w, h)
			if nw != max(1, w/2) || nh != max(1, h/2) || len(got) != 4*nw*nh {
				t.Fatalf("%d x %d becomes %d x %d in %d bytes", w, h, nw, nh, len(got))
			}
			for y := range nh {
				for x := range nw {
					for c := range 4 {
						sum := 0
						for dy := range 2 {
							for dx := range 2 {
								sum += int(pix[4*(min(2*y+dy, h-1)*w+min(2*x+dx, w-1))+c])
							}
						}
						if is, want := int(got[4*(y*nw+x)+c]), (sum+2)/4; is != want {
							t.Errorf("%d x %d: channel %d at %d, %d is %d, want %d", w, h, c, x, y, is, want)
						}
					}
				}
			}
		}
	}
	for name, c := range map[string]struct{ pix, want [4]byte }{
		"holes alone":   {[4]byte{100, 50, 0, 0}, [4]byte{100, 50, 0, 0}},
		"a faint pixel": {[4]byte{100, 50, 0, 1}, [4]byte{100, 50, 0, 0}}, // 1 of 4 × 255 rounds to nothing
	} {
		pix := append(append([]byte{}, c.pix[:]...), 100, 50, 0, 0, 100, 50, 0, 0, 100, 50, 0, 0)
		if got, _, _ := halve(pix, 2, 2); [4]byte(got) != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	mixed := []byte{200, 0, 0, 255, 0, 200, 0, 0, 0, 200, 0, 0, 0, 200, 0, 0}
	if got, _, _ := halve(mixed, 2, 2); [4]byte(got) != [4]byte{200, 0, 0, 64} {
		t.Errorf("the colour of holes bleeds: %v", got)
	}
}
