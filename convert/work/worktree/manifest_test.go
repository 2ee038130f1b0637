package worktree

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/disk"
)

// TestManifestLayouts holds that a manifest is understood as it is written, and after an editor has laid it out anew.
func TestManifestLayouts(t *testing.T) {
	want := &Manifest{Usher: manifestMark, Archive: ManifestArchive{Path: "a.flx", Format: "flx", Stamp: disk.Stamp{Size: 1, Time: 2, Hash: "xxh64:3"}}}
	for i := range 600 {
		name := fmt.Sprintf("%d},\n  {.bin", i)
		want.Entries = append(want.Entries, ManifestEntry{Path: name, Kind: "raw", Size: 7, Files: []ManifestFile{{name, disk.Stamp{Size: 7, Time: 8, Hash: "xxh64:9"}}}})
	}
	ours, err := want.encode()
	if err != nil {
		t.Fatal(err)
	}
	indented, err := json.MarshalIndent(want, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	short, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"ours": ours, "indented": indented, "short": short,
		"Windows lines": []byte(strings.ReplaceAll(string(ours), "\n", "\r\n")),
		"trailing":      append(ours[:len(ours):len(ours)], "\n\n"...),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ManifestName), b, 0o666); err != nil {
			t.Fatal(err)
		}
		if archive, found := manifestHead(b); !found || archive != want.Archive {
			t.Errorf("%s: the archive is %v, %v", name, archive, found)
		}
		got, err := readManifest(dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	dir := t.TempDir()
	for _, damaged := range []string{"", "{", "{\"x\":" + strings.Repeat("[", 1<<20), string(ours[:len(ours)/2]), strings.Replace(string(ours), "\"path\":", "\"path\"", 3), string(ours) + "}"} {
		if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(damaged), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readManifest(dir); err == nil {
			t.Errorf("a damaged manifest is accepted: %.40q", damaged)
		}
	}
}

func BenchmarkManifest(b *testing.B) {
	m := &Manifest{Usher: manifestMark}
	for i := range 10000 {
		m.Entries = append(m.Entries, ManifestEntry{Path: fmt.Sprint(i), Kind: "raw", Size: 7, Files: []ManifestFile{{fmt.Sprintf("%d.bin", i), disk.Stamp{Size: 7, Time: 1795239234494087883, Hash: "xxh64:a7706ed4e0ea13b1"}}}})
	}
	text, err := m.encode()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decodeManifest(text); err != nil {
			b.Fatal(err)
		}
	}
}
