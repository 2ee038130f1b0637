package disk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
)

// A stamp has the size, the time and the hash of the content, whoever makes it.
func TestStamps(t *testing.T) {
	p := filepath.Join(t.TempDir(), "file")
	text := bytes.Repeat([]byte("0123456789"), 60_000) // more than is hashed in one step
	write(t, p, string(text))
	at := time.Unix(1_500_000_000, 123_000)
	if err := os.Chtimes(p, at, at); err != nil {
		t.Fatal(err)
	}
	want := Stamp{600_000, at.UnixNano(), HashText(xxhash.Sum64(text))}
	got, err := NewStamp(p)
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	b, got, err := ReadFile(p)
	if err != nil || got != want || !bytes.Equal(b, text) {
		t.Errorf("%d bytes, %+v, %v", len(b), got, err)
	}
	for _, size := range []int{0, 1, 256 << 10, 256<<10 + 1} { // nothing, a byte, one step, and a byte more
		short := filepath.Join(t.TempDir(), "short")
		write(t, short, string(text[:size]))
		if s, err := NewStamp(short); err != nil || s.Size != int64(size) || s.Hash != HashText(xxhash.Sum64(text[:size])) {
			t.Errorf("%d bytes: %+v, %v", size, s, err)
		}
	}
	for _, path := range []string{p + "2", filepath.Dir(p)} {
		if _, _, err := ReadFile(path); err == nil {
			t.Errorf("%s is read", path)
		}
		if s, err := NewStamp(path); err == nil {
			t.Errorf("%s: %+v", path, s)
		}
	}
	for _, failing := range []string{"open", "read"} {
		steps(t, func(step, path string) error {
			if step == failing && path == p {
				return syscall.EIO
			}
			return nil
		})
		var of *fs.PathError
		if b, s, err := ReadFile(p); !errors.As(err, &of) || of.Err != syscall.EIO || of.Path != p || b != nil || s != (Stamp{}) {
			t.Errorf("%s fails: %+v, %v", failing, s, err)
		}
		if _, err := NewStamp(p); failing == "open" && (!errors.As(err, &of) || of.Path != p) {
			t.Errorf("%s fails: %v", failing, err)
		}
	}
}

// Files whose size is not known before they are read are read whole.
func TestReadGrows(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc here")
	}
	b, s, err := ReadFile("/proc/self/status")
	if err != nil || len(b) < 200 || s.Size != int64(len(b)) || s.Hash != HashText(xxhash.Sum64(b)) || !bytes.HasPrefix(b, []byte("Name:")) {
		t.Errorf("%d bytes, %+v, %v", len(b), s, err)
	}
}

// Ours is what nobody has changed since it was stamped; Damaged is what changed by itself.
func TestOursAndDamaged(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "a")
	stamped := time.Unix(1_500_000_000, 5_000)
	for _, c := range []struct {
		name, text            string
		moved                 bool // it has another time
		ours, damaged, staged bool
	}{
		{"as it was", "text", false, true, false, false},
		{"touched", "text", true, true, false, false},
		{"edited", "TEXT", true, false, false, true},
		{"half on the disk", "te", false, true, true, true},
		{"other bytes on the disk", "\x00\x00\x00\x00", false, true, true, true},
		{"none", "", false, true, false, false},
	} {
		os.Remove(at)
		write(t, at, c.text)
		when := stamped
		if c.moved {
			when = when.Add(time.Hour)
		}
		if err := os.Chtimes(at, when, when); err != nil {
			t.Fatal(err)
		}
		if c.name == "none" {
			os.Remove(at)
		}
		s := Stamp{4, stamped.UnixNano(), HashText(xxhash.Sum64String("text"))}
		for _, f := range []*Folder{open(t, dir, true), Dry(dir, true)} {
			if got := f.Ours("a", s); got != c.ours {
				t.Errorf("%s: ours %v", c.name, got)
			}
			if got := f.Damaged("a", s); got != c.damaged {
				t.Errorf("%s: damaged %v", c.name, got)
			}
		}
		staged := &Folder{dir: dir, place: &place{dir, true}}
		if got := staged.Damaged("a", s); got != c.staged {
			t.Errorf("%s, in a folder that has not its name yet: damaged %v", c.name, got)
		}
	}
	steps(t, func(step, path string) error {
		if step == "stat" || step == "open" {
			return syscall.EIO
		}
		return nil
	})
	write(t, at, "text")
	if f := Dry(dir, true); f.Ours("a", Stamp{Size: 4}) || f.Damaged("a", Stamp{Size: 4}) {
		t.Error("something is known of a file that cannot be looked at")
	}
}

// A stamp without a hash, or of another size, is no file; an old one of 256 may be.
func TestCompare(t *testing.T) {
	p := filepath.Join(t.TempDir(), "file")
	write(t, p, "text")
	info, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	sum := xxhash.Sum64String("text")
	for _, c := range []struct {
		s       Stamp
		checked int64
		want    Verdict
	}{
		{Stamp{4, 0, HashText(sum)}, 0, Same}, {Stamp{4, 0, HashText(sum)}, Always, Same}, {Stamp{5, 0, HashText(sum)}, Always, Different}, {Stamp{4, info.ModTime().UnixNano(), ""}, Always, Different},
		{Stamp{4, 0, HashText(sum + 1)}, Always, Different}, {Stamp{4, info.ModTime().UnixNano(), HashText(sum + 1)}, Always, Same}, {Stamp{4, info.ModTime().UnixNano(), HashText(sum + 1)}, 0, Different},
		{Stamp{4, 0, oldHashTag + weakDigits(byte(sum>>56))}, 0, Unknown}, {Stamp{4, 0, oldHashTag + weakDigits(byte(sum>>56)+1)}, 0, Different},
	} {
		if got, err := c.s.Compare(p, info, c.checked); err != nil || got != c.want {
			t.Errorf("%+v: %d, %v; want %d", c.s, got, err, c.want)
		}
		if same, err := c.s.Same(p, info, c.checked); err != nil || same != (c.want == Same) {
			t.Errorf("%+v: same %v, %v", c.s, same, err)
		}
	}
	if v, err := (Stamp{4, 0, HashText(sum)}).Compare(p+"2", info, 0); v != Unknown || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%d, %v", v, err)
	}
	for secs, want := range map[int64]time.Duration{int64(3 * time.Second): 2 * time.Second, int64(3*time.Second) + 1: 20 * time.Millisecond} {
		if got := tick(secs); got != int64(want) {
			t.Errorf("a tick at %d: %d", secs, got)
		}
	}
}
