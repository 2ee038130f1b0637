package compare

import (
	"io"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestVerifyLarge: a large tree is neither read nor written as a whole; what differs is named as in a small one.
func TestVerifyLarge(t *testing.T) {
	for _, size := range []int{1 << 10, 9 << 20} {
		tree := freelancer.NewTree()
		tree.Root.Add(freelancer.NewLeaf("Exporter Version", []byte("usher\x00")))
		tree.Root.Add(freelancer.NewDir("Wide", freelancer.NewLeaf("noise", make([]byte, size))))
		b, err := write.UTF(tree)
		if err != nil {
			t.Fatal(err)
		}
		f := *formats.ByName("utf")
		large := int64(len(b)) > f.Whole
		reads, open, read, encode := 0, f.Open, f.Read, f.Write
		f.Read = func(b []byte, d *schema.Diagnostics) (any, error) { reads++; return read(b, d) }
		env := &format.Env{Name: "x.utf", Diagnostics: new(schema.Diagnostics)}
		if name, n, err := Verify(b, &f, env); name != "utf" || n != 2 || err != nil || reads == 0 != large {
			t.Errorf("%d bytes: %s, %d entries, %v; read as a whole %d times", len(b), name, n, err, reads)
		}
		f.Write = func(v any) ([]byte, error) {
			b, err := encode(v)
			b[0x54] = 3
			return b, err
		}
		f.Open = func(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
			a, err := open(r, size, env)
			return wrongArchive{a}, err
		}
		want := `tree/\ at 0x54: wrote 03000000642e0000, the file has 00000000642e0000`
		if _, _, err = Verify(b, &f, env); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d bytes: got  %v\nwant %s", len(b), err, want)
		}
	}
}
