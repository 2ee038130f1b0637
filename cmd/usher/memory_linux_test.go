package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// No verb holds an archive whole: what verify and unpack take at most is three times the largest entry and 50 MB.
func TestMemoryOfArchives(t *testing.T) {
	dir := t.TempDir()
	const sounds, size = 60, 2 << 20
	const most = (3*size + 50<<20) >> 10 // kilobytes
	folder := filepath.Join(dir, "sounds")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, size+2*sounds)
	rand.NewChaCha8([32]byte{}).Read(noise)
	for i := range sounds {
		out, err := os.Create(filepath.Join(folder, fmt.Sprintf("s%d.wav", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := wav.Encode(out, &asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: noise[2*i:][:size]}); err != nil {
			t.Fatal(err)
		}
		out.Close()
	}
	for _, name := range []string{"big.uax", "big.umod", "big.utf"} {
		archive := filepath.Join(dir, name)
		const mostPacked = most + 30<<10                                                                    // the files that are encoded ahead of the one that is written
		if peak := peakOf(t, "pack", folder, "-o", archive, "-q"); peak > mostPacked && name != "big.uax" { // whose objects refer to each other
			t.Errorf("a new %s takes %d MB", name, peak>>10)
		}
		for _, args := range [][]string{{"verify", archive, "-q"}, {"unpack", "--raw", archive, "-o", archive + ".x", "-q"}} {
			if peak := peakOf(t, args...); peak > most {
				t.Errorf("%s of %s takes %d MB", args[0], name, peak>>10)
			}
		}
	}
}

// peakVariable names the file to which the program writes how much memory it had at most. What the system tells of a child
// that is over counts what its parent had as well.
const peakVariable = "USHER_TEST_PEAK"

func init() {
	beforeExit = func() {
		if p := os.Getenv(peakVariable); p != "" {
			status, _ := os.ReadFile("/proc/self/status")
			_ = os.WriteFile(p, status, 0o666)
		}
	}
}

// peakOf runs usher and returns the most memory that it had.
func peakOf(t *testing.T, args ...string) (kilobytes int) {
	t.Helper()
	p := filepath.Join(t.TempDir(), "status")
	cmd := exec.Command("usher", args...)
	cmd.Env = append(os.Environ(), peakVariable+"="+p)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	_, line, _ := strings.Cut(string(corpus.Bytes(t, p)), "VmHWM:")
	if _, err := fmt.Sscan(line, &kilobytes); err != nil {
		t.Fatal(err)
	}
	return kilobytes
}
