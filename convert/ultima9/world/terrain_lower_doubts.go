package world

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema/asset"
)

// groundDoubts counts what halves of cells show that a terrain cannot: it has one height for each point, and one picture
// for each cell, which is turned by quarters.
type groundDoubts struct {
	torn, mixed, crooked int
	shaded               int           // normals that do not follow from the heights
	loose                int           // triangles that are no halves of cells
	edge                 map[int]int16 // new heights beyond the last column and row, by the points that they repeat
}

// The halves of a cell that were seen, beside turns and diagonal in the shape of a cell.
const (
	firstHalf  = 1 << 3
	secondHalf = 1 << 4
	bothHalves = firstHalf | secondHalf
)

// doubt looks at half a cell before it is sampled. It returns which half it is.
func (g *groundSampler) doubt(t *groundTriangle, x, y int, c *cell) (half uint8) {
	half = firstHalf
	crooked := false
	for k, p := range t.corner {
		px, py := int(math.Round(p[0])), int(math.Round(p[1]))
		which := px - x + 2*(py-y)
		if cut := c.shape&cellDiagonal != 0; !cut && which == 2 || cut && which == 3 {
			half = secondHalf
		}
		if c.known&knownTurns != 0 {
			want := cellUV[c.shape&cellTurns][which]
			crooked = crooked || math.Abs(float64(t.uv[k][0]-want[0])) > 0.01 || math.Abs(float64(t.uv[k][1]-want[1])) > 0.01
		}
		if px < 0 || py < 0 || px > g.w || py > g.h || len(g.grid) == 0 {
			continue
		}
		h := int16(math.Round(min(max(p[2], 0), math.MaxInt16)))
		at := py%g.h*g.w + px%g.w
		if px == g.w || py == g.h {
			if h != int16(g.grid[at].Height()) {
				g.edge[at] = h
			}
		} else if was := g.heights[at]; was >= 0 && was != h {
			g.torn++
		}
	}
	if crooked {
		g.crooked++
	}
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return half
	}
	old := g.cells[y*g.w+x]
	both := old.known & c.known
	if both&knownLook != 0 && old.look != c.look || both&knownTurns != 0 && (old.shape^c.shape)&cellTurns != 0 {
		g.mixed++
	}
	return half
}

// tellDoubts reports what was seen that the terrain cannot hold.
func (g *groundSampler) tellDoubts() {
	d := g.env.Told()
	if g.ours && g.loose > 0 {
		d.Lossf("ground-grid", groundNode, "%d triangles are no halves of cells: a terrain is a grid of heights, which are taken from them there (pictures and texture coordinates by the cell)", g.loose)
	}
	if g.torn > 0 {
		d.Lossf("ground-torn", groundNode, "%d corners of cells are not where the ground beside them is: it has one height for each point, the one that was moved", g.torn)
	}
	if g.mixed > 0 {
		d.Lossf("half-cell", groundNode, "%d cells have halves that look different: a cell has one picture, the one that was changed", g.mixed)
	}
	if g.crooked > 0 {
		d.Lossf("ground-coordinates", groundNode, "%d triangles show their pictures (texture coordinates) otherwise than turned by quarters: a cell shows all of its picture", g.crooked)
	}
	halves, edges := 0, 0
	for i := range g.cells {
		if seen := g.cells[i].shape & bothHalves; seen != 0 && seen != bothHalves {
			halves++
		}
	}
	if halves > 0 {
		d.Lossf("half-hole", groundNode, "%d cells lack one of their two triangles: a cell is there or is a hole, these are there", halves)
	}
	for at, h := range g.edge {
		if h != int16(g.grid[at].Height()) {
			edges++
		}
	}
	if edges > 0 {
		d.Lossf("ground-edge", groundNode, "%d heights beyond the last column or row differ from those of the first, which the ground repeats there", edges)
	}
}

// terrainRoom is what a terrain can hold of a scene.
var terrainRoom = scene.Capabilities{
	Target: "a terrain of Ultima IX", Format: TerrainName, Empty: true, Levels: 1 << 16, Coverage: true,
	Looks: scene.LookBlend | scene.LookMask,
}

