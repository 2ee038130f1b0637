// Package render draws assets as pictures without a graphics card, with the same pixels in every run ([Asset]). It draws
// models with a small software rasteriser, textures in their own pixels, sounds as waveforms, and sheets of many such
// pictures with labels ([Sheet]).
//
// The rasteriser supports what the games' materials have: base colour and its texture, vertex colours, glow, alpha, one or
// both sides, and lit or unlit. It ignores metal, roughness and normal maps.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package render
