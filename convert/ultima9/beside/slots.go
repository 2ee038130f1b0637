package beside

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// Record returns the payload of a slot in the archive that one of the names leads to.
func Record(env *format.Env, slot int, names ...string) ([]byte, error) {
	r, size, path, err := env.FindAt(names...)
	if err != nil {
		return nil, err
	}
	a, err := read.FLX(r, size, nil)
	if err != nil {
		return nil, schema.In(path, err)
	}
	b, err := a.Payload(slot)
	if err != nil {
		return nil, schema.In(fmt.Sprintf("%s:%d", path, slot), err)
	}
	return b, nil
}

// Page returns the code page of single-byte texts.
func Page(env *format.Env) (*codepage.Page, error) {
	return codepage.Find(env.Given().Options.CodePage)
}

// TypeNames returns the records of typename.flx by slot, nil for empty slots, with their names as people read them. The result is
// nil if the file is missing.
func TypeNames(env *format.Env) []*ultima9.TypeName {
	p, err := Page(env)
	if err != nil {
		return nil
	}
	r, size, _, err := env.FindAt("typename.flx")
	if err != nil {
		return nil
	}
	a, err := read.FLX(r, size, nil)
	if err != nil {
		return nil
	}
	names := make([]*ultima9.TypeName, a.Len())
	for i := range names {
		if b, err := a.Payload(i); err == nil {
			if names[i], _ = read.TypeName(b, nil); names[i] != nil && names[i].Name != nil {
				*names[i].Name = p.Show(*names[i].Name)
			}
		}
	}
	return names
}

// SlotOf returns the slot number at the beginning of a new file's name. A title may follow: "12_ankh".
func SlotOf(path string) (int, error) {
	number, _, _ := strings.Cut(path, "_")
	slot, err := strconv.ParseUint(number, 10, 31)
	if err != nil {
		return 0, schema.Errorf("flx", schema.ErrValue, "path", "%q names no slot: a new file is called by the number of one, as in 12 or 12_ankh", path)
	}
	return int(slot), nil
}

// ParseSlot parses the path of an entry as a slot number.
func ParseSlot(path string) (int, error) {
	n, err := strconv.Atoi(path)
	if err != nil || n < 0 {
		return 0, schema.Errorf("flx", schema.ErrValue, "entry", "%q is not a slot number", path)
	}
	return n, nil
}
