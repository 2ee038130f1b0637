package ultima9

import (
	"math"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

const typeNameName = "u9-typename"

// liftTypeName makes a table of one row.
func liftTypeName(t *ultima9.TypeName, env *format.Env) (*asset.Table, error) {
	payload, err := write.TypeName(t)
	if err != nil {
		return nil, err
	}
	name := ""
	if t.Name != nil {
		name = *t.Name
	}
	return inPage(&asset.Table{Name: env.EntryName("type"), Columns: []string{"name", "icon", "text"}, Rows: [][]any{{name, int64(t.Icon), int64(t.Text)}},
		Native: &asset.Native{Format: typeNameName, Payload: payload}}, nil, env)
}

// lowerTypeName takes the first row. A name that is unchanged keeps what follows it in the record.
func lowerTypeName(shown *asset.Table, env *format.Env) (*ultima9.TypeName, error) {
	a, err := outOfPage(shown, nil, env)
	if err != nil {
		return nil, err
	}
	if len(a.Rows) != 1 {
		return nil, schema.Errorf(typeNameName, schema.ErrValue, "rows", "%d rows; a type has one name", len(a.Rows))
	}
	t := &ultima9.TypeName{Icon: ultima9.DefaultIcon}
	if n := a.Native; n != nil && n.Format == typeNameName && len(n.Payload) > 0 {
		stored, err := read.TypeName(n.Payload, nil)
		if err != nil {
			return nil, err
		}
		t = stored
	}
	was := ""
	if t.Name != nil {
		was = *t.Name
	}
	c := columns{table: a, format: typeNameName}
	if err := c.known(env, []string{"name", "icon", "text"}); err != nil {
		return nil, err
	}
	text := int32(c.integer(0, "text", int64(t.Text), math.MaxInt32))
	icon := uint16(c.integer(0, "icon", int64(t.Icon), math.MaxUint16))
	name := c.text(0, "name", was)
	if name != was {
		t = ultima9.NewTypeName(text, icon, name)
	}
	t.Text, t.Icon = text, icon
	return t, c.faults.Err()
}
