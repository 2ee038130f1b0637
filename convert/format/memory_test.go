package format

import "testing"

// TestScratch holds that the pictures of one asset have memory of their own, and that the next asset gets the first
// one's again.
func TestScratch(t *testing.T) {
	s := new(Scratch)
	first, second := s.Pixels(8), s.Pixels(8)
	if &first[0] == &second[0] {
		t.Error("two pictures of an asset share their memory")
	}
	s.Reset()
	if next := s.Pixels(4); &next[0] != &first[0] || len(next) != 4 {
		t.Errorf("%d bytes of other memory for the next asset", len(next))
	}
	s.Reset()
	if larger := s.Pixels(16); len(larger) != 16 {
		t.Errorf("%d bytes, want 16", len(larger))
	}
	if none := (*Scratch)(nil).Pixels(2); len(none) != 2 {
		t.Errorf("%d bytes without a scratch, want 2", len(none))
	}
}
