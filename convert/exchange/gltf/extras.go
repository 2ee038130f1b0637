package gltf

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// ours is the name of usher's object in extras; the others are the names in it that are not Native.Values.
const (
	ours       = "usher"
	keyFormat  = "format"
	keyJSON    = "json"
	keyPayload = "payload"
	keyAsset   = "asset"
	keyCheck   = "check"
)

// record is a JSON object.
type record = map[string]any

// maxRatio bounds how much better than the file's size a payload may compress, so that the reader can bound its memory
// by the file's size: what compresses better is stored.
const maxRatio = 16

// pack returns usher's object for an asset object: its Native, and own, which is what the asset model knows and glTF
// does not. It is nil when there is nothing to tell.
func pack(n *asset.Native, own record) (record, error) {
	u := record{}
	if len(own) > 0 {
		u[keyAsset] = own
	}
	if n == nil {
		if len(u) == 0 {
			return nil, nil
		}
		return u, nil
	}
	u[keyFormat] = n.Format
	if len(n.Values) > 0 {
		values, err := normalise(n.Values)
		if err != nil {
			return nil, err
		}
		rest := record{}
		for k, v := range values {
			if safeKey(k) && safeValue(v) {
				u[k] = v
			} else {
				rest[k] = v
			}
		}
		if len(rest) > 0 {
			b, err := json.Marshal(rest)
			if err != nil {
				return nil, err
			}
			u[keyJSON] = string(b)
		}
	}
	if len(n.Payload) > 0 {
		u[keyPayload] = deflated(n.Payload)
	}
	return u, nil
}

// normalise returns values in the types that JSON has, numbers as json.Number.
func normalise(values map[string]any) (record, error) {
	if r := plainRecord(values); r != nil {
		return r, nil
	}
	b, err := json.Marshal(values)
	if err != nil {
		return nil, schema.Errorf(formatName, schema.ErrValue, "Native.Values", "not expressible in JSON: %v", err)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var r record
	err = dec.Decode(&r)
	return r, err
}

// plainRecord is normalise for values that are whole numbers, text and truth values, which those of the nodes of a map are; nil
// for others.
func plainRecord(values map[string]any) record {
	r := make(record, len(values))
	for k, v := range values {
		switch v := v.(type) {
		case int:
			r[k] = json.Number(strconv.Itoa(v))
		case int64:
			r[k] = json.Number(strconv.FormatInt(v, 10))
		case float64:
			if v != math.Trunc(v) || math.Abs(v) >= 1<<53 || v == 0 && math.Signbit(v) {
				return nil
			}
			r[k] = json.Number(strconv.FormatInt(int64(v), 10))
		case map[string]any:
			inner := plainRecord(v)
			if inner == nil {
				return nil
			}
			r[k] = inner
		case bool:
			r[k] = v
		case string:
			if !utf8.ValidString(v) {
				return nil
			}
			r[k] = v
		default:
			return nil
		}
		if !utf8.ValidString(k) {
			return nil
		}
	}
	return r
}

// safeKey reports whether an editor keeps a name: Blender's are limited to 63 bytes.
func safeKey(k string) bool {
	switch k {
	case "", keyFormat, keyJSON, keyPayload, keyAsset, keyKept, keyCheck:
		return false
	}
	return len(k) <= 63
}

// safeValue reports whether Blender's custom properties return a value as it is: text, numbers whose integers fit 32
// bits, lists of numbers, and objects of these.
func safeValue(v any) bool {
	switch v := v.(type) {
	case string:
		return !strings.ContainsRune(v, 0)
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return true
		}
		_, err := strconv.ParseInt(string(v), 10, 32)
		return err == nil
	case []any:
		for _, x := range v {
			if _, ok := x.(json.Number); !ok || !safeValue(x) {
				return false
			}
		}
		return len(v) > 0
	case record:
		for k, x := range v {
			if k == "" || len(k) > 63 || !safeValue(x) {
				return false
			}
		}
		return len(v) > 0
	}
	return false
}

// keepExtras puts the extras of an object that has no place of its own in the file into its record, as text, since
// editors break some values.
func (e *encoder) keepExtras(path string, own record, foreign map[string]any) {
	if len(foreign) == 0 {
		return
	}
	b, err := json.Marshal(foreign)
	if err != nil {
		e.failf(path, schema.ErrValue, "extras", "%v", err)
	}
	own["extras"] = string(b)
}

// keptExtras is the reverse of keepExtras.
func (d *decoder) keptExtras(own record) map[string]any {
	s := text(own, "extras")
	if s == "" {
		return nil
	}
	var foreign map[string]any
	if err := json.Unmarshal([]byte(s), &foreign); err != nil {
		d.diag.Warnf("bad-extras", "", "extras in usher's record: %v", err)
	}
	return foreign
}

// deflater is a deflate writer of level 6, and where it writes to.
type deflater struct {
	w *flate.Writer
	z bytes.Buffer
}

// deflaters keeps deflaters from one payload to the next. Their tables are a megabyte: a sync.Pool, which the garbage
// collector empties, would make new ones all the time, and garbage of the old ones.
var deflaters = make(chan *deflater, runtime.GOMAXPROCS(0))

func newDeflater(level int) *deflater {
	d := new(deflater)
	d.w, _ = flate.NewWriter(&d.z, level) // fails for levels that do not exist alone
	return d
}

