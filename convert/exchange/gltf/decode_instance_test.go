package gltf

import (
	"fmt"
	"testing"
)

// TestInPlaces: numbers get the places that they had, if there are such and they are free.
func TestInPlaces(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		places  map[int]int
		want    string
	}{
		{[]int{5, 6, 7}, nil, "[5 6 7]"}, {[]int{5, 6, 7}, map[int]int{7: 0}, "[7 5 6]"}, {[]int{5, 6, 7}, map[int]int{5: 2, 6: 0, 7: 1}, "[6 7 5]"}, {[]int{5, 6, 7}, map[int]int{5: 1, 6: 1}, "[6 5 7]"},
		{[]int{5, 6}, map[int]int{5: 2}, "[5 6]"}, {[]int{5, 6}, map[int]int{5: -1, 6: 0}, "[6 5]"}, {[]int{5, 6, 7}, map[int]int{6: 9, 7: 0}, "[7 5 6]"}, {[]int{0, 1}, map[int]int{0: 1}, "[1 0]"},
	} {
		if got := fmt.Sprint(inPlaces(c.numbers, c.places)); got != c.want {
			t.Errorf("%v at %v: %s, want %s", c.numbers, c.places, got, c.want)
		}
	}
}
