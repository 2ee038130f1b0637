package formats

import (
	"slices"

	"github.com/usher-assets/usher/schema"
)

// NearestExtension returns a known extension that differs from ext in one letter, has one letter more, or has two letters
// swapped; "" if there is none.
func NearestExtension(ext string) string {
	if len(ext) < 3 {
		return ""
	}
	var known []string
	for i := range All {
		for _, e := range All[i].Extensions {
			if e[0] == '.' && len(e) >= len(ext) {
				known = append(known, e)
			}
		}
	}
	return schema.NearestWithin(1, ext, slices.Values(known))
}
