package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// verb is one way to write files.
type verb struct {
	name string
	// start makes what there is before: lines of a shell, in which $T is testdata and usher the program.
	start string
	// line is the command.
	line string
	// each says that every file counts by itself, or with those of its stem: a batch goes on where it was stopped.
	each bool
	// leaves says that what cannot be read is left out or takes another form, and the rest is written.
	leaves bool
	// ok is the status of success; that of diff is 1 where there are differences.
	ok int
	// waits says that it goes on until somebody interrupts it: see watched.
	waits bool
	// done is what the same command says of what is done already, beside what all verbs say.
	done string
	// then is a command that works on what was made.
	then string

	template string
	old, new state
	calls    []int // how many there are, by kind
}

const (
	textures = "cp $T/ultima9/bitmap16.flx $T/ultima9/ankh.pal .\n"
	records  = textures + "mv bitmap16.flx a.flx; usher unpack --raw a.flx -o x -q; for n in 1 5; do echo edit of $n >x/$n.bin; done\n"
	partners = "cp $T/ultima9/sappear.flx $T/ultima9/bitmap16.flx $T/ultima9/sdInfo16.flx $T/ultima9/ankh.pal .; usher unpack sappear.flx -o u -q; usher convert $T/ultimate3d/windmill.u3d -o u/900.glb -q\n"
	two      = "cp $T/ultima9/bitmap16.flx a.flx; cp $T/ultima9/ankh.pal .; usher unpack --raw a.flx -o x -q; echo edit >x/1.bin; cat x/5.bin x/5.bin >x/7.bin; usher pack x -o b.flx -q; rm -r x\n"
	windmill = "cp $T/ultimate3d/windmill.u3d $T/ultimate3d/windmill.png .\n"
	edited   = windmill + "usher convert windmill.u3d -o wm.glb -q\n"
)

// verbs are all that write, in the ways in which they do.
func verbs() []*verb {
	return []*verb{
		{name: "convert", start: windmill, line: "convert windmill.u3d -o w.glb"},
		{name: "convert --force", start: windmill + "echo old >w.glb", line: "convert windmill.u3d -o w.glb --force"},
		{name: "convert to gltf", start: windmill, line: "convert windmill.u3d -o w.gltf"},
		{name: "convert to gltf --force", start: windmill + "usher convert $T/ultimate3d/ball.u3d -o w.gltf -q; echo old >w_timber.png", line: "convert windmill.u3d -o w.gltf --force"},
		{name: "picture and companion", start: "cp $T/unreal/pictures.utx .", line: "convert pictures.utx:Walls.Board -o b.png"},
		{name: "picture and companion --force", start: "cp $T/unreal/pictures.utx .; echo old >b.png; echo old >b.usher.json", line: "convert pictures.utx:Walls.Board -o b.png --force"},
		{name: "model with .sur and .mat", start: edited, line: "convert wm.glb -o s.cmp --hulls --mat"},
		{name: "model with .sur and .mat --force", start: edited + "for e in cmp sur mat; do echo old >s.$e; done", line: "convert wm.glb -o s.cmp --hulls --mat --force"},
		{name: "model and pictures", start: edited, line: "convert wm.glb -o new.u3d"},
		{name: "table", start: "cp $T/ultima9/typename.flx .", line: "convert typename.flx -o t.csv"},
		{name: "table back", start: "cp $T/ultima9/typename.flx .; usher convert typename.flx -o t.csv -q; sed -i '2s/,[^,]*$/,7/' t.csv", line: "convert t.csv -o typename.flx --force"},
		{name: "batch", start: textures, line: "convert bitmap16.flx -o out/", each: true},
		{name: "batch --force", start: textures + "mkdir out; for n in 1 2 3; do echo old >out/$n.png; done", line: "convert bitmap16.flx -o out/ --force", each: true},
		{name: "batch to gltf", start: windmill + "cp $T/ultimate3d/ball.u3d .", line: "convert windmill.u3d ball.u3d --to gltf -o out/", each: true},
		{name: "unpack", start: textures, line: "unpack bitmap16.flx -o x", each: true, then: "pack x -o again.flx --force"},
		{name: "unpack --raw", start: textures, line: "unpack --raw bitmap16.flx -o x", each: true, then: "pack x -o again.flx --force"},
		{name: "unpack --force", start: records + "mv a.flx bitmap16.flx", line: "unpack --raw bitmap16.flx -o x --force", each: true, then: "pack x -o again.flx --force"},
		{name: "unpack several", start: textures + "cp $T/ultima9/typename.flx .", line: "unpack bitmap16.flx typename.flx -o out", each: true},
		{name: "pack", start: records, line: "pack x -o out.flx"},
		{name: "pack unchanged", start: records + "cp a.flx b.flx; usher unpack --raw b.flx -o y -q", line: "pack y -o out.flx"},
		{name: "pack over", start: records, line: "pack x -o a.flx --force", then: "pack x -o a.flx --force"},
		{name: "pack --watch", start: records, line: "pack x -o a.flx --force --watch", then: "pack x -o a.flx --force", ok: interrupted, waits: true},
		{name: "pack with partners", start: partners, line: "pack u -o sappear.flx --force", then: "pack u -o sappear.flx --force"},
		{name: "pack with partners elsewhere", start: partners, line: "pack u -o new/sappear.flx"},
		{name: "pack one file", start: records, line: "pack x/5.bin --base a.flx:1 -o a.flx --force"},
		{name: "pack without manifest", start: records + "rm x/usher.json", line: "pack x -o new.flx"},
		{name: "diff", start: two, line: "diff a.flx b.flx -o p", ok: 1, leaves: true},
		{name: "diff --reversible", start: two, line: "diff a.flx b.flx -o p --reversible", ok: 1, leaves: true},
		{name: "diff --force", start: two + "mkdir p; echo mine >p/mine; echo old >p/1.bin", line: "diff a.flx b.flx -o p --force", ok: 1, leaves: true},
		{name: "diff --html --picture", start: "cp $T/unreal/pictures.utx a.utx; usher unpack a.utx -o x -q; cp x/Walls.Holes.png x/Walls.Board.png; usher pack x -o b.utx -q; rm -r x", line: "diff a.utx b.utx --html r.html --picture pics --force", ok: 1, each: true, leaves: true},
		{name: "patch", start: two + "usher diff a.flx b.flx -o p -q", line: "pack p --base a.flx -o c.flx"},
		{name: "patch over", start: two + "usher diff a.flx b.flx -o p -q", line: "pack p --base a.flx -o a.flx --force"},
		{name: "patch --reverse", start: two + "usher diff a.flx b.flx -o p -q --reversible", line: "pack --reverse p --base b.flx -o b.flx --force"},
		{name: "undo", start: records + "usher pack x -o a.flx --force -q", line: "undo a.flx", done: "nothing of it is kept"},
		{name: "undo with partners", start: partners + "usher pack u -o sappear.flx --force -q", line: "undo sappear.flx", done: "nothing of it is kept"},
		{name: "view", start: "cp $T/unreal/pictures.utx .", line: "view pictures.utx -o s", leaves: true},
		{name: "view --force", start: "cp $T/unreal/pictures.utx $T/unreal/sounds.uax .; usher view sounds.uax -o s -q", line: "view pictures.utx -o s --force", leaves: true},
		{name: "sheet", start: textures, line: "sheet bitmap16.flx -o s.png", leaves: true},
		{name: "sheet of several pages", start: textures, line: "sheet bitmap16.flx -o s.png --size 1500 --columns 1", leaves: true},
		{name: "sheet --plain", start: textures + "echo old > s", line: "sheet bitmap16.flx -o s --plain", leaves: true},
		{name: "check --fix", start: "cp -R $T/check/* .; mkdir mod/DATA/SOLAR; cp game/DATA/SOLAR/solararch.ini mod/DATA/SOLAR; for n in 1 2; do tail -3 mod/DATA/SHIPS/shiparch.ini | sed s/heron_wing$/spare/ >>mod/DATA/SOLAR/solararch.ini; done", line: "check mod --install game --fix", ok: 1, leaves: true},
		{name: "blender", line: "blender -o add-on.zip"},
	}
}

