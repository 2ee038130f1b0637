package mesh

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// A pair of source files says nothing of sequences, of scale and of textures: the script beside it does, in lines that the
// engine's compiler obeys (reference section 11.10).

// command is one line of a script: "#exec MESH SEQUENCE MESH=Rock SEQ=All".
type command struct {
	line  int    // its number, from 0
	what  string // "mesh sequence"
	known map[string]string
}

// script is the text of a class, of which the commands for one mesh are read and edited.
type script struct {
	lines    []string // with their ends
	mesh     string
	commands []command // those for the mesh
}

// readScript returns the commands of a script for the mesh whose data file is named, or else for the one of that name.
func readScript(text []byte, stem string) *script {
	s := &script{lines: strings.SplitAfter(string(text), "\n"), mesh: stem}
	var all []command
	skins := map[string]string{} // meshes, by the names of what wears them
	for i, line := range s.lines {
		c, ok := parseCommand(line)
		if c.line = i; !ok {
			continue
		}
		all = append(all, c)
		file := c.known["datafile"]
		if c.what == "mesh import" && strings.EqualFold(file[strings.LastIndexAny(file, `\/`)+1:], stem+"_d.3d") {
			s.mesh = c.known["mesh"]
		}
		if c.what == "meshmap new" {
			skins[strings.ToLower(c.known["meshmap"])] = c.known["mesh"]
		}
	}
	for _, c := range all {
		name := c.known["mesh"]
		if worn, ok := skins[strings.ToLower(c.known["meshmap"])]; ok {
			name = worn
		} else if name == "" {
			name = c.known["meshmap"]
		}
		if strings.EqualFold(name, s.mesh) {
			s.commands = append(s.commands, c)
		}
	}
	return s
}

// parseCommand reads a line; ok is false for one that is no command for meshes.
func parseCommand(line string) (c command, ok bool) {
	words := splitWords(line)
	if len(words) < 3 || !strings.EqualFold(words[0], "#exec") || !strings.EqualFold(words[1], "mesh") && !strings.EqualFold(words[1], "meshmap") {
		return c, false
	}
	c = command{what: strings.ToLower(words[1] + " " + words[2]), known: map[string]string{}}
	for _, w := range words[3:] {
		if key, value, set := strings.Cut(w, "="); set {
			c.known[strings.ToLower(key)] = strings.Trim(value, `"`)
		}
	}
	return c, true
}

// splitWords splits a line at blanks that stand outside of quotes.
func splitWords(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '\t' || r == '\r' || r == '\n')
	})
}

// take gives a mesh what the script says of it: sequences, scale, origin and rotation.
func (s *script) take(pkg *pack.File, o *unreal.Mesh, d *schema.Diagnostics) {
	number := func(c command, key string, usual float64) float64 {
		text, there := c.known[key]
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case !there:
			return usual
		case err != nil || math.IsNaN(v) || math.Abs(v) > math.MaxInt32:
			d.Warnf("script-value", s.mesh, "line %d: %s=%s is no number of a mesh: %g is taken", c.line+1, strings.ToUpper(key), text, usual)
			return usual
		}
		return v
	}
	vector := func(c command, usual float64) (v [3]float32) {
		for k, key := range []string{"x", "y", "z"} {
			v[k] = float32(number(c, key, usual))
		}
		return v
	}
	for _, c := range s.commands {
		switch c.what {
		case "mesh origin":
			o.Origin = vector(c, 0)
			for k, key := range []string{"pitch", "yaw", "roll"} {
				o.RotOrigin[k] = int32(int64(number(c, key, 0) * 256)) // parts of a unit count, and turns that go round
			}
		case "meshmap scale":
			if v := vector(c, 1); v[0] != 0 && v[1] != 0 && v[2] != 0 {
				o.Scale = v
			}
		case "mesh sequence":
			group := c.known["group"]
			if group == "" {
				group = "None"
			}
			q := unreal.Sequence{Name: pkg.AddName(c.sequence()), Group: pkg.AddName(pack.CleanName(group)),
				Start: int32(number(c, "startframe", 0)), Frames: int32(number(c, "numframes", 0)), Rate: float32(number(c, "rate", usualRate))}
			if i := sequenceCalled(pkg, o.Sequences, c.sequence()); i >= 0 { // the later line counts
				o.Sequences[i] = q
			} else {
				o.Sequences = append(o.Sequences, q)
			}
		}
	}
	for _, c := range s.commands {
		if c.what != "mesh notify" {
			continue
		}
		i := sequenceCalled(pkg, o.Sequences, c.sequence())
		if i < 0 {
			d.Warnf("script-value", s.mesh, "line %d: there is no sequence %q to notify", c.line+1, c.known["seq"])
			continue
		}
		n := unreal.Notify{Time: float32(number(c, "time", 0)), Function: pkg.AddName(pack.CleanName(c.known["function"], "None"))}
		o.Sequences[i].Notifies = append(o.Sequences[i].Notifies, n)
	}
}

