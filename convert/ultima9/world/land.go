package world

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// A terrain to paint is three pictures with the north at the top: the heights in 16-bit grey from the lowest to the highest,
// a colour for each tile, which the values beside the pictures list, and black where the ground has holes.
const (
	landHeights = iota
	landTiles
	landHoles
	landPictures // their number
)

var landNames = [landPictures]string{"heights", "tiles", "holes"}

// The keys of what goes with the pictures.
const (
	lowestKey  = "lowest"  // the height that black is
	highestKey = "highest" // and white
	tilesKey   = "tiles"   // colours, and what of a point is painted with them
)

// tileBits are the bits of a point that say what covers it.
const tileBits = ultima9.Point(0x3FF<<22 | 63<<16)

// heightRange is what grey stands for.
type heightRange struct{ lowest, highest int32 }

// rangeOf returns the range of a grid, with room to paint valleys and mountains.
func rangeOf(grid []ultima9.Point) heightRange {
	const least = 16
	r := heightRange{ultima9.MaxHeight, 0}
	for _, p := range grid {
		r.lowest, r.highest = min(r.lowest, int32(p.Height())), max(r.highest, int32(p.Height()))
	}
	room := max(least, (r.highest-r.lowest)/4)
	return heightRange{max(r.lowest-room, 0), min(r.highest+room, ultima9.MaxHeight)}
}

// grey and height are the reverse of each other for every height in the range.
func (r heightRange) grey(height int) uint16 {
	span := int(r.highest - r.lowest)
	return uint16(min(max((height-int(r.lowest))*0xFFFF+span/2, 0)/span, 0xFFFF))
}

func (r heightRange) height(grey uint16) int {
	return int(r.lowest) + (int(grey)*int(r.highest-r.lowest)+0x7FFF)/0xFFFF
}

// liftLand makes the pictures of a terrain, or of the part that the options ask for.
func liftLand(t *ultima9.Terrain, native *asset.Native, env *format.Env) (*asset.Texture, error) {
	box := mapBoxOf(env)
	box.keep(native)
	c := landOf(t, box)
	if c.w <= 0 || c.h <= 0 {
		return nil, landError("box", "nothing of the map lies in it")
	}
	shown := make([]ultima9.Point, 0, c.w*c.h)
	for i := range c.w * c.h {
		shown = append(shown, c.grid[c.point(i)])
	}
	r, colors := rangeOf(shown), tileColors(shown, env)
	heights, tiles, holes := asset.NewImage(c.w, c.h, asset.Gray16), asset.NewImage(c.w, c.h, asset.RGBA8), asset.NewImage(c.w, c.h, asset.Gray8)
	table := map[string]any{}
	for i, p := range shown {
		binary.LittleEndian.PutUint16(heights.Pix[2*i:], r.grey(p.Height()))
		color := colors[p&tileBits]
		copy(tiles.Pix[4*i:], color[:])
		table[colorText(color)] = (p & tileBits).String()
		if !p.Hole() {
			holes.Pix[i] = 0xFF
		}
	}
	native.Values[lowestKey], native.Values[highestKey], native.Values[tilesKey] = int64(r.lowest), int64(r.highest), table
	a := &asset.Texture{Name: env.EntryName("land"), Native: native}
	for i, m := range []asset.Image{heights, tiles, holes} {
		a.Frames = append(a.Frames, asset.Frame{Name: landNames[i], Mips: []asset.Image{m}})
	}
	return a, nil
}

// land is the part of a terrain that pictures show.
type land struct {
	grid         []ultima9.Point
	wide         int // points of a row of the grid
	x0, y0, w, h int
}

func landOf(t *ultima9.Terrain, box mapBox) land {
	c := land{grid: t.Grid(), wide: t.TilesWide() * ultima9.TileSide}
	x0, y0, x1, y1 := box.cells(c.wide, t.TilesHigh()*ultima9.TileSide)
	c.x0, c.y0, c.w, c.h = x0, y0, x1-x0, y1-y0
	return c
}

// point returns the place in the grid of a pixel, whose rows begin in the north.
func (c *land) point(pixel int) int {
	return (c.y0+c.h-1-pixel/c.w)*c.wide + c.x0 + pixel%c.w
}

// tileColors gives each tile a colour of its own: the mean one of its picture where that is at hand.
func tileColors(shown []ultima9.Point, env *format.Env) map[ultima9.Point]asset.RGBA {
	colors := map[ultima9.Point]asset.RGBA{}
	var tiles []ultima9.Point
	for _, p := range shown {
		if _, known := colors[p&tileBits]; !known {
			colors[p&tileBits] = asset.RGBA{}
			tiles = append(tiles, p&tileBits)
		}
	}
	slices.Sort(tiles)
	l, taken := look.NewLifter(new(asset.Scene), env), map[asset.RGBA]bool{}
	for _, tile := range tiles {
		color, ok := l.Mean(look.Picture{Slot: uint16(tile.Texture()), Frame: uint8(tile.Frame())})
		if !ok {
			color = nextColor(asset.RGBA{3: 0xFF}, uint32(tile>>16))
		}
		for taken[color] {
			color = nextColor(color, 1)
		}
		taken[color], colors[tile] = true, color
	}
	return colors
}

// nextColor goes n steps on in a round of all colours, in which neighbours look different.
func nextColor(c asset.RGBA, n uint32) asset.RGBA {
	const step = 0x2B7F95 // odd, so that the round comes to every colour
	v := (uint32(c[0])<<16 | uint32(c[1])<<8 | uint32(c[2])) + n*step
	return asset.RGBA{byte(v >> 16), byte(v >> 8), byte(v), 0xFF}
}

func colorText(c asset.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// isLand reports whether a Native goes with pictures to paint.
func isLand(n *asset.Native) bool {
	return n != nil && n.Format == HeightsName && len(n.Payload) > 0 && n.Values[tilesKey] != nil
}

// lowerLand puts what was painted into the terrain. What was not painted stays as it is.
func lowerLand(a *asset.Texture) (*ultima9.Terrain, error) {
	t, err := storedTerrain(a.Native)
	if err != nil {
		return nil, err
	}
	c := landOf(t, keptBox(a.Native))
	if len(a.Frames) != landPictures {
		return nil, landError("pictures", "%d, and there are to be %d: heights, tiles and holes", len(a.Frames), landPictures)
	}
	for i, f := range a.Frames {
		if m := f.Mips[0]; m.Width != c.w || m.Height != c.h || len(m.Pix) != c.w*c.h*m.Format.Bytes() {
			return nil, landError(landNames[i], "%d x %d pixels, and the ground that they show has %d x %d points", m.Width, m.Height, c.w, c.h)
		}
	}
	for i, paint := range []func(*asset.Texture, *asset.Image) error{c.paintHeights, c.paintTiles, c.paintHoles} {
		if err := paint(a, &a.Frames[i].Mips[0]); err != nil {
			return nil, err
		}
	}
	return t, t.SetGrid(c.grid)
}
