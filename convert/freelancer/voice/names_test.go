package voice

import (
	"io/fs"
	"maps"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// oneFile is a folder with one file.
type oneFile struct {
	name string
	b    []byte
}

func (f oneFile) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if name == f.name {
			return f.b, name, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// TestNames: the names of lines, from a list and from an INI file of the game.
func TestNames(t *testing.T) {
	const text = "[Voice]\nnickname = king\nmsg = no\n\n[Sound]\nmsg = DX_M01_0100_KING\nattenuation = -6\n[Sound]\nmsg = gcs_01-\n[Sound]\nmsg\n[Sound]\nmsg = 5\n"
	x, err := ini.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	id := freelancer.CreateID
	lines := map[uint32]string{id("DX_M01_0100_KING"): "DX_M01_0100_KING", id("gcs_01-"): "gcs_01-"}
	for _, c := range []struct {
		file oneFile
		want map[uint32]string
	}{
		{oneFile{"a.txt", []byte("DX_M01_0100_KING\n; no\n0x80000001 gcs\n")}, map[uint32]string{id("DX_M01_0100_KING"): "DX_M01_0100_KING", 0x80000001: "gcs"}},
		{oneFile{"voices.ini", []byte(text)}, lines},
		{oneFile{"VOICES.INI", compiled}, lines},
	} {
		env := &format.Env{Files: c.file}
		env.Options.Freelancer.Names = c.file.name
		if got, err := Names(env); err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.file.name, got, err, c.want)
		}
	}
	env := &format.Env{Files: oneFile{"bad.ini", []byte("BINI")}}
	env.Options.Freelancer.Names = "bad.ini"
	if _, err := Names(env); err == nil {
		t.Error("a damaged INI file is taken")
	}
}