// sequence returns the name of the sequence that a command is about.
func (c *command) sequence() string { return pack.CleanName(c.known["seq"], "Sequence") }

// sequenceCalled returns the number of the sequence of a name, or -1.
func sequenceCalled(pkg *pack.File, all []unreal.Sequence, name string) int {
	return slices.IndexFunc(all, func(q unreal.Sequence) bool { return strings.EqualFold(pkg.Name(q.Name), name) })
}

// usualRate is the rate of sequences that name none.
const usualRate = 30

// text returns the script.
func (s *script) text() []byte { return []byte(strings.Join(s.lines, "")) }

// newScript returns a script that imports the pair of files stem_d.3d and stem_a.3d as a mesh.
func newScript(pkg *pack.File, o *unreal.Mesh, stem string, skins map[int32]string) []byte {
	var b strings.Builder
	name := pack.CleanName(stem)
	fmt.Fprintf(&b, "class %s extends Actor;\r\n\r\n", name)
	fmt.Fprintf(&b, "#exec MESH IMPORT MESH=%s ANIVFILE=%s DATAFILE=%s X=0 Y=0 Z=0\r\n", name, quoted(stem+"_a.3d"), quoted(stem+"_d.3d"))
	b.WriteString(originCommand(name, o) + "\r\n\r\n")
	for i := range o.Sequences {
		for _, line := range sequenceCommands(pkg, name, &o.Sequences[i]) {
			b.WriteString(line + "\r\n")
		}
	}
	fmt.Fprintf(&b, "\r\n#exec MESHMAP NEW MESHMAP=%[1]s MESH=%[1]s\r\n%s\r\n", name, scaleCommand(name, o))
	for n := range int32(math.MaxUint8 + 1) {
		if skin, ok := skins[n]; ok {
			fmt.Fprintf(&b, "#exec MESHMAP SETTEXTURE MESHMAP=%s NUM=%d TEXTURE=%s\r\n", name, n, quoted(skin))
		}
	}
	return []byte(b.String())
}

func originCommand(name string, o *unreal.Mesh) string {
	turn := func(k int) float64 { return float64(o.RotOrigin[k]) / 256 }
	return fmt.Sprintf("#exec MESH ORIGIN MESH=%s X=%g Y=%g Z=%g PITCH=%g YAW=%g ROLL=%g", name, o.Origin[0], o.Origin[1], o.Origin[2], turn(0), turn(1), turn(2))
}

func scaleCommand(name string, o *unreal.Mesh) string {
	return fmt.Sprintf("#exec MESHMAP SCALE MESHMAP=%s X=%g Y=%g Z=%g", name, o.Scale[0], o.Scale[1], o.Scale[2])
}

// sequenceCommands returns the lines that make a sequence.
func sequenceCommands(pkg *pack.File, mesh string, q *unreal.Sequence) []string {
	first := fmt.Sprintf("#exec MESH SEQUENCE MESH=%s SEQ=%s STARTFRAME=%d NUMFRAMES=%d RATE=%g", mesh, quoted(pkg.Name(q.Name)), q.Start, q.Frames, q.Rate)
	if group := pkg.Name(q.Group); !strings.EqualFold(group, "None") && group != "" {
		first += " GROUP=" + quoted(group)
	}
	lines := []string{first}
	for _, n := range q.Notifies {
		lines = append(lines, fmt.Sprintf("#exec MESH NOTIFY MESH=%s SEQ=%s TIME=%g FUNCTION=%s", mesh, quoted(pkg.Name(q.Name)), n.Time, quoted(pkg.Name(n.Function))))
	}
	return lines
}

