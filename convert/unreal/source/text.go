package source

import (
	"fmt"
	"strings"
)

const (
	lineEnd = "\r\n"
	blanks  = "\r\n "
	opening = lineEnd + lineEnd + "defaultproperties" + lineEnd + "{" + lineEnd
	closing = "}" + lineEnd
	indent  = "     "
)

// Join returns the source of a class: its script text without the blank lines around it, and its defaults.
func Join(script string, lines []Line) string {
	var b strings.Builder
	b.WriteString(strings.Trim(script, blanks))
	b.WriteString(opening)
	for _, l := range lines {
		b.WriteString(indent + l.Key + "=" + l.Value + lineEnd)
	}
	b.WriteString(closing)
	return b.String()
}

// HasDefaults reports whether a text has defaults at its end.
func HasDefaults(text string) bool {
	_, _, found := cut(text)
	return found
}

// cut finds the last line that begins with the word for defaults, and takes what stands in braces behind it, up to the end
// of the text.
func cut(text string) (script, block string, found bool) {
	const word = "defaultproperties"
	body := strings.TrimRight(text, " \t\r\n")
	if !strings.HasSuffix(body, "}") {
		return text, "", false
	}
	for end := len(body); end > 0; {
		start := strings.LastIndexByte(body[:end], '\n') + 1
		line := strings.TrimLeft(body[start:end], " \t")
		if len(line) >= len(word) && strings.EqualFold(line[:len(word)], word) {
			rest := strings.TrimLeft(body[end-len(line)+len(word):], " \t\r\n")
			if strings.HasPrefix(rest, "{") {
				return text[:start], rest[1 : len(rest)-1], true
			}
		}
		end = start - 1
	}
	return text, "", false
}

// Split takes a source apart: the script, the lines of its defaults, and whether it has any. Defaults are the last thing
// of a source, as the compiler wants them.
func Split(text string) (script string, lines []Line, found bool) {
	script, block, found := cut(text)
	for line := range strings.Lines(block) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			lines = append(lines, Line{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
		}
	}
	return script, lines, found
}

// Restore returns a script text as it is to be stored: what is around it, which a source does not show, is as it was.
func Restore(script, stored string) string {
	before, after, _ := strings.Cut(stored, strings.Trim(stored, blanks))
	return before + strings.Trim(script, blanks) + after
}

// Edited returns the keys of defaults that are not those that the class has, where that can be told.
func Edited(is, has []Line) (keys []string) {
	stored := map[string]Line{}
	for _, l := range has {
		stored[strings.ToLower(l.Key)] = l
	}
	for _, l := range is {
		key := strings.ToLower(l.Key)
		s, known := stored[key]
		delete(stored, key)
		if !known || s.Value != l.Value && !s.Guessed {
			keys = append(keys, l.Key)
		}
	}
	for _, l := range has {
		if _, left := stored[strings.ToLower(l.Key)]; left {
			keys = append(keys, l.Key)
		}
	}
	return keys
}

// Some names the first of a list, and how many more there are.
func Some(keys []string) string {
	const most = 5
	if len(keys) <= most {
		return strings.Join(keys, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(keys[:most], ", "), len(keys)-most)
}
