package schema

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Nearest returns the known name that a misspelt word most likely stands for, ignoring case: the one with the fewest
// letters added, left out, changed or swapped. Of several it returns the first. It is empty if the distance is more than a
// third of the word's letters, or than two.
func Nearest(word string, known iter.Seq[string]) (name string) {
	return NearestWithin(max(2, utf8.RuneCountInString(word)/3), word, known)
}

// NearestWithin returns the known name that [Nearest] would, where no more letters may differ than most.
func NearestWithin(most int, word string, known iter.Seq[string]) (name string) {
	if known == nil {
		return ""
	}
	folded := []rune(strings.ToLower(word))
	best := most + 1
	for candidate := range known {
		if n := utf8.RuneCountInString(candidate); n >= len(folded)+best || n+best <= len(folded) {
			continue
		}
		if d := distance(folded, []rune(strings.ToLower(candidate))); d < best && d < len(folded) {
			name, best = candidate, d
		}
	}
	return name
}

// distance counts the edits that lead from a to b, a swap of two neighbours being one of them.
func distance(a, b []rune) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
