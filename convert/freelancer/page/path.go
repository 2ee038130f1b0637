package page

import "strings"

// Escape makes a name a step of a path: '/' and '%' are escaped, an empty name is a lone '%'.
func Escape(name string) string {
	if name == "" {
		return "%"
	}
	if !strings.ContainsAny(name, "%/") {
		return name
	}
	return strings.NewReplacer("%", "%25", "/", "%2F").Replace(name)
}

// Unescape is the inverse of [Escape].
func Unescape(step string) string {
	if step == "%" {
		return ""
	}
	return strings.NewReplacer("%25", "%", "%2F", "/").Replace(step)
}