// shell runs lines in a folder.
func shell(dir, lines string) error {
	cmd := exec.Command("bash", "-euc", "usher() { \""+*program+"\" \"$@\" || [ $1 = diff ]; }\nT='"+*testdata+"'\n"+lines)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", lines, err, out)
	}
	return nil
}

// command returns the command of a line.
func command(dir, line string) *exec.Cmd {
	cmd := exec.Command(*program, append(strings.Fields(line), "-q")...)
	if strings.HasPrefix(line, "blender") {
		cmd.Args = cmd.Args[:len(cmd.Args)-1]
	}
	cmd.Dir = dir
	return cmd
}

// prepare makes the folder that every case begins with, finds out what is wanted in the end, and counts the calls.
func (v *verb) prepare(work string) error {
	v.template = filepath.Join(work, "template "+strings.ReplaceAll(v.name, "/", "_"))
	if err := os.Mkdir(v.template, 0o777); err != nil {
		return err
	}
	if err := shell(v.template, v.start); err != nil {
		return err
	}
	dir := v.template + " done"
	defer os.RemoveAll(dir)
	var err error
	if v.old, err = v.fresh(dir); err != nil {
		return err
	}
	trace := filepath.Join(work, "trace")
	all := ""
	for _, k := range kinds {
		all += "," + k.calls
	}
	cmd := command(dir, v.line)
	cmd.Args = append([]string{"strace", "-f", "-qq", "-o", trace, "-e", "trace=" + all[1:]}, cmd.Args...)
	cmd.Path, _ = exec.LookPath("strace")
	changed := func(is state) bool { return !maps.Equal(is, v.old) }
	if status, said := v.outcome(cmd, changed); status != v.ok {
		return fmt.Errorf("status %d: %s", status, said)
	}
	if v.calls, err = countCalls(trace); err != nil {
		return err
	}
	v.new, err = look(dir)
	return err
}

// fresh makes a folder as it is before, and returns what is in it.
func (v *verb) fresh(dir string) (state, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if out, err := exec.Command("cp", "-a", v.template, dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return look(dir)
}

// countCalls returns of each kind how many calls the busiest thread makes: that is how strace counts them.
func countCalls(trace string) ([]int, error) {
	b, err := os.ReadFile(trace)
	if err != nil {
		return nil, err
	}
	most := make([]int, len(kinds))
	by := map[string]int{}
	for line := range bytes.Lines(b) {
		thread, rest, _ := strings.Cut(string(line), " ")
		name, _, called := strings.Cut(strings.TrimSpace(rest), "(")
		if !called {
			continue
		}
		for k := range kinds {
			for _, call := range strings.Split(kinds[k].calls, ",") {
				if call == name {
					at := fmt.Sprint(thread, k)
					by[at]++
					most[k] = max(most[k], by[at])
				}
			}
		}
	}
	return most, nil
}

// trials are all cases of a verb.
func (v *verb) trials() (list []trial) {
	for k := range kinds {
		for n := range v.calls[k] {
			for _, f := range failures {
				list = append(list, trial{v, k, n + 1, f})
			}
		}
	}
	return list
}
