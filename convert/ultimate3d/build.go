package ultimate3d

import "github.com/usher-assets/usher/schema"
import "github.com/usher-assets/usher/schema/ultimate3d"

func (l *lowerer) build() (*ultimate3d.Model, error) {
	return nil, schema.Errorf("u3d", schema.ErrUnsupported, "", "later")
}
