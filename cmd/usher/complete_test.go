package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// typedLines are words of a command line, the last being typed, and what must and must not be offered.
var typedLines = []struct {
	words []string
	want  []string
	not   string
}{
	{[]string{"con"}, []string{"convert"}, "cat"},
	{[]string{""}, []string{"help", "info", "version"}, "__complete"},
	{[]string{"help", "p"}, []string{"pack"}, "unpack"},
	{[]string{"pack", "--re"}, []string{"--rehash"}, "--prune"},
	{[]string{"convert", "--from", "u9-tex"}, []string{"u9-texture", "u9-text"}, "u3d"},
	{[]string{"convert", "--to=gl"}, []string{"--to=glb", "--to=gltf"}, "--to=png"},
	{[]string{"ls", "--kind", "texture,so"}, []string{"texture,sound"}, "texture,model"},
	{[]string{"convert", "--encoding", "dx"}, []string{"dxt1", "dxt5"}, "pcm"},
	{[]string{"completion", ""}, []string{"bash", "zsh", "fish", "powershell"}, ""},
	{[]string{"convert", "made69.u:Wa"}, []string{"made69.u:Walls.Board"}, "made69.u:Beep"},
	{[]string{"cat", "made69.u", "No"}, []string{"Notes"}, "Beep"},
	{[]string{"cat", "ship.cmp:Exp"}, []string{"ship.cmp:Exporter Version"}, ""},
	{[]string{"convert", "-o", ""}, nil, "help"},
	{[]string{"nosuch", ""}, nil, "help"},
}

func TestCandidates(t *testing.T) {
	t.Chdir(flatTestdata(t))
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	for _, tt := range typedLines {
		var got []string
		for _, c := range candidates(app, tt.words) {
			got = append(got, c.word)
		}
		checkOffered(t, strings.Join(tt.words, " "), got, tt.want, tt.not)
	}
}

func checkOffered(t *testing.T, typed string, got, want []string, not string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%q: no %q in %q", typed, w, got)
		}
	}
	if not != "" && slices.Contains(got, not) {
		t.Errorf("%q: %q is offered", typed, not)
	}
	if want == nil && len(got) > 0 {
		t.Errorf("%q: %q is offered, and files are wanted", typed, got)
	}
}

// completionScript writes the script of a shell into a folder, and returns the shell; the test is skipped without it.
func completionScript(t *testing.T, shell, dir, name string) string {
	t.Helper()
	program, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("no %s here", shell)
	}
	script, err := completions.ReadFile("completion/" + shell)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), script, 0o666); err != nil {
		t.Fatal(err)
	}
	return program
}

func linesOf(t *testing.T, dir, program string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", program, err, out, stderr.String())
	}
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(string(out), "\r", "")) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return lines
}

// TestBashCompletion loads the script into a real bash and lets it complete.
func TestBashCompletion(t *testing.T) {
	dir := flatTestdata(t)
	bash := completionScript(t, "bash", dir, "usher.bash")
	ask := `source ./usher.bash
complete -p usher >/dev/null || exit 9
cut() { local IFS=$'\n'; COMP_WORDS=($1); COMP_LINE=$2; COMP_POINT=${#2}; COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _usher; printf '%s\n' "${COMPREPLY[@]}"; }
`
	tests := []struct {
		words []string // as bash cuts them
		line  string
		want  []string
		not   string
	}{
		{[]string{"usher", "con"}, "usher con", []string{"convert"}, "cat"},
		{[]string{"usher", "pack", "--re"}, "usher pack --re", []string{"--rehash"}, "--prune"},
		{[]string{"usher", "convert", "--to", "=", "gl"}, "usher convert --to=gl", []string{"glb", "gltf"}, "png"},
		{[]string{"usher", "convert", "made69.u", ":", "Wa"}, "usher convert made69.u:Wa", []string{"Walls.Board"}, "Beep"},
		{[]string{"usher", "cat", "ship.cmp", ":", `Exporter\ V`}, `usher cat ship.cmp:Exporter\ V`, []string{`Exporter\ Version`}, ""},
	}
	for _, tt := range tests {
		got := linesOf(t, dir, bash, "--norc", "-c", ask+`cut "$1" "$2"`, "bash", strings.Join(tt.words, "\n"), tt.line)
		checkOffered(t, tt.line, got, tt.want, tt.not)
	}
}

