package edits

import (
	"regexp"
	"slices"
	"strings"
)

// Excused drops the differences that an edit allows.
func (e *Edit) Excused(list []Difference) []Difference {
	return slices.DeleteFunc(list, func(d Difference) bool {
		if slices.ContainsFunc(e.Drift, d.within) || slices.ContainsFunc(e.Drift, d.dropped) {
			return true
		}
		if d.What == "triangles too many" && d.Count <= e.Spare {
			return true
		}
		all := strings.HasPrefix(d.What, "lines (") && d.Count == d.Of // short ones are not told apart: all have gone along
		return e.Loose && (d.What == "lines" || all)
	})
}

// within reports whether another difference is of the same kind and nodes, and no smaller.
func (d Difference) within(of Difference) bool {
	return d.What == of.What && d.Count <= of.Count && d.Error <= 1.01*of.Error && !slices.ContainsFunc(d.Names, func(name string) bool {
		return !slices.Contains(of.Names, strings.TrimSuffix(name, ".001"))
	})
}

// dropped reports whether the lines that are too many are those that the program drops of what nobody edited: Blender writes
// no loose edges unless told so. The file keeps them.
func (d Difference) dropped(of Difference) bool {
	return d.What == "lines too many" && strings.HasPrefix(of.What, "lines (") && d.Count <= of.Count &&
		!slices.ContainsFunc(d.Names, func(name string) bool { return !slices.Contains(of.Names, name) })
}

// Moves reports whether it is one of how things move.
func (d Difference) Moves() bool { return strings.Contains(d.What, "in animations") }

// IsShape reports whether it is one of where triangles are, or which way they face.
func (d Difference) IsShape() bool {
	return strings.HasPrefix(d.What+" (", "triangles (") || strings.HasPrefix(d.What, "triangles facing")
}

// Covers reports whether another difference is that triangles of the same nodes are paired, in the wrong place, with
// others: their texture coordinates say nothing then.
func (d Difference) Covers(other Difference) bool {
	return other.What == "texture coordinates" && !slices.ContainsFunc(other.Names, func(name string) bool { return !slices.Contains(d.Names, name) })
}

// topics are words of messages that can be about a kind of difference.
var topics = []struct{ what, words *regexp.Regexp }{
	{regexp.MustCompile("animat"), regexp.MustCompile("(?i)anim|sequence|key|track|clip|moves|turns|motion|curve|channel|pose")},
	{regexp.MustCompile("coordinates"), regexp.MustCompile("(?i)coordinate|uv|textur|transform|mirror|seam")},
	{regexp.MustCompile("material"), regexp.MustCompile("(?i)material|textur|picture|image|colou?r|slot|alpha")},
	{regexp.MustCompile("colours"), regexp.MustCompile("(?i)colou?r")},
	{regexp.MustCompile("levels"), regexp.MustCompile("(?i)level|lod|distance|shape|triangle")},
	{regexp.MustCompile("normals"), regexp.MustCompile("(?i)normal|shape")},
	{regexp.MustCompile("lights (gone|too many|of)"), regexp.MustCompile("(?i)light|lamp")},
	{regexp.MustCompile("cameras of"), regexp.MustCompile("(?i)camera|view")},
	{regexp.MustCompile("lines"), regexp.MustCompile("(?i)wire|line|hull")}, // hulls are drawn as lines
}

// IsTopicOf reports whether a message can be about a difference, whatever it names.
func (d Difference) IsTopicOf(message string) bool {
	for _, t := range topics {
		if t.what.MatchString(d.What) {
			return t.words.MatchString(message)
		}
	}
	return true
}
