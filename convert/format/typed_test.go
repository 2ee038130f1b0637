package format_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// TestMismatch holds that functions which do not fit each other do not compile, and that those which do, do.
func TestMismatch(t *testing.T) {
	program := corpus.Go(t)
	const head = "package ultima9\n\nimport (\n\t\"github.com/usher-assets/usher/convert/format\"\n\t\"github.com/usher-assets/usher/schema/asset\"\n" +
		"\t\"github.com/usher-assets/usher/schema/ultima9\"\n\n\tread \"github.com/usher-assets/usher/read/ultima9\"\n\twrite \"github.com/usher-assets/usher/write/ultima9\"\n)\n\n"
	tests := []struct {
		name, functions, want string
	}{
		{"fits", "format.Functions[ultima9.TypeName, asset.Asset]{Read: read.TypeName, Write: write.TypeName}", ""},
		{"write of another", "format.Functions[ultima9.TypeName, asset.Asset]{Read: read.TypeName, Write: write.Registry}", "cannot use write.Registry"},
		{"lift of another", "format.Functions[ultima9.TypeName, *asset.Scene]{Read: read.TypeName, Write: write.TypeName, Lift: Sappear.Lift}", "cannot use Sappear.Lift"},
		{"another asset", "format.Functions[ultima9.Mesh, *asset.Texture]{Read: read.Sappear, Write: write.Sappear, Lower: Sappear.Lower}", "cannot use Sappear.Lower"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			source := filepath.Join(dir, "mismatch.go")
			if err := os.WriteFile(source, []byte(head+"var _ = format.Of(format.Format{}, "+tt.functions+")\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(corpus.Root(t), "convert", "ultima9", "mismatch.go"): source}})
			if err != nil {
				t.Fatal(err)
			}
			overlay := filepath.Join(dir, "overlay.json")
			if err := os.WriteFile(overlay, replace, 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "build", "-overlay", overlay, "./convert/ultima9")
			cmd.Dir = corpus.Root(t)
			out, err := cmd.CombinedOutput()
			if (err == nil) != (tt.want == "") || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v, want %q\n%s", err, tt.want, out)
			}
		})
	}
}
