package engine

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// An installer is known by its end: it begins as the first file in it does, which another program may know.
func TestRecogniseArchiveAroundWAV(t *testing.T) {
	var sound, installer bytes.Buffer
	if err := wav.Encode(&sound, &asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: make([]byte, 100)}); err != nil {
		t.Fatal(err)
	}
	umod := formats.ByName("unreal-umod")
	a, err := umod.Create(&format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{a.Add("Sounds/bell.wav", sound.Bytes(), nil), a.Add("System/Manifest.ini", []byte("[Setup]"), nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.WriteTo(&installer); err != nil || !bytes.HasPrefix(installer.Bytes(), sound.Bytes()) {
		t.Fatalf("the installer does not begin with its file: %v", err)
	}
	for _, name := range []string{"new.umod", "new.wav", "new"} {
		if f, x := interchange.Recognise(formats.NewInput(name, installer.Bytes())); f != umod || x != nil {
			t.Errorf("%s is taken for %v, %v", name, f, x)
		}
	}
	if f, x := interchange.Recognise(formats.NewInput("bell.umod", sound.Bytes())); f != nil || x == nil || x.Name != "wav" {
		t.Errorf("the sound alone is taken for %v, %v", f, x)
	}
}
