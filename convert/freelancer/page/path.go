package page

import "strings"

// Escape turns a name into one step of a path: it escapes '/' and '%', and writes an empty name as a single '%'.
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
