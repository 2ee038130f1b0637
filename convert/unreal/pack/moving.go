package pack

import (
	"bytes"
	"math"

	"github.com/usher-assets/usher/convert/unreal/fractal"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Frames is how many pictures of a texture that the engine computes are made where they are to move.
const Frames = 32

// warmUp is how many steps a simulation makes before its first picture is taken: fire has to fill its texture, and waves have to
// spread. A texture may ask for more.
const warmUp = 100

// maxWarmUp is the most that a texture can ask for: PrimeCount is a byte.
const maxWarmUp = 255

// usualRate is the speed of what moves with the frames of the game, and so has none of its own.
const usualRate = 30

// Picture returns what a texture shows: its stored picture, or the one that the engine would compute.
func (f *File) Picture(o *unreal.Texture) (*asset.Texture, error) {
	if texture.IsComputed(o) {
		return f.Compute(o, 1)
	}
	return texture.Picture(f, o)
}

// Compute returns pictures of a texture that the engine computes, one after the other, from when it has run for a while.
func (f *File) Compute(o *unreal.Texture, count int) (*asset.Texture, error) {
	s, err := f.simulation(o, 0)
	if err != nil {
		return nil, err
	}
	for range min(max(int(o.Number("PrimeCount", 0)), warmUp), maxWarmUp) - 1 {
		s.Step()
	}
	pictures := make([]asset.Image, count)
	for i := range pictures {
		pictures[i] = asset.Image{Width: s.Width, Height: s.Height, Format: asset.Indexed8, Pix: bytes.Clone(s.Step())}
	}
	t, err := texture.OfIndices(f, o, pictures)
	if err == nil && count > 1 {
		t.FPS = Rate(o)
	}
	return t, err
}

// Rate returns how many frames a second a texture moves: as fast as it may.
func Rate(o *unreal.Texture) float32 {
	for _, name := range []string{"MaxFrameRate", "MinFrameRate"} {
		if v := math.Float32frombits(uint32(o.Number(name, 0))); v >= 1 && v <= 1000 {
			return v
		}
	}
	return usualRate
}

// maxLayers is how many textures may be seen through each other, of which each moves.
const maxLayers = 4

// simulation returns the simulation of a texture.
func (f *File) simulation(o *unreal.Texture, depth int) (fractal.Layer, error) {
	none := fractal.Layer{}
	if len(o.Mips) == 0 {
		return none, schema.Errorf(texture.Name, schema.ErrUnsupported, "mips", "%s has no size", o.Path)
	}
	l := fractal.Layer{Width: int(o.Mips[0].USize), Height: int(o.Mips[0].VSize)}
	water := fractal.Water{Width: l.Width, Height: l.Height, Amplitude: octet(o, "WaveAmp"), Drops: dropsOf(o)}
	var err error
	switch o.Class {
	case "FireTexture":
		l.Simulation, err = fractal.NewFire(&fractal.Fire{Width: l.Width, Height: l.Height, Heat: octet(o, "RenderHeat"), Rising: o.Bool("bRising"),
			Limit: int(o.Number("SparksLimit", 0)), Sparks: o.Sparks})
	case "WaterTexture":
		l.Simulation, err = fractal.NewWater(&water)
	case "WaveTexture":
		l.Simulation, err = fractal.NewWave(&fractal.Wave{Water: water, Light: octet(o, "BumpMapLight"), View: octet(o, "BumpMapAngle"),
			Range: octet(o, "PhongRange"), Size: octet(o, "PhongSize")})
	case "WetTexture":
		p := fractal.Wet{Water: water}
		if p.Source, err = f.layer(o, "SourceTexture", depth); err == nil {
			l.Simulation, err = fractal.NewWet(&p)
		}
	default:
		l.Simulation, err = f.ice(o, l, depth)
	}
	if err != nil {
		return none, schema.In(o.Path, err)
	}
	return l, nil
}

func (f *File) ice(o *unreal.Texture, size fractal.Layer, depth int) (fractal.Simulation, error) {
	p := fractal.Ice{Width: size.Width, Height: size.Height, Panning: unreal.Panning(octet(o, "PanningStyle")), Across: octet(o, "HorizPanSpeed"),
		Down: octet(o, "VertPanSpeed"), Frequency: octet(o, "Frequency"), Amplitude: octet(o, "Amplitude"), MoveGlass: o.Bool("MoveIce")}
	var err error
	if p.Glass, err = f.layer(o, "GlassTexture", depth); err != nil {
		return nil, err
	}
	if p.Source, err = f.layer(o, "SourceTexture", depth); err != nil {
		return nil, err
	}
	return fractal.NewIce(&p)
}

// layer returns the texture that a property names, which may be one that moves.
func (f *File) layer(o *unreal.Texture, property string, depth int) (fractal.Layer, error) {
	none, name := fractal.Layer{}, f.RefText(o.Ref(property))
	owner, i := f.Resolve(o.Ref(property))
	if owner == nil {
		return none, schema.Errorf(texture.Name, schema.ErrUnsupported, property, "%s is not at hand", name)
	}
	x, err := As[unreal.Texture](owner, i)
	switch {
	case err != nil:
		return none, err
	case x == nil:
		return none, schema.Errorf(texture.Name, schema.ErrMismatch, property, "%s is no texture", name)
	case texture.IsComputed(x) && depth >= maxLayers:
		return none, schema.Errorf(texture.Name, schema.ErrCycle, property, "%s: more than %d textures that move are seen through each other", name, maxLayers)
	case texture.IsComputed(x):
		return owner.simulation(x, depth+1)
	}
	m := texture.Indices(x)
	if m == nil {
		return none, schema.Errorf(texture.Name, schema.ErrUnsupported, property, "%s has no pixels of palette indices", name)
	}
	if err := schema.DefaultLimits.Picture(texture.Name, int(m.USize), int(m.VSize), 1); err != nil {
		return none, err
	}
	return fractal.Layer{Width: int(m.USize), Height: int(m.VSize), Simulation: fractal.Still(m.Pixels)}, nil
}

func octet(o *unreal.Texture, property string) uint8 { return uint8(o.Number(property, 0)) }

// dropsOf returns the drops of a water that count: some behind them were erased.
func dropsOf(o *unreal.Texture) []unreal.Drop {
	drops := make([]unreal.Drop, min(max(o.Number("NumDrops", 0), 0), unreal.MaxDrops))
	for i := range o.Properties {
		q := &o.Properties[i]
		if q.Type == unreal.StructProperty && q.Index >= 0 && int(q.Index) < len(drops) && len(q.Value) == 8 && o.Package.Name(q.Name) == "Drops" {
			drops[q.Index] = unreal.Drop(q.Value)
		}
	}
	return drops
}
