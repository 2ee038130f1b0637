package ultima9

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

const areaName = "u9-area"

// activityLevels are the activities of a character, and their steps.
var activityLevels = []level{
	{list: "Activities", key: "Activity", first: 1},
	{list: "Steps", key: "Step", first: 1, names: operandNames()},
}

// operandNames calls the operands of a step Operand A to Operand H.
func operandNames() map[string]string {
	names := map[string]string{}
	for i, letter := range "ABCDEFGH" {
		names[fmt.Sprint("Operands ", i+1)] = "Operand " + string(letter)
	}
	return names
}

// areaLevels are the boxes of an area.
var areaLevels = []level{{list: "Boxes", key: "Box", first: 1, names: map[string]string{"Min": "Box Min", "Max": "Box Max"}}}

// lowerArea makes an area of a table. Its flags say whether it has an encounter: one that they end is gone.
func lowerArea(lower func(*asset.Table, *format.Env) (*ultima9.Area, error)) func(*asset.Table, *format.Env) (*ultima9.Area, error) {
	return func(a *asset.Table, env *format.Env) (*ultima9.Area, error) {
		x, err := lower(a, env)
		if err != nil || x.Kind != ultima9.AreaKind {
			return x, err
		}
		has := x.Flags&ultima9.AreaEncounter != 0
		switch {
		case has && x.Encounter == nil:
			x.Encounter = new(ultima9.Encounter)
		case !has && x.Encounter != nil && hadEncounter(a):
			env.Told().Lossf("encounter", "", "the flags say %v no more: the encounter goes", ultima9.AreaEncounter)
			x.Encounter = nil
			blank(a, "Encounter ")
		}
		return x, nil
	}
}

// hadEncounter reports whether the area that a table was made from has an encounter.
func hadEncounter(a *asset.Table) bool {
	was, err := stored(a, areaName, read.Area)
	return err == nil && was.Encounter != nil
}

// blank empties the columns with a prefix.
func blank(a *asset.Table, prefix string) {
	for k, name := range a.Columns {
		for i := range a.Rows {
			if strings.HasPrefix(name, prefix) {
				a.Rows[i][k] = nil
			}
		}
	}
}

// spaceLevels are the planes of a space, and the portals in them.
var spaceLevels = []level{
	{list: "Planes", key: "Plane", first: 1, names: map[string]string{"Pointer": "PlanePointer"}},
	{list: "Portals", key: "Portal", first: 1, names: map[string]string{"Pointer": "PortalPointer", "Corners": "Corner", "Flags": "PortalFlags"}},
}

// treeRow is a node of a tree of spaces. The first row, whose node is −1, has the volumes of the whole.
type treeRow struct {
	Node        int32
	Front, Back int32
	Volumes     string // numbers with blanks between them
	Plane       [4]float32
	Subtree     int32
}

func treeRows(x *ultima9.TreeData) []treeRow {
	rows := []treeRow{{Node: -1, Volumes: volumes(x.Volumes)}}
	for i, n := range x.Nodes {
		rows = append(rows, treeRow{Node: int32(i), Front: n.Front, Back: n.Back, Volumes: volumes(n.Volumes), Plane: n.Plane, Subtree: n.Subtree})
	}
	return rows
}

func putTreeRows(x *ultima9.TreeData, rows []treeRow) error {
	x.Volumes, x.Nodes = nil, nil
	for _, r := range rows {
		list, err := parseVolumes(r.Volumes)
		if err != nil {
			return schema.Errorf("u9-treedat", schema.ErrValue, "Volumes", "node %d: %v", r.Node, err)
		}
		if r.Node < 0 {
			x.Volumes = append(x.Volumes, list...)
			continue
		}
		x.Nodes = append(x.Nodes, ultima9.TreeNode{Front: r.Front, Back: r.Back, Volumes: list, Plane: r.Plane, Subtree: r.Subtree})
	}
	return nil
}

func volumes(list []int32) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = strconv.Itoa(int(v))
	}
	return strings.Join(words, " ")
}

func parseVolumes(text string) (list []int32, err error) {
	for _, word := range strings.Fields(text) {
		v, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", word)
		}
		list = append(list, int32(v))
	}
	return list, nil
}
