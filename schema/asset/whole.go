package asset

// Whole returns a primitive with its data: what Load makes, or the primitive itself when it has none to load.
func (p *Primitive) Whole() (*Primitive, error) {
	if p.Load == nil {
		return p, nil
	}
	return p.Load()
}

// LoadAll makes the data of every primitive that is still to be loaded.
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
