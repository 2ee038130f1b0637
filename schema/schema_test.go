package schema_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/schema"
)

func TestFormatErrorText(t *testing.T) {
	tests := []struct {
		err  *schema.FormatError
		want string
	}{
		{&schema.FormatError{Format: "utf", Path: `\VMeshLibrary\ship.vms`, Offset: 0x1a4, Field: "vertex count", Class: schema.ErrCount, Msg: "70000 needs 2240000 bytes, 512 left"},
			`\VMeshLibrary\ship.vms+0x1a4: vertex count: 70000 needs 2240000 bytes, 512 left`},
		{&schema.FormatError{Format: "u3d", Offset: 0, Field: "magic", Class: schema.ErrBadMagic, Msg: "found \"x\""}, `u3d+0x0: magic: found "x"`},
		{&schema.FormatError{Format: "u3d", Offset: -1, Class: schema.ErrValue, Msg: "no mesh"}, "u3d: no mesh"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
		if !errors.Is(fmt.Errorf("ship.cmp: %w", tt.err), tt.err.Class) {
			t.Errorf("%v does not wrap its class", tt.err)
		}
	}
}

func TestClassAndIn(t *testing.T) {
	inner := schema.Errorf("u9-texture", schema.ErrRange, "frame", "7 of 3")
	outer := schema.In("42", schema.In("frames", inner))
	if got, want := outer.Error(), "42/frames: frame: 7 of 3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := schema.Class(fmt.Errorf("a.flx: %w", outer)); got != schema.ErrRange {
		t.Errorf("class %v", got)
	}
	plain := errors.New("no space left")
	if schema.Class(plain) != nil || schema.In("x", plain) != plain {
		t.Error("an error that is no format error was taken for one")
	}
}

func TestDiagnostics(t *testing.T) {
	var none *schema.Diagnostics
	none.Warnf("code", "", "dropped")
	if none.All() != nil || none.Has("code") {
		t.Error("a nil list holds something")
	}
	d := new(schema.Diagnostics)
	d.WarnAtf("trailing-bytes", "end", 0x10, "%d bytes", 3)
	d.Lossf("cameras", "", "dropped")
	if got, want := fmt.Sprint(d.All()), "[end+0x10: warning: 3 bytes (trailing-bytes) loss: dropped (cameras)]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d = new(schema.Diagnostics)
	d.In("42").In("frame 1").Warnf("rows", "", "odd")
	if none.In("x") != nil || fmt.Sprint(d.All()) != "[42/frame 1: warning: odd (rows)]" {
		t.Errorf("nested: %v", d.All())
	}
	d = new(schema.Diagnostics)
	d.Notef("first", "", "")
	d.Notef("second", "", "")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				d.Notef("many", "", "again")
			}
		})
	}
	all.Wait()
	list := d.All()
	if last := list[len(list)-1]; len(list) != 1001 || last.Msg != "3002 more not shown" {
		t.Errorf("%d diagnostics, the last is %v", len(list), last)
	}
}

// TestDiagnosticsTwice: what is said of one place twice comes once; what is said of no place may be meant often.
func TestDiagnosticsTwice(t *testing.T) {
	d := new(schema.Diagnostics)
	for range 2 {
		d.WarnAtf("odd", "a", 4, "an oddity")
		d.WarnAtf("odd", "b", 4, "an oddity")
		d.Lossf("lost", "", "a loss")
	}
	if got := d.All(); len(got) != 4 || got[0].Path != "a" || got[1].Path != "b" || got[3].Code != "lost" {
		t.Errorf("%v", got)
	}
}

func TestPictureLimits(t *testing.T) {
	for _, tt := range []struct {
		w, h, bytes int
		class       error
	}{
		{1, 1, 4, nil}, {32768, 4, 4, nil}, {0, 1, 4, schema.ErrValue}, {1, -1, 4, schema.ErrValue},
		{32769, 1, 4, schema.ErrLimit}, {32768, 32768, 4, schema.ErrLimit},
	} {
		if got := schema.Class(schema.DefaultLimits.Picture("x", tt.w, tt.h, tt.bytes)); got != tt.class {
			t.Errorf("%d x %d x %d: %v, want %v", tt.w, tt.h, tt.bytes, got, tt.class)
		}
	}
}

func TestWindows1252(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	back, ok := schema.EncodeWindows1252(schema.DecodeWindows1252(all))
	if !ok || !bytes.Equal(back, all) {
		t.Error("not every byte comes back")
	}
	for _, tt := range []struct {
		b []byte
		s string
	}{{[]byte{0x80}, "€"}, {[]byte{0x9F, 0xFF}, "Ÿÿ"}, {[]byte{0x81}, "\u0081"}, {[]byte("ankh"), "ankh"}} {
		if got := schema.DecodeWindows1252(tt.b); got != tt.s {
			t.Errorf("% x: got %q, want %q", tt.b, got, tt.s)
		}
	}
	if b, ok := schema.EncodeWindows1252("aЖb"); ok || string(b) != "a_b" {
		t.Errorf("got %q, %v", b, ok)
	}
}

func TestWindows1252Property(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		if back, ok := schema.EncodeWindows1252(schema.DecodeWindows1252(b)); !ok || !bytes.Equal(back, b) {
			t.Fatalf("% x came back as % x", b, back)
		}
	})
}
