package unreal_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// typed adapts the reader of a class.
func typed[T any](f func([]byte, *unreal.Context, *schema.Diagnostics) (T, error)) func([]byte, *unreal.Context) (any, error) {
	return func(b []byte, x *unreal.Context) (any, error) { return f(b, x, nil) }
}

// The readers of single classes return what Object does.
func TestTypedReaders(t *testing.T) {
	readers := map[unreal.Kind]func([]byte, *unreal.Context) (any, error){
		unreal.TextureKind: typed(read.Texture), unreal.PaletteKind: typed(read.Palette), unreal.SoundKind: typed(read.Sound),
		unreal.MusicKind: typed(read.Music), unreal.FontKind: typed(read.Font), unreal.TextBufferKind: typed(read.TextBuffer),
		unreal.MeshKind: typed(read.Mesh), unreal.LodMeshKind: typed(read.LodMesh), unreal.SkeletalMeshKind: typed(read.SkeletalMesh),
		unreal.AnimationKind: typed(read.Animation), unreal.ModelKind: typed(read.Model), unreal.PolysKind: typed(read.Polys),
		unreal.LevelKind: typed(read.Level), unreal.ClassKind: typed(read.Class),
	}
	seen := map[unreal.Kind]bool{}
	for _, name := range []string{"linked.u", "made61.u", "made69.u", "pictures.utx", "sounds.uax", "worm.u"} {
		path := filepath.Join(corpus.Testdata(t, "unreal"), name)
		b := corpus.Bytes(t, path)
		p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Exports {
			kind := unreal.Classes[p.Context(i).Class]
			f := readers[kind]
			b, err := p.Payload(i)
			if f == nil || err != nil {
				continue
			}
			want, err := read.Object(b, p.Context(i), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := f(b, p.Context(i)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s: %+v, %v", name, p.Context(i).Path, got, err)
			}
			seen[kind] = true
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %d classes were met", len(seen))
	}
}

// TestActorXHeads: a head that is cut by a byte tells nothing.
func TestActorXHeads(t *testing.T) {
	for head, want := range map[string]string{"ACTRHEAD\x00": unreal.PSKFormat, "ANIMHEAD\x00": unreal.PSAFormat, "ACTRHEADS": ""} {
		b := append([]byte(head), make([]byte, unreal.ActorXHead-len(head))...)
		if got := read.IsActorX(b); got != want {
			t.Errorf("%q: %q", head, got)
		}
		if got := read.IsActorX(b[:len(b)-1]); got != "" {
			t.Errorf("%q, cut: %q", head, got)
		}
	}
}

// TestFramesOfNoBytes: a file of frames that have none is refused, unless it has no frames either.
func TestFramesOfNoBytes(t *testing.T) {
	for frames, class := range map[byte]error{0: nil, 1: schema.ErrValue} {
		if _, err := read.MeshAniv([]byte{frames, 0, 0, 0}, 0, nil); !errors.Is(err, class) {
			t.Errorf("%d frames: %v, want %v", frames, err, class)
		}
	}
}