// tellScene reports edits of a terrain's nodes as objects, which have no effect on its grid. native is that of the root;
// nil if the scene was not made by usher or has lost its data.
func (g *groundSampler) tellScene(s *asset.Scene, native *asset.Native) {
	d := g.env.Told()
	if native == nil {
		if ground := nodeCalled(s, groundNode); ground != nil && nodeCalled(s, waterNode) != nil && !d.Has(restore.NoExtras) {
			d.Warnf(restore.NoExtras, ground.Name, "exported without Custom Properties (extras): the name of the terrain, its chunks, waves and flags are lost; tick Include › Custom Properties in Blender")
		}
		return
	}
	worlds, parents := scene.Worlds(s), scene.Parents(s)
	var names scene.Renames
	grounds, waters := 0, 0
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			return
		}
		root := parents[n]
		for root != nil && root.Native != native {
			root = parents[root]
		}
		if root == nil {
			if !g.elsewhere(n, parents) {
				d.Lossf("unknown-node", n.Name, "the node is not below that of the terrain, and is left out")
			}
			return
		}
		count, name := &grounds, groundNode
		if isWater(n) {
			count, name = &waters, waterNode
		}
		if *count++; *count > 1 {
			d.Lossf("ground-twice", n.Name, "a terrain has one height at each place, and one level of water: this is more than one mesh (triangles of %s)", name)
			return
		}
		names.Check(name, n.Name)
		if slices.ContainsFunc(n.Mesh.Primitives, func(p *asset.Primitive) bool { return p.Material == nil && p.Mode == asset.Triangles }) {
			d.Lossf("texture-gone", n.Name, "triangles have no material any more: the map has textures there, which stay")
		}
		if parents[n] != root {
			d.Lossf("ground-parent", n.Name, "the node was put below %q: a terrain has no tree", parents[n].Name)
		}
		if !scene.SamePlace(scene.Matrix(&model.RootTransform), worlds[n], 1) && !raised(worlds[n]) {
			d.Lossf("ground-moved", n.Name, "the %s was moved, turned or scaled as an object: a terrain is a grid at a fixed place, whose heights are taken from it (texture coordinates by the cell)", name)
		}
	})
	names.CheckCalled(s, TerrainName)
	names.Tell(d, "a terrain holds no names of its parts")
	if waters == 0 && len(g.terrain.Tiles) > 0 {
		d.Lossf("no-water", waterNode, "the water is gone: a terrain has a level of it always, which stays")
	}
}

// raised reports whether a node only stands higher or lower than the map was made: heights follow.
func raised(world mgl64.Mat4) bool {
	down := scene.Matrix(&model.RootTransform)
	down[13] = world[13]
	return scene.SamePlace(down, world, 1)
}

// elsewhere reports whether a node belongs to another file of the map.
func (g *groundSampler) elsewhere(n *asset.Node, parents map[*asset.Node]*asset.Node) bool {
	for ; n != nil; n = parents[n] {
		if n.Native != nil && (n.Native.Format == objectName || n.Native.Format == "u9-fixed" || n.Native.Format == "u9-nonfixed") {
			return true
		}
	}
	return false
}

// nodeCalled returns the node of a name, as an editor may have written it; nil for none.
func nodeCalled(s *asset.Scene, name string) (found *asset.Node) {
	s.Walk(func(n, _ *asset.Node) {
		if base, _ := scene.Uncopied(n.Name); base == name {
			found = n
		}
	})
	return found
}

// isWater recognises the water by its name or, where somebody gave it another one, by that of its mesh or material.
func isWater(n *asset.Node) bool {
	is := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), waterNode) }
	return is(n.Name) || n.Mesh != nil && (is(n.Mesh.Name) || slices.ContainsFunc(n.Mesh.Primitives, func(p *asset.Primitive) bool {
		return p.Material != nil && is(p.Material.Name)
	}))
}

// slopeTolerance is the cosine of three degrees: editors pack normals, and nobody sees less.
const slopeTolerance = 0.9986

// doubtNormals counts the normals of a primitive that are not those of the stored ground. Places are its vertices on the
// grid.
func (g *groundSampler) doubtNormals(p *asset.Primitive, places [][3]float64, toRaw mgl64.Mat4) {
	if !g.ours || len(p.Normals) != len(places) || len(g.grid) == 0 {
		return
	}
	turn := scene.NormalMatrix(toRaw)
	height := func(x, y int) int { return g.grid[y*g.w+x].Height() }
	for i, at := range places {
		x, y := int(math.Round(at[0])), int(math.Round(at[1]))
		if x < 0 || y < 0 || x > g.w || y > g.h {
			continue
		}
		want, is := scene.Wide3(slope(g.w, g.h, height, x, y)), turn.Mul3x1(scene.Wide3(p.Normals[i]))
		if l := is.Len(); l > 0 && is.Dot(want) < slopeTolerance*l {
			g.shaded++
		}
	}
}

// tellNormals reports edited normals, where the heights are as they were: others follow their heights.
func (g *groundSampler) tellNormals() {
	for i, h := range g.heights {
		if h >= 0 && int(h) != g.grid[i].Height() {
			return
		}
	}
	if g.shaded > 0 {
		g.env.Told().Lossf("ground-normals", groundNode, "%d normals were changed (shaded flat or smooth), which is left out: those of a terrain follow from its heights", g.shaded)
	}
}
