package unreal

import (
	"bytes"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Module is a music module as a file: IT, S3M, XM or MOD.
type Module struct {
	Type string // judging by its content
	Data []byte
}

var moduleFormat = format.Of(format.Format{
	Name: moduleName, Family: family, Title: "music module (IT, S3M, XM, MOD), as it is", Kind: format.Sound, Extensions: []string{".it", ".s3m", ".xm", ".mod"},
	Probe: probeModule,
}, format.Functions[Module, *asset.Sound]{
	Read:  readModule,
	Write: func(m *Module) ([]byte, error) { return m.Data, nil },
	Facts: func(m *Module) []format.Fact {
		return []format.Fact{{Name: "type", Value: m.Type}, {Name: "bytes", Value: len(m.Data)}}
	},
	Lift: func(m *Module, env *format.Env) (*asset.Sound, error) {
		return &asset.Sound{Name: env.Name, Stored: &asset.Stored{Encoding: m.Type, Data: m.Data}}, nil
	},
	Lower: func(s *asset.Sound, env *format.Env) (*Module, error) {
		if s.Stored == nil {
			return nil, schema.Errorf(moduleName, schema.ErrUnsupported, "", "sampled sound cannot become a music module")
		}
		return readModule(s.Stored.Data, nil)
	},
	Opaque: true,
})

func readModule(b []byte, d *schema.Diagnostics) (*Module, error) {
	kind := unreal.ModuleType(b)
	if kind == "" {
		return nil, &schema.FormatError{Format: moduleName, Field: "signature", Class: schema.ErrBadMagic, Msg: "neither IT, S3M, XM nor MOD"}
	}
	d.Trace().NoteBytes(b, 1, kind, "", "module")
	return &Module{kind, b}, nil
}

func probeModule(in *format.Input) format.Confidence {
	switch unreal.ModuleType(in.Head) {
	case "":
		return format.No
	case "it", "xm":
		return format.Certain
	}
	return format.Magic
}

// liftMusic gives the module file; usher does not play it. With ErrBare comes what is known of music without a module.
func liftMusic(a *archive, m *unreal.Music, env *format.Env) (asset.Asset, error) {
	kind := unreal.ModuleType(m.Data)
	if kind == "" {
		kind = m.Package.Name(m.FileType)
	}
	s := &asset.Sound{Name: pack.LastName(m.Path), Stored: &asset.Stored{Encoding: kind, Data: m.Data}}
	var err error
	if s.Native, err = pack.Native(musicName, m); err == nil && len(m.Data) == 0 {
		err = schema.Errorf(musicName, schema.ErrBare, "", "%s has no music: somebody took it out, as it is done for servers", m.Path)
	}
	return s, err
}

// lowerMusic takes a module file.
func lowerMusic(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, ok := v.(*asset.Sound)
	if !ok || s.Stored == nil {
		return nil, schema.Errorf(musicName, schema.ErrUnsupported, "", "only a module file (IT, S3M, XM, MOD) can become music")
	}
	stored, err := a.Original(i, musicName, s.Native)
	if err != nil {
		return nil, err
	}
	m, old := stored.(*unreal.Music)
	if old && bytes.Equal(m.Data, s.Stored.Data) {
		return m, nil
	}
	module, err := readModule(s.Stored.Data, nil)
	if err != nil {
		return nil, err
	}
	if !old {
		m = new(unreal.Music)
		m.Context, m.End = &unreal.Context{Package: a.Package, Class: "Music"}, a.AddName("None")
	}
	m.Data, m.FileType = module.Data, a.AddName(module.Type)
	return m, nil
}

// musicOf returns the payload of new music, format f, that holds a module file.
func musicOf(f *format.Format, module []byte, env *format.Env) ([]byte, error) {
	v, err := f.Lower(&asset.Sound{Stored: &asset.Stored{Data: module}}, env)
	if err != nil {
		return nil, err
	}
	return f.Write(v)
}
