package gltf

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	verbs "github.com/usher-assets/usher/convert/scene"
)

// Usher's records have seals, which tell when somebody edited what is for reading only: see convert/scene.

// seal seals the records among the extras of a document.
func (e *encoder) seal() {
	eachExtras(e.doc, func(_ string, _ int, _ string, extras any) { sealRecords(extras) })
}

// sealRecords seals usher's records in v, from the innermost out.
func sealRecords(v any) {
	eachRecord(v, func(u record) { u[keyCheck] = verbs.Seal(valuesOf(u), fixedOf(u)) })
}

// checkSeals names what somebody edited that is for reading only.
func (d *decoder) checkSeals() {
	eachExtras(d.doc, func(list string, i int, name string, extras any) {
		at := fmt.Sprintf("%s/%d", list, i)
		if name != "" {
			at += " " + name
		}
		d.checkSeal(at, extras)
	})
}

// checkSeal does so for the extras of one object.
func (d *decoder) checkSeal(at string, extras any) {
	eachRecord(extras, func(u record) {
		seal, sealed := u[keyCheck].(string)
		if !sealed { // of an earlier version, or made by hand
			return
		}
		values := valuesOf(u)
		for _, key := range verbs.Broken(seal, values, fixedOf(u)) {
			if key == "" {
				d.diag.Warnf("extras-edited", at, "a value of extras.usher is gone, or has a name that usher did not write: there are %s; what is gone keeps the value that it had", strings.Join(slices.Sorted(maps.Keys(values)), ", "))
				continue
			}
			d.diag.Warnf("extras-edited", at, "extras.usher.%s was edited: it is for reading only, and what is made of the edit is not promised", key)
		}
	})
}

// eachRecord calls f for usher's records in v, from the innermost out. A record is known by its format, or by what glTF does
// not know of an asset.
func eachRecord(v any, f func(u record)) {
	switch v := v.(type) {
	case record:
		var inner []string
		for key, x := range v {
			switch x.(type) {
			case record, []record, []any:
				inner = append(inner, key)
			}
		}
		slices.Sort(inner)
		for _, key := range inner {
			eachRecord(v[key], f)
		}
		if v[keyCheck] != nil || isText(v[keyFormat]) || isRecord(v[keyAsset]) {
			f(v)
		}
	case []record:
		for _, x := range v {
			eachRecord(x, f)
		}
	case []any:
		for _, x := range v {
			eachRecord(x, f)
		}
	}
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

func isRecord(v any) bool {
	_, ok := v.(record)
	return ok
}

// valuesOf returns the values of a record.
func valuesOf(u record) record {
	values := make(record, len(u))
	for k, v := range u {
		if safeKey(k) {
			values[k] = v
		}
	}
	if more := text(u, keyJSON); more != "" {
		var rest record
		if json.Unmarshal([]byte(more), &rest) == nil {
			maps.Copy(values, rest)
		}
	}
	return values
}

// fixedOf returns what else a record holds.
func fixedOf(u record) record {
	fixed := record{}
	if isText(u[keyPayload]) {
		fixed[keyPayload] = true // what it says, its own reader checks
	}
	for _, k := range []string{keyFormat, keyAsset} {
		if u[k] != nil {
			fixed[k] = u[k]
		}
	}
	return fixed
}
