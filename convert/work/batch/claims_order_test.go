package batch

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
)

// A file that two assets have is theirs both only when they agree on its content; the first in order has the name.
func TestClaims(t *testing.T) {
	file := func(name, hash string) recordFile { return recordFile{name, disk.Stamp{Hash: hash}} }
	c := newClaims()
	one, two, three := c.begin(), c.begin(), c.begin()
	if err := c.claim(one, "one", []recordFile{file("one.x", "1"), file("Skin.png", "red")}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- c.claim(three, "three", []recordFile{file("three.x", "3"), file("bump.png", "grey")}) }()
	c.end(one)
	for _, x := range []struct {
		name, hash string
		refused    bool
	}{{"skin.png", "red", false}, {"skin.png", "blue", true}, {"SKIN.PNG", "blue", true}, {"one.x", "2", true}, {"bump.png", "blue", false}} {
		err := c.claim(two, "two", []recordFile{file(x.name, x.hash)})
		if (err != nil) != x.refused || err != nil && !strings.Contains(err.Error(), "one") {
			t.Errorf("%s with %s: %v", x.name, x.hash, err)
		}
	}
	c.end(two)
	if err := <-done; err == nil || !strings.Contains(err.Error(), "two") {
		t.Errorf("the third one was not kept waiting: %v", err)
	}
	if _, taken := c.names["three.x"]; taken {
		t.Error("a refused asset has a name")
	}
}