// TestFishCompletion loads the script into a real fish and lets it complete.
func TestFishCompletion(t *testing.T) {
	dir := flatTestdata(t)
	fish := completionScript(t, "fish", dir, "usher.fish")
	t.Setenv("HOME", dir) // for what fish writes
	for _, tt := range typedLines {
		line := "usher " + strings.ReplaceAll(strings.Join(tt.words, " "), "Exporter ", `Exporter\ `)
		var got []string
		for _, l := range linesOf(t, dir, fish, "--no-config", "-c", `source ./usher.fish; complete -C "$argv[1]"`, line) {
			word, _, _ := strings.Cut(l, "\t")
			got = append(got, word)
		}
		if tt.want == nil {
			if slices.Contains(got, tt.not) || !slices.Contains(got, "made69.u") {
				t.Errorf("%q: %q", line, got)
			}
			continue
		}
		for i, w := range got { // fish shows what comes behind "=", and quotes blanks
			got[i] = strings.ReplaceAll(w, `\ `, " ")
			if before, _, ok := strings.Cut(tt.words[len(tt.words)-1], "="); ok && !strings.HasPrefix(w, "--") {
				got[i] = before + "=" + w
			}
		}
		checkOffered(t, line, got, tt.want, tt.not)
	}
}

// TestZshCompletion loads the script into a real zsh, as #compdef, and lets it complete in a pseudo terminal.
func TestZshCompletion(t *testing.T) {
	dir := flatTestdata(t)
	zsh := completionScript(t, "zsh", dir, "_usher")
	ask := `zmodload zsh/zpty || exit 0
zpty z "cd $PWD && PATH=$PATH zsh -f -i"
zpty -w z 'PS1= PS2= RPS1=; unsetopt zle_bracketed_paste beep; stty -echo 2>/dev/null; fpath=('$PWD' $fpath); autoload -U compinit; compinit -D -u; echo rea""dy'
local got= part=
for ((i = 0; i < 200; i++)); do zpty -r -t z part && got+=$part; [[ $got == *ready* ]] && break; sleep 0.05; done
zpty -w -n z "$1"$'\t'
got=
for ((i = 0; i < 60; i++)); do zpty -r -t z part && got+=$part; [[ $got == *"$2"* ]] && break; sleep 0.05; done
zpty -d z
print -r -- "$got"`
	for _, tt := range []struct{ line, want string }{
		{"usher conv", "usher convert"},
		{"usher pack --reh", "usher pack --rehash"},
		{"usher convert made69.u:Walls.B", "made69.u:Walls.Board"},
		{"usher convert --from u9-textu", "--from u9-texture"},
	} {
		got := strings.Join(linesOf(t, dir, zsh, "-f", "-c", ask, "zsh", tt.line, tt.want), "\n")
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q", tt.line, got)
		}
	}
	if out := linesOf(t, dir, zsh, "-f", "-c", "autoload -U compinit; compinit -D -u; source ./_usher; print $_comps[usher]"); !slices.Contains(out, "_usher") {
		t.Errorf("sourced: %q", out)
	}
}

// TestPowerShellCompletion loads the script into a real PowerShell and lets it complete.
func TestPowerShellCompletion(t *testing.T) {
	program, err := exec.LookPath("pwsh")
	if err != nil {
		t.Skip("no pwsh here")
	}
	dir := flatTestdata(t)
	script, _ := completions.ReadFile("completion/powershell")
	if err := os.WriteFile(filepath.Join(dir, "usher.ps1"), script, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range typedLines {
		line := "usher " + strings.Join(tt.words, " ")
		if tt.want == nil || strings.Contains(line, "Exporter") {
			continue
		}
		got := linesOf(t, dir, program, "-NoProfile", "-Command", `. ./usher.ps1; (TabExpansion2 '`+line+`' `+"'"+line+"'"+`.Length).CompletionMatches.ListItemText`)
		checkOffered(t, line, got, tt.want, tt.not)
	}
}
