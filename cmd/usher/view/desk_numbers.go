package view

import "encoding/json"

// numbers is what a node has as a table beside what it is: the hardpoints of a model, the lines of an archive. All cells are text.
func (v *Viewer) numbers(n *node, _ query) (blob, error) {
	lines, err := v.lines(n)
	if err != nil {
		return blob{}, err
	}
	columns := make([]bool, len(lines[0]))
	content, err := json.Marshal(map[string]any{"columns": lines[0], "rows": lines[1:], "total": len(lines) - 1, "numeric": columns})
	return blob{content: content, mime: mimeJSON}, err
}
