package world

import (
	"encoding/binary"
	"fmt"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

func landError(field, msg string, args ...any) error {
	return schema.Errorf(HeightsName, schema.ErrValue, field, msg, args...)
}

// paintHeights takes over the heights. Every stored one has a grey of its own.
func (c *land) paintHeights(a *asset.Texture, m *asset.Image) error {
	r, err := keptRange(a.Native)
	if err != nil {
		return err
	}
	if m.Format != asset.Gray16 {
		return landError(landNames[landHeights], "they are a picture in 16-bit grey: in fewer bits or in colours they are lost")
	}
	for i := range c.w * c.h {
		p := &c.grid[c.point(i)]
		*p = p.WithHeight(r.height(binary.LittleEndian.Uint16(m.Pix[2*i:])))
	}
	return nil
}

// keptRange returns the range of the heights, which a person may have edited: the whole land is stretched then.
func keptRange(n *asset.Native) (r heightRange, err error) {
	for key, v := range map[string]*int32{lowestKey: &r.lowest, highestKey: &r.highest} {
		x, ok := scene.Integer(n.Values[key])
		if !ok || x < 0 || x > ultima9.MaxHeight {
			return r, landError(key, "%v is no height from 0 to %d", n.Values[key], ultima9.MaxHeight)
		}
		*v = int32(x)
	}
	if r.lowest >= r.highest {
		return r, landError(highestKey, "%d is not above %d, the lowest", r.highest, r.lowest)
	}
	return r, nil
}

// paintTiles takes over the tiles that the colours of the table stand for.
func (c *land) paintTiles(a *asset.Texture, m *asset.Image) error {
	table, err := keptTiles(a.Native)
	if err != nil {
		return err
	}
	return c.pixels(landTiles, a, m, func(color asset.RGBA, p *ultima9.Point) string {
		tile, known := table[color]
		if !known {
			return fmt.Sprintf("%s is the colour of no tile: paint with a pencil, in the colours that %q lists beside the pictures", colorText(color), tilesKey)
		}
		*p = *p&^tileBits | tile
		return ""
	})
}

// keptTiles returns what the colours stand for.
func keptTiles(n *asset.Native) (map[asset.RGBA]ultima9.Point, error) {
	list, ok := n.Values[tilesKey].(map[string]any)
	if !ok {
		return nil, landError(tilesKey, "they are colours and tiles, as in {\"#804020\": \"texture=12\"}")
	}
	table := map[asset.RGBA]ultima9.Point{}
	for text, v := range list {
		color := asset.RGBA{3: 0xFF}
		if n, err := fmt.Sscanf(text, "#%02x%02x%02x", &color[0], &color[1], &color[2]); n != 3 || err != nil || len(text) != len("#rrggbb") {
			return nil, landError(tilesKey, "%q is no colour, such as #804020", text)
		}
		var tile ultima9.Point
		words, ok := v.(string)
		if !ok {
			return nil, landError(tilesKey, "%s: %v is no tile, such as \"texture=12|frame=1\"", text, v)
		}
		if err := tile.UnmarshalText([]byte(words)); err != nil {
			return nil, landError(tilesKey, "%s: %v", text, err)
		}
		if tile&^tileBits != 0 {
			return nil, landError(tilesKey, "%s: a tile is a texture and a frame of it, not %q", text, words)
		}
		table[color] = tile
	}
	return table, nil
}

// paintHoles takes over the holes: black, all else being white.
func (c *land) paintHoles(a *asset.Texture, m *asset.Image) error {
	const hole = ultima9.Point(1 << 12)
	return c.pixels(landHoles, a, m, func(color asset.RGBA, p *ultima9.Point) string {
		switch color {
		case asset.RGBA{0, 0, 0, 0xFF}:
			*p |= hole
		case asset.RGBA{0xFF, 0xFF, 0xFF, 0xFF}:
			*p &^= hole
		default:
			return fmt.Sprintf("%s is neither black, a hole, nor white, ground", colorText(color))
		}
		return ""
	})
}

// pixels calls set for each pixel of a picture with the point that it shows. What set says against the first of them is the
// error, with the number of the others.
func (c *land) pixels(which int, a *asset.Texture, m *asset.Image, set func(color asset.RGBA, p *ultima9.Point) string) error {
	rgba, err := picture.RGBA(m, a.Palette)
	if err != nil {
		return err
	}
	first, refused := "", 0
	for i := range c.w * c.h {
		color := asset.RGBA(rgba.Pix[4*i:])
		bad := ""
		if color[3] != 0xFF {
			bad = "it is transparent"
		} else {
			bad = set(color, &c.grid[c.point(i)])
		}
		if bad == "" {
			continue
		}
		if refused++; refused == 1 {
			first = fmt.Sprintf("pixel %d, %d: %s", i%c.w, i/c.w, bad)
		}
	}
	switch refused {
	case 0:
		return nil
	case 1:
		return landError(landNames[which], "%s", first)
	}
	return landError(landNames[which], "%s; and so on for %s", first, schema.Counted(refused-1, "other pixel", "other pixels"))
}
