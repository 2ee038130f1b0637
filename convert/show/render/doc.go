// Package render draws assets as pictures, without a graphics card and with the same pixels in every run: models by a
// small software rasteriser over schema/asset, textures in their own pixels, sounds as waveforms, and sheets of many
// such pictures with labels.
//
// What the rasteriser knows of a material is what the old worlds know: base colour and its texture, vertex colours,
// glow, alpha, which sides are seen, and whether light falls on it. Metal, roughness and normal maps are not drawn.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package render
