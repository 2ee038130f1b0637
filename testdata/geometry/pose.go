package main

// start puts the nodes where an animation begins, for formats whose models are the first frame of their motion.
func (d *document) start(a *animation) error {
	for _, c := range a.Channels {
		if c.Target.Node == nil || *c.Target.Node >= len(d.Nodes) || c.Sampler >= len(a.Samplers) {
			continue
		}
		s := a.Samplers[c.Sampler]
		times, err := d.numbers(s.Input)
		if err != nil {
			return err
		}
		rows, err := d.numbers(s.Output)
		if err != nil {
			return err
		}
		per := len(rows) / max(len(times), 1) // rows of a key
		if per == 0 {
			continue
		}
		first := rows[:per]
		if s.Interpolation == "CUBICSPLINE" {
			first = rows[per/3 : 2*per/3]
		}
		n := &d.Nodes[*c.Target.Node]
		switch c.Target.Path {
		case "translation":
			n.Translation = (*[3]float64)(first[0])
		case "rotation":
			n.Rotation = (*[4]float64)(first[0])
		case "scale":
			n.Scale = (*[3]float64)(first[0])
		case "weights":
			n.Weights = nil
			for _, r := range first {
				n.Weights = append(n.Weights, r[0])
			}
		}
	}
	return nil
}