// deflated returns a payload, deflated, in base64.
func deflated(b []byte) string {
	var d *deflater
	select {
	case d = <-deflaters:
	default:
		d = newDeflater(6)
	}
	text := d.text(b)
	if d.z.Cap() > keptBuffer {
		d.z = bytes.Buffer{}
	}
	select {
	case deflaters <- d:
	default:
	}
	return text
}

// keptBuffer is the size up to which a buffer is kept for the next payload.
const keptBuffer = 1 << 20

func (d *deflater) text(b []byte) string {
	d.z.Reset()
	d.w.Reset(&d.z)
	_, _ = d.w.Write(b) // a bytes.Buffer takes everything
	_ = d.w.Close()
	if len(b) > maxRatio*d.z.Len() {
		return newDeflater(flate.NoCompression).text(b)
	}
	return base64.StdEncoding.EncodeToString(d.z.Bytes())
}

// extras returns what goes into a glTF object's extras.
func (e *encoder) extras(path string, foreign map[string]any, n *asset.Native, own record) any {
	if e.o.Slim {
		return nil
	}
	u, err := pack(n, own)
	e.fail(schema.In(path, err))
	aside := len(e.asides)
	e.setAside(u)
	all := e.join(path, foreign, u)
	if len(e.list) > manyNodes && len(e.asides) == aside && all != nil {
		sealRecords(all)
		b, err := json.Marshal(all)
		e.fail(schema.In(path, err))
		return json.RawMessage(b) // a fifth of what the maps take
	}
	return all
}

// manyNodes is the number of nodes from which they are written one by one, as a map has them: their texts are a tenth of
// what the encoder needs for all of them at once.
const manyNodes = 1 << 12

// join puts usher's object beside the properties of other programs.
func (e *encoder) join(path string, foreign map[string]any, u record) any {
	if e.o.Slim {
		return nil
	}
	if _, taken := foreign[ours]; taken {
		e.o.Diagnostics.Lossf("extras-name-taken", path, "the property %q is usher's own and is left out", ours)
		foreign = maps.Clone(foreign)
		delete(foreign, ours)
	}
	if u == nil {
		if len(foreign) == 0 {
			return nil
		}
		return foreign
	}
	all := maps.Clone(foreign)
	if all == nil {
		all = record{}
	}
	all[ours] = u
	return all
}

// split takes extras apart: the properties of other programs, and usher's object, which is nil when there is none.
func split(extras any) (foreign map[string]any, u record) {
	if extras == nil {
		return nil, nil
	}
	all, ok := extras.(record)
	if !ok {
		return record{"extras": extras}, nil // glTF allows any value, though only objects are in use
	}
	u, ok = all[ours].(record)
	if !ok {
		if len(all) == 0 {
			return nil, nil
		}
		return all, nil
	}
	foreign = maps.Clone(all)
	delete(foreign, ours)
	if len(foreign) == 0 {
		foreign = nil
	}
	return foreign, u
}

// unpack is the reverse of pack. What does not decode is reported and left out.
func (d *decoder) unpack(path string, u record) *asset.Native {
	name, ok := u[keyFormat].(string)
	if !ok {
		return nil
	}
	n := &asset.Native{Format: name}
	if text, ok := u[keyJSON].(string); ok && !json.Valid([]byte(text)) {
		d.diag.Warnf("bad-extras", path, "extras.usher.json is no JSON")
	}
	if values := valuesOf(u); len(values) > 0 {
		n.Values = values
	}
	if text, ok := u[keyPayload].(string); ok {
		payload, err := d.inflate(text)
		if err != nil {
			d.diag.Warnf("bad-extras", path, "extras.usher.payload: %v", err)
		}
		n.Payload = payload
		if len(text) > maxInline {
			delete(u, keyPayload) // as large as all the rest of the document
		}
	}
	return n
}

// inflate decodes a payload. A damaged one is as good as none: the visible data is taken then.
func (d *decoder) inflate(text string) ([]byte, error) {
	z, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	limit := int64(len(z))*maxRatio + 1024
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(z)), limit))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) == limit {
		return nil, schema.Errorf(formatName, schema.ErrLimit, "payload", "more than %d bytes from %d", limit, len(z))
	}
	return b, nil
}

// child returns the object under a key, nil when there is none. Reading a nil record is fine.
func (d *decoder) child(r record, key string) record {
	c, _ := r[key].(record)
	return c
}

// number returns the number under a key.
func number(r record, key string) (float64, bool) {
	v, ok := r[key].(float64)
	return v, ok
}

// index returns the non-negative integer under a key, −1 when there is none.
func index(r record, key string) int {
	v, ok := r[key].(float64)
	if !ok || v < 0 || v > 1<<31 || v != float64(int(v)) {
		return -1
	}
	return int(v)
}

func text(r record, key string) string {
	s, _ := r[key].(string)
	return s
}

// numbers returns the list of numbers under a key, nil when it is anything else.
func numbers(r record, key string) []float32 {
	list, _ := r[key].([]any)
	v := make([]float32, 0, len(list))
	for _, x := range list {
		f, ok := x.(float64)
		if !ok {
			return nil
		}
		v = append(v, float32(f))
	}
	return v
}

// interleave returns real with the others set in at their positions: the objects that glTF cannot hold keep their place.
func interleave[T any](real []T, at map[int]T) []T {
	if len(at) == 0 {
		return real
	}
	all := make([]T, 0, len(real)+len(at))
	for _, i := range slices.Sorted(maps.Keys(at)) {
		n := min(max(0, i-len(all)), len(real))
		all = append(append(all, real[:n]...), at[i])
		real = real[n:]
	}
	return append(all, real...)
}
