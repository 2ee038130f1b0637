package ultimate3d

import "github.com/usher-assets/usher/schema"

type lowerer struct {
	d *schema.Diagnostics
}
