package ultima9

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Lists in lists as flat tables: a row for each of the innermost things, which repeats what holds it. What holds nothing
// has one row. Rows that belong together follow each other and have the same number, counted from 1.

// activityRow is a step of an activity.
type activityRow struct {
	Activity int32
	Ordinal  uint8
	Name     ultima9.FixedText
	Opcode   uint8
	Operand  struct{ A, B, C, D, E, F, G, H uint8 }
}

func activityRows(x *ultima9.ActivityList) (rows []activityRow) {
	for i := range x.Activities {
		a := &x.Activities[i]
		for _, s := range a.Steps {
			r := activityRow{Activity: int32(i + 1), Ordinal: a.Ordinal, Name: a.Name, Opcode: s.Opcode}
			o := s.Operands
			r.Operand.A, r.Operand.B, r.Operand.C, r.Operand.D = o[0], o[1], o[2], o[3]
			r.Operand.E, r.Operand.F, r.Operand.G, r.Operand.H = o[4], o[5], o[6], o[7]
			rows = append(rows, r)
		}
	}
	return rows
}

func putActivityRows(x *ultima9.ActivityList, rows []activityRow) error {
	x.Activities = nil
	for i, r := range rows {
		if i == 0 || r.Activity != rows[i-1].Activity {
			x.Activities = append(x.Activities, ultima9.Activity{Ordinal: r.Ordinal, Name: r.Name})
		}
		a := &x.Activities[len(x.Activities)-1]
		o := r.Operand
		a.Steps = append(a.Steps, ultima9.ActivityStep{Opcode: r.Opcode, Operands: [8]uint8{o.A, o.B, o.C, o.D, o.E, o.F, o.G, o.H}})
	}
	return nil
}

// areaRow is a box of an area; the cells of the encounter mean something in areas that have one.
type areaRow struct {
	Kind, ID       int32
	Position       ultima9.AreaPosition
	Flags          uint32
	Chance         int32
	Map, WeightSum int32
	Box            ultima9.AreaBox
	Encounter      ultima9.Encounter
}

func areaRows(x *ultima9.Area) []areaRow {
	r := areaRow{Kind: x.Kind, ID: x.ID, Position: x.Position, Flags: x.Flags, Chance: x.Chance, Map: x.Map, WeightSum: x.WeightSum}
	if x.Encounter != nil {
		r.Encounter = *x.Encounter
	}
	rows := make([]areaRow, max(1, len(x.Boxes)))
	for i := range rows {
		rows[i] = r
		if i < len(x.Boxes) {
			rows[i].Box = x.Boxes[i]
		}
	}
	return rows
}

func putAreaRows(x *ultima9.Area, rows []areaRow) error {
	if len(rows) == 0 {
		return schema.Errorf("u9-area", schema.ErrValue, "rows", "an area has at least one row")
	}
	r := rows[0]
	x.Kind, x.ID, x.Position, x.Flags, x.Chance, x.Map, x.WeightSum = r.Kind, r.ID, r.Position, r.Flags, r.Chance, r.Map, r.WeightSum
	if x.Kind != ultima9.AreaKind {
		return nil // opaque
	}
	bare := len(x.Boxes) == 0 && len(rows) == 1 && r.Box == ultima9.AreaBox{} // the row of an area without boxes
	x.Encounter, x.Boxes = nil, nil
	if x.Flags&ultima9.AreaEncounter != 0 {
		x.Encounter = &r.Encounter
	}
	if bare {
		return nil
	}
	for _, r := range rows {
		x.Boxes = append(x.Boxes, r.Box)
	}
	return nil
}

// spaceRow is a portal of a plane of a space. Plane and Portal are 0 where there is none.
type spaceRow struct {
	Name                          ultima9.FixedText
	Map                           int32
	Audio                         uint32
	DrawOrder                     int32
	Visibility, Unknown32, Number int16
	Flags                         uint16
	Plane                         int32
	PlanePointer                  uint32
	Point, Normal                 [3]float32
	W                             float32
	Tail                          int32
	Portal                        int32
	PortalPointer                 uint32
	Corner                        [4][3]float32
	Target                        int32
	Range                         float32
	Unknown3C                     int32
	PortalFlags                   uint32
}

func spaceRows(x *ultima9.Space) (rows []spaceRow) {
	head := spaceRow{Name: x.Name, Map: x.Map, Audio: uint32(x.Audio), DrawOrder: x.DrawOrder, Visibility: x.Visibility, Unknown32: x.Unknown32, Number: x.Number, Flags: x.Flags}
	for i := range x.Planes {
		p := &x.Planes[i]
		r := head
		r.Plane, r.PlanePointer, r.Point, r.Normal, r.W, r.Tail = int32(i+1), p.Pointer, p.Point, p.Normal, p.W, p.Tail
		for k, o := range p.Portals {
			r.Portal, r.PortalPointer, r.Corner, r.Target, r.Range, r.Unknown3C, r.PortalFlags = int32(k+1), o.Pointer, o.Corners, o.Target, o.Range, o.Unknown3C, o.Flags
			rows = append(rows, r)
		}
		if len(p.Portals) == 0 {
			rows = append(rows, r)
		}
	}
	if rows == nil {
		rows = []spaceRow{head}
	}
	return rows
}

func putSpaceRows(x *ultima9.Space, rows []spaceRow) error {
	if len(rows) == 0 {
		return schema.Errorf("u9-space", schema.ErrValue, "rows", "a space has at least one row")
	}
	r := rows[0]
	x.Name, x.Map, x.Audio, x.DrawOrder, x.Visibility, x.Unknown32, x.Number, x.Flags = r.Name, r.Map, ultima9.AudioCode(r.Audio), r.DrawOrder, r.Visibility, r.Unknown32, r.Number, r.Flags
	x.Planes = nil
	for i, r := range rows {
		if r.Plane == 0 {
			continue
		}
		if i == 0 || r.Plane != rows[i-1].Plane {
			x.Planes = append(x.Planes, ultima9.SpacePlane{Pointer: r.PlanePointer, Point: r.Point, Normal: r.Normal, W: r.W, Tail: r.Tail})
		}
		if r.Portal != 0 {
			p := &x.Planes[len(x.Planes)-1]
			p.Portals = append(p.Portals, ultima9.SpacePortal{Pointer: r.PortalPointer, Corners: r.Corner, Target: r.Target, Range: r.Range, Unknown3C: r.Unknown3C, Flags: r.PortalFlags})
		}
	}
	return nil
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
	for i, r := range rows {
		list, err := parseVolumes(r.Volumes)
		if err != nil {
			return schema.Errorf("u9-treedat", schema.ErrValue, "Volumes", "row %d: %v", i, err)
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
