package ultima9

// TreeData is a record of treedat.flx, whose slot is a map number: a binary tree of space partitions, made from
// spaces.flx (reference section 11.7).
type TreeData struct {
	Version  int32 // 0
	Volumes  []int32
	Nodes    []TreeNode
	Trailing []byte `json:",omitempty"`
}

// TreeNode is a node of the tree.
type TreeNode struct {
	Front, Back int32   // nodes; −1 none
	Volumes     []int32 `count:"u32"`
	Plane       [4]float32
	Subtree     int32 // nodes from here down
}