// quoted returns a name as a command has it. No quotes, and nothing that ends a line, can stand in one.
func quoted(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' {
			return -1
		}
		return r
	}, name)
	if strings.Contains(name, " ") {
		return `"` + name + `"`
	}
	return name
}

// edit gives the script the sequences and the placement of a mesh. Only lines that say something else than before change.
func (s *script) edit(pkg *pack.File, o *unreal.Mesh) {
	_, was := emptyMesh(s.mesh)
	s.take(pkg, was, nil)
	if was.Origin != o.Origin || was.RotOrigin != o.RotOrigin {
		s.set("mesh origin", originCommand(s.mesh, o))
	}
	if was.Scale != o.Scale {
		s.set("meshmap scale", scaleCommand(s.meshMap(), o))
	}
	for i := range was.Sequences {
		name := pkg.Name(was.Sequences[i].Name)
		now := sequenceCalled(pkg, o.Sequences, name)
		switch {
		case now < 0:
			s.replace(name, nil)
		case !sameSequence(pkg, &was.Sequences[i], &o.Sequences[now]):
			s.replace(name, sequenceCommands(pkg, s.mesh, &o.Sequences[now]))
		}
	}
	for i := range o.Sequences {
		if sequenceCalled(pkg, was.Sequences, pkg.Name(o.Sequences[i].Name)) < 0 {
			s.insert(s.last("mesh sequence", "mesh notify", "mesh origin", "mesh import"), sequenceCommands(pkg, s.mesh, &o.Sequences[i]))
		}
	}
}

// sameSequence reports whether two sequences have the same frames, rate, group and notifies.
func sameSequence(pkg *pack.File, a, b *unreal.Sequence) bool {
	return slices.Equal(sequenceCommands(pkg, "", a), sequenceCommands(pkg, "", b))
}

// meshMap returns the name under which the mesh is worn.
func (s *script) meshMap() string {
	for _, c := range s.commands {
		if c.what == "meshmap new" {
			return c.known["meshmap"]
		}
	}
	return s.mesh
}

// last returns the number of the line behind the last command of the first kind that there is one of.
func (s *script) last(kinds ...string) int {
	for _, kind := range kinds {
		for i := len(s.commands) - 1; i >= 0; i-- {
			if s.commands[i].what == kind {
				return s.commands[i].line + 1
			}
		}
	}
	return len(s.lines)
}

// set replaces the command of a kind, or adds it.
func (s *script) set(kind, text string) {
	i := slices.IndexFunc(s.commands, func(c command) bool { return c.what == kind })
	if i < 0 {
		s.insert(s.last("meshmap new", "mesh import"), []string{text})
		return
	}
	line := &s.lines[s.commands[i].line]
	*line = text + lineEnd(*line)
}

// replace puts lines in the place of those of a sequence.
func (s *script) replace(name string, lines []string) {
	at := -1
	for i := len(s.commands) - 1; i >= 0; i-- {
		c := s.commands[i]
		if (c.what == "mesh sequence" || c.what == "mesh notify") && strings.EqualFold(c.sequence(), name) {
			s.lines[c.line], at = "", c.line // an empty string is no line
		}
	}
	if at >= 0 {
		s.insert(at, lines)
	}
	s.forget()
}

// forget drops the commands whose lines are gone.
func (s *script) forget() {
	s.commands = slices.DeleteFunc(s.commands, func(c command) bool { return s.lines[c.line] == "" })
}

// insert puts lines before line number at.
func (s *script) insert(at int, lines []string) {
	end := "\r\n"
	for _, line := range s.lines {
		if e := lineEnd(line); e != "" {
			end = e
			break
		}
	}
	if at > 0 && at == len(s.lines) && s.lines[at-1] != "" && lineEnd(s.lines[at-1]) == "" {
		s.lines[at-1] += end
	}
	var put []string
	for _, line := range lines {
		put = append(put, line+end)
	}
	s.lines = slices.Insert(s.lines, at, put...)
	for i := range s.commands {
		if s.commands[i].line >= at {
			s.commands[i].line += len(put)
		}
	}
	for i, line := range put {
		c, _ := parseCommand(line)
		c.line = at + i
		s.commands = append(s.commands, c)
	}
	slices.SortStableFunc(s.commands, func(a, b command) int { return a.line - b.line })
}

// lineEnd returns what ends a line: "\r\n", "\n" or nothing.
func lineEnd(line string) string { return line[len(strings.TrimRight(line, "\r\n")):] }
