package asset

// Whole returns the primitive with its data: the result of Load, or the primitive itself if it has no Load.
func (p *Primitive) Whole() (*Primitive, error) {
	if p.Load == nil {
		return p, nil
	}
	return p.Load()
}

// LoadAll loads the data of every primitive that has a Load.
func (s *Scene) LoadAll() error {
	for _, m := range s.Meshes {
		for i, p := range m.Primitives {
			whole, err := p.Whole()
			if err != nil {
				return err
			}
			m.Primitives[i] = whole
		}
	}
	return nil
}
