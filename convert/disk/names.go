package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest file name in bytes that SafeName makes; every file system allows 255.
const maxName = 200

// SafeName turns any text from inside a file into a file name that is allowed on Linux, macOS and Windows and has no
// separators. The same text always gives the same name.
func SafeName(s string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7F || strings.ContainsRune(`<>:"/\|?*`, r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(s, "_"))
	if trimmed := strings.TrimRight(name, ". "); trimmed != name {
		name = trimmed + strings.Repeat("_", len(name)-len(trimmed))
	}
	if name == "" {
		return "_"
	}
	if stem, ext, dotted := strings.Cut(name, "."); reservedName(stem) {
		name = stem + "_"
		if dotted {
			name += "." + ext
		}
	}
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(s))
		ext := path.Ext(name)
		if len(ext) > 16 {
			ext = ""
		}
		cut := name[:maxName-len(ext)-9]
		for !utf8.ValidString(cut) {
			cut = cut[:len(cut)-1]
		}
		name = cut + "~" + hex.EncodeToString(sum[:4]) + ext
	}
	return name
}

// reservedName reports whether Windows takes the name, without its extension, for a device.
func reservedName(stem string) bool {
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	if len(stem) > 3 && (stem[:3] == "COM" || stem[:3] == "LPT") {
		return strings.Contains("0123456789¹²³", stem[3:]) && utf8.RuneCountInString(stem[3:]) == 1
	}
	return false
}

// CheckWindowsName returns an error for a path that Windows does not accept for a file: reserved names, characters with
// another meaning, steps that end in a dot or a blank.
func CheckWindowsName(p string) error {
	rest := strings.ReplaceAll(p, `\`, "/")
	if len(rest) > 1 && rest[1] == ':' && ('a' <= rest[0]|0x20 && rest[0]|0x20 <= 'z') && (len(rest) == 2 || rest[2] == '/') {
		rest = rest[2:] // a drive
	}
	for _, step := range strings.Split(rest, "/") {
		stem, _, _ := strings.Cut(step, ".")
		i := strings.IndexAny(step, `<>:"|?*`)
		switch {
		case step == "" || step == "." || step == "..":
		case i >= 0:
			return fmt.Errorf("%s: Windows allows no %c in the name of a file", p, step[i])
		case reservedName(stem):
			return fmt.Errorf("%s: %s is the name of a device on Windows, and no file can have it", p, stem)
		case strings.HasSuffix(step, ".") || strings.HasSuffix(step, " "):
			return fmt.Errorf("%s: on Windows no name ends in a dot or a blank", p)
		}
	}
	return nil
}

// SafePath turns the path of an entry into a relative path with slashes. Every step becomes a safe name, so the result
// stays inside the folder that it is joined to.
func SafePath(entry string) string {
	steps := strings.Split(entry, "/")
	for i, s := range steps {
		steps[i] = SafeName(s)
	}
	return strings.Join(steps, "/")
}

// Names assigns file names that are distinct even on file systems that ignore case. The zero value is ready to use.
type Names struct{ used map[string]int } // by folded name: the number that a second file of the name is to try

// Unique returns want. If that name, or one that differs only in case, was returned before, it adds a number before the
// extension.
func (n *Names) Unique(want string) string {
	if n.used == nil {
		n.used = map[string]int{}
	}
	name, key := want, Fold(want)
	if i := n.used[key]; i > 0 {
		ext, first := path.Ext(want), key
		for n.used[key] > 0 {
			name = fmt.Sprintf("%s~%d%s", strings.TrimSuffix(want, ext), i, ext)
			key = Fold(name)
			i++
		}
		n.used[first] = i
	}
	n.used[key] = 2
	return name
}

// Fold returns a file name in the form in which file systems that ignore case compare it.
func Fold(s string) string { return strings.ToLower(strings.ToUpper(s)) }
