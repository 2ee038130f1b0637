package download

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// The setup program installs what Manifest.ini lists, with its sizes, and nothing else. So an edit of the files of an
// installer is one of their list, too (reference section 25).

const (
	manifestPath  = "System/Manifest.ini"
	manifestWords = "System/Manifest.int" // what the setup program shows
	filesGroup    = "FilesGroup"          // of manifests that usher makes
)

var (
	fileLine    = regexp.MustCompile(`(?i)^[ \t]*File[ \t]*=[ \t]*\(.*\bSrc[ \t]*=[ \t]*("[^"]*"|[^,)"]*)`)
	sizeValue   = regexp.MustCompile(`(?i)\bSize[ \t]*=[ \t]*([0-9]*)`)
	sectionLine = regexp.MustCompile(`^[ \t]*\[([^\]]*)\]`)
	groupLine   = regexp.MustCompile(`(?i)^[ \t]*Group[ \t]*=[ \t]*([^\r\n]*)`)
)

// listedFile returns the path of the file that a line of a manifest lists, in lower case with slashes.
func listedFile(line string) (path string, ok bool) {
	m := fileLine.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return umodKey(strings.Trim(strings.TrimSpace(m[1]), `"`)), true
}

func umodKey(path string) string { return strings.ToLower(strings.ReplaceAll(path, `\`, "/")) }

// manifest returns the number of Manifest.ini among the files, or -1.
func (a *umodArchive) manifest() int {
	return slices.IndexFunc(a.x.Files, func(f unreal.UMODFile) bool {
		key := umodKey(f.Path.Text)
		return key[strings.LastIndexByte(key, '/')+1:] == "manifest.ini"
	})
}

// isManifest reports whether a file is for the setup program itself.
func isManifest(f *unreal.UMODFile) bool {
	key := umodKey(f.Path.Text)
	name := key[strings.LastIndexByte(key, '/')+1:]
	return name == "manifest.ini" || name == "manifest.int"
}

// recall keeps in mind what the stored manifest does not list: that is not installed, and somebody wanted it so.
func (a *umodArchive) recall() {
	a.unlisted, a.stored = map[string]bool{}, map[string]bool{}
	i := a.manifest()
	if i < 0 {
		return
	}
	text, err := a.rawPayload(nil, i)
	if err != nil || isWide(text) {
		return
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if path, ok := listedFile(line); ok {
			listed[path] = true
		}
	}
	for k := range a.x.Files {
		key := umodKey(a.x.Files[k].Path.Text)
		a.stored[key], a.unlisted[key] = true, !listed[key]
	}
}

// isWide reports whether a text has two bytes a letter.
func isWide(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff"))
}

// settle brings the manifest in line with files that were changed, added and removed since it was last.
func (a *umodArchive) settle() error {
	if !a.unsettled {
		return nil
	}
	a.unsettled = false
	i := a.manifest()
	if i < 0 {
		return nil // a new one gets it when it is written
	}
	text, err := a.rawPayload(nil, i)
	if err != nil {
		return err
	}
	if isWide(text) {
		a.told.Warnf("manifest-wide", manifestPath, "it has two bytes a letter, and is left as it is: files that were added or have another size are to be listed by hand")
		return nil
	}
	now := a.listing(string(text))
	if now == string(text) {
		return nil
	}
	return a.edit(i, []byte(now))
}

// listing returns the text of a manifest that lists the files as they are. Only lines of files with another size change;
// those of removed files go; new ones stand behind the last.
func (a *umodArchive) listing(text string) string {
	sizes := map[string]int64{}
	for i, e := range a.entries {
		if !isManifest(&a.x.Files[i]) {
			sizes[umodKey(a.x.Files[i].Path.Text)] = e.Size
		}
	}
	var lines []string
	listed, last := map[string]bool{}, -1
	for line := range strings.Lines(text) {
		path, ok := listedFile(line)
		if size, there := sizes[path]; ok && there {
			line, listed[path], last = withSize(line, size), true, len(lines)
		} else if ok && a.stored[path] {
			continue // it was taken out
		}
		lines = append(lines, line)
	}
	end := "\r\n"
	if len(lines) > 0 && !strings.HasSuffix(lines[0], end) && strings.HasSuffix(lines[0], "\n") {
		end = "\n"
	}
	var added []string
	for i := range a.x.Files {
		path := a.x.Files[i].Path.Text
		key := umodKey(path)
		size, there := sizes[key]
		switch {
		case !there || listed[key] || a.unlisted[key]:
		case strings.ContainsAny(path, "\"\r\n"):
			a.told.Lossf("manifest-path", manifestPath, "%q cannot stand in a manifest: the setup program will not install it", path)
		default:
			added = append(added, fmt.Sprintf("File=(Src=%s,Size=%d)%s", quotedPath(path), size, end))
		}
	}
	if len(added) == 0 {
		return strings.Join(lines, "")
	}
	if last < 0 {
		lines, last = inGroup(lines, end)
	}
	lines[last] = strings.TrimRight(lines[last], "\r\n") + end
	return strings.Join(slices.Insert(lines, last+1, added...), "")
}

// withSize returns a line of a manifest with another size.
func withSize(line string, size int64) string {
	at := sizeValue.FindStringSubmatchIndex(line)
	if at == nil || line[at[2]:at[3]] == strconv.FormatInt(size, 10) {
		return line
	}
	return line[:at[2]] + strconv.FormatInt(size, 10) + line[at[3]:]
}

// quotedPath returns a path as a manifest has it: in quotes where something in it would end it.
func quotedPath(path string) string {
	if strings.ContainsAny(path, " ,()") {
		return `"` + path + `"`
	}
	return path
}

// inGroup returns the line behind which files are listed in a manifest that lists none: the end of its last group. A
// manifest without groups gets one.
func inGroup(lines []string, end string) (all []string, last int) {
	group, setup := "", -1
	for i, line := range lines {
		if m := groupLine.FindStringSubmatch(line); m != nil {
			group = strings.TrimSpace(m[1])
		}
		if m := sectionLine.FindStringSubmatch(line); m != nil && strings.EqualFold(m[1], "Setup") {
			setup = i
		}
	}
	if len(lines) > 0 {
		lines[len(lines)-1] = strings.TrimRight(lines[len(lines)-1], "\r\n") + end
	}
	if group == "" {
		group = filesGroup
		if setup < 0 {
			lines, setup = append(lines, "[Setup]"+end), len(lines)
		}
		lines = slices.Insert(lines, setup+1, "Group="+group+end)
	}
	in := false
	last = -1
	for i, line := range lines {
		if m := sectionLine.FindStringSubmatch(line); m != nil {
			in = strings.EqualFold(m[1], group)
		}
		if in && strings.TrimSpace(line) != "" {
			last = i
		}
	}
	if last < 0 {
		lines = append(lines, end, "["+group+"]"+end)
		last = len(lines) - 1
	}
	return lines, last
}

// withManifest returns an archive that is a new one, with the manifest that it lacks as its first files.
func (a *umodArchive) withManifest() *umodArchive {
	if a.source != nil || a.manifest() >= 0 || len(a.x.Files) == 0 {
		return a
	}
	words := fmt.Sprintf("[Setup]\r\nLocalProduct=%[1]s\r\n\r\n[SetupGroup]\r\nCaption=%[1]s\r\n\r\n[%[2]s]\r\nCaption=%[1]s\r\n", a.product, filesGroup)
	text := fmt.Sprintf("[Setup]\r\nProduct=%[1]s\r\nVersion=1\r\nArchive=%[1]s.umod\r\nSrcPath=.\r\nMasterPath=..\r\nGroup=SetupGroup\r\nGroup=%[2]s\r\n\r\n[SetupGroup]\r\n", a.product, filesGroup)
	for _, path := range []string{manifestPath, manifestWords} {
		text += fmt.Sprintf("Copy=(Src=%[1]s,Master=%[1]s,Flags=%[2]d)\r\n", strings.ReplaceAll(path, "/", `\`), unreal.UMODManifest)
	}
	text = a.listing(text + fmt.Sprintf("\r\n[%s]\r\n", filesGroup))
	x := *a.x
	x.Files = []unreal.UMODFile{newManifest(manifestPath)}
	own := []string{text}
	if !slices.ContainsFunc(a.x.Files, func(f unreal.UMODFile) bool { return umodKey(f.Path.Text) == umodKey(manifestWords) }) {
		x.Files, own = append(x.Files, newManifest(manifestWords)), append(own, words)
	}
	x.Files = append(x.Files, a.x.Files...)
	whole := &umodArchive{x: &x, edits: map[int]*io.SectionReader{}, edited: true}
	for i, s := range own {
		whole.edits[i] = io.NewSectionReader(strings.NewReader(s), 0, int64(len(s)))
	}
	for i, content := range a.edits {
		whole.edits[i+len(own)] = content
	}
	whole.describe()
	a.told.Warnf("manifest-new", manifestPath, "there was none: one was made that installs %s as %q, version 1; lay one of your own into the folder to say more",
		schema.Counted(len(a.x.Files), "file", "files"), a.product)
	return whole
}

func newManifest(path string) unreal.UMODFile {
	return unreal.UMODFile{Path: unreal.Str{Text: strings.ReplaceAll(path, "/", `\`)}, Flags: unreal.UMODManifest}
}
