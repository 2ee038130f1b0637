package main

import "strings"

// example is a command line of the help, and what it does. A test runs all of those of a verb, one after the other, in a
// folder that holds the files of testdata.
type example struct {
	Line, Does string
	Status     int  // its exit status
	Serves     bool // it goes on until somebody ends it
}

func (e example) print(b *strings.Builder) {
	entry(b, 6, e.Line, e.Does)
}

// examples are those of each verb; "" has those of the whole program.
var examples = map[string][]example{
	"": {
		{Line: "usher convert windmill.u3d -o windmill.glb", Does: "a model, for Blender"},
		{Line: "usher convert windmill.glb -o new.u3d", Does: "and back, after an edit"},
		{Line: "usher unpack pictures.utx -o walls", Does: "an archive as a folder of PNGs"},
		{Line: "usher pack walls -o new.utx", Does: "and back; what was not edited stays byte for byte"},
	},
	"info": {
		{Line: "usher info ship.cmp", Does: "parts, joints, materials, oddities"},
		{Line: "usher info sappear.flx:3", Does: "one entry of an archive"},
		{Line: "usher info -v ship.cmp --with tiles.txm", Does: "and where its meshes, materials and textures come from"},
		{Line: "usher info --json *.u3d", Does: "for other programs"},
	},
	"ls": {
		{Line: "usher ls pictures.utx", Does: "all entries"},
		{Line: "usher ls -l ship.cmp '*.dds/*' 'Material*/**'", Does: "those that match, with offset and format"},
		{Line: "usher ls made69.u --kind texture,sound", Does: "pictures and sounds only"},
		{Line: "usher ls . --format u9-texture", Does: "the entries of all archives of a folder"},
	},
	"cat": {
		{Line: "usher cat ship.cmp 'Cmpnd/Root/File name'", Does: "an entry's bytes"},
		{Line: "usher cat made69.u:Notes > notes.txt", Does: "the same with a colon, into a file"},
	},
	"convert": {
		{Line: "usher convert ship.cmp -o ship.glb", Does: "a model, for Blender"},
		{Line: "usher convert ship.glb -o new.cmp", Does: "and back; unedited, the same bytes"},
		{Line: "usher convert *.u3d -o glb", Does: "many at once, into a folder"},
		{Line: "usher convert 'bitmap16.flx:1*' -o png", Does: "some entries of an archive"},
		{Line: "usher convert . -o sounds --kind sound", Does: "every sound below a folder, also those in archives"},
	},
	"unpack": {
		{Line: "usher unpack pictures.utx -o walls", Does: "textures as PNG, palettes as JSON"},
		{Line: "usher unpack made69.u -o part --kind texture", Does: "only the textures"},
		{Line: "usher unpack --raw sappear.flx -o raw", Does: "the payloads as they are stored"},
		{Line: "usher unpack voice.utf -o lines --to wav", Does: "voice lines, MP3 decoded"},
	},
	"pack": {
		{Line: "usher unpack pictures.utx -o walls", Does: "first take it apart, then edit what is in the folder"},
		{Line: "usher pack walls -o new.utx --dry-run", Does: "what would change"},
		{Line: "usher pack walls -o new.utx", Does: "what was not edited stays byte for byte"},
		{Line: "usher pack walls --base pictures.utx -o other.utx", Does: "when the original is not where it was"},
		{Line: "usher pack walls/Walls.Board.png --base pictures.utx -o one.utx", Does: "one edited file into a copy of its archive"},
	},
	"undo": {
		{Line: "usher unpack pictures.utx -o walls", Does: "take an archive apart"},
		{Line: "usher pack walls --include 'Walls.Board*' --encoding bc1 -o pictures.utx --force", Does: "change it, and pack over it"},
		{Line: "usher undo pictures.utx --list", Does: "what is kept"},
		{Line: "usher undo pictures.utx", Does: "the bytes of before"},
	},
	"verify": {
		{Line: "usher verify windmill.u3d pictures.utx", Does: "would usher write these files as they are?"},
		{Line: "usher verify . -q", Does: "everything below a folder; prints what differs or is refused"},
		{Line: "usher verify 'sappear.flx:*'", Does: "each entry of an archive by itself"},
	},
	"check": {
		{Line: "usher check game", Does: "what a game would stumble over: nothing, status 0"},
		{Line: "usher check mod --install game", Does: "what a mod lacks that the game has not either: status 1", Status: 1},
		{Line: "usher check mod --install game -v --json", Does: "with doubts, for a build server", Status: 1},
		{Line: "usher check mod --install game --fix --dry-run", Does: "what can be mended without asking", Status: 1},
	},
	"diff": {
		{Line: "usher diff fixed.9 nonfixed.9", Does: "what differs, in the terms of the format", Status: 1},
		{Line: "usher diff sappear.flx models.flx -o patch", Does: "as a patch that can be given away", Status: 1},
		{Line: "usher diff ship.cmp ship.cmp", Does: "the same: status 0"},
	},
	"text": {
		{Line: "usher text ship.cmp", Does: "what it is, its entries with their hashes, short fields"},
		{Line: "usher text pictures.utx > before.txt", Does: "into a file, to compare it with a later one"},
	},
	"git-setup": {
		{Line: "usher git-setup --dry-run", Does: "the .gitattributes that it would write"},
		{Line: "usher git-setup", Does: "git diff and git log -p show fields and pictures, not \"binary files differ\""},
	},
	"explain": {
		{Line: "usher explain bell.snd", Does: "fields and values, in the order of the file"},
		{Line: "usher explain sappear.flx:3", Does: "an entry, with the offsets of the file"},
		{Line: "usher explain sappear.flx@0x1e4", Does: "what lies at an offset"},
		{Line: "usher explain ship.cmp --gaps", Does: "what no field covers"},
		{Line: "usher explain made69.u --coverage", Does: "how much of each entry is understood"},
	},
	"view": {
		{Line: "usher view pictures.utx -o pages", Does: "static pages; without -o, in the browser"},
		{Line: "usher view fixed.9 nonfixed.9 -o changes", Does: "before and after, side by side"},
	},
	"desk": {
		{Line: "usher desk pictures.utx", Does: "drop a PNG onto a texture, look at before and after, save", Serves: true},
		{Line: "usher desk . --exports out", Does: "all of a folder; what is exported goes to out", Serves: true},
	},
	"sheet": {
		{Line: "usher sheet pictures.utx -o walls.png", Does: "all textures of a package on one picture"},
		{Line: "usher sheet . -o models.png --kind model --columns 4 --force", Does: "the models of a folder"},
	},
	"formats": {
		{Line: "usher formats", Does: "the names that --from, --to and --format take"},
		{Line: "usher formats --json", Does: "for other programs"},
		{Line: "usher formats --schema u3d", Does: "the JSON schema of what \"--to json\" makes of a format"},
	},
	"blender": {
		{Line: "usher blender -o usher-blender.zip", Does: "then, in Blender: Edit, Preferences, Add-ons, Install from file"},
		{Line: "usher blender -o usher-blender.zip --force", Does: "the same over an older one"},
	},
	"completion": {
		{Line: "usher completion bash > usher.bash", Does: "then, in ~/.bashrc: source usher.bash"},
		{Line: "usher completion zsh > _usher", Does: "into a folder of $fpath"},
		{Line: "usher completion fish > usher.fish", Does: "into ~/.config/fish/completions"},
	},
	"man": {
		{Line: "usher man > usher.1", Does: "into a folder such as /usr/local/share/man/man1"},
	},
	"version": {
		{Line: "usher version", Does: "the version"},
		{Line: "usher version --json", Does: "with the commit, the time and the Go version that it was built of"},
	},
}
