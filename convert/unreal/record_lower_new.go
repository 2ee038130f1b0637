package unreal

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// bindNew returns a format for a new entry: a record that is laid in under a new name becomes a new object. It is made of what
// the record says alone; the stored bytes that it carries may be those of another package.
func (a *archive) bindNew(f *format.Format, path string) (*format.Format, error) {
	if f.Name != objectName {
		return nil, schema.Errorf(unreal.Format, schema.ErrUnsupported, path, "a new %s cannot be made from JSON", f.Name)
	}
	own := recordFormat(nil, -1)
	own.Write = func(v any) ([]byte, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		r := v.(*Record)
		o, err := a.newObject(r, path)
		if err != nil {
			return nil, err
		}
		if a.drafts == nil {
			a.drafts = map[*format.Format]*Record{}
		}
		a.drafts[&own] = r
		return write.Object(o)
	}
	return &own, nil
}

// newObject makes the object that a record describes.
func (a *archive) newObject(r *Record, path string) (unreal.AnyObject, error) {
	imports := len(a.Imports)
	class, flags, err := a.identity(r)
	if err != nil {
		return nil, err
	}
	if len(a.Imports) > imports {
		a.checkImport(class, a.RefText(class))
	}
	layout := a.LayoutOf(class)
	base := unreal.Object{Context: &unreal.Context{Package: a.Package, Path: path, Class: layout, Flags: flags, Offset: -1}, End: a.AddName("None")}
	if flags&unreal.HasStack != 0 {
		base.Frame = newFrame(class)
	}
	a.checkNames(class, path, nil, recordNames(r.Properties))
	a.checkProperties(path, nil, r.Properties)
	for n := range r.Properties {
		q, err := a.property(&r.Properties[n], nil, nil, n)
		if err != nil {
			return nil, err
		}
		base.Properties = append(base.Properties, q)
	}
	return a.newNative(base, r)
}

// newFrame is the state of an object that has not run yet (reference section 8.1).
func newFrame(class unreal.Ref) *unreal.StateFrame {
	return &unreal.StateFrame{Node: class, State: class, Probe: ^uint64(0), Offset: -1}
}

// newNative gives a new object what its class stores beside its properties.
func (a *archive) newNative(base unreal.Object, r *Record) (unreal.AnyObject, error) {
	fields := func(o unreal.AnyObject) (unreal.AnyObject, error) { return o, a.setFields(o, r.Native) }
	keys := func(known ...string) error { return pack.CheckKeys(r.Native, "Native", known...) }
	switch kind := unreal.Classes[base.Class]; kind {
	case unreal.UnknownKind, unreal.GroupKind:
		if b, ok := hexBytes(r.Native["unknown"]); ok {
			base.Tail = b
			a.Env.Told().Warnf("unknown-bytes", base.Path, "%d bytes behind its properties are taken as they are: if they name objects, they mean those of this package", len(b))
		}
		return &base, keys("state", "unknown")
	case unreal.PaletteKind:
		o := &unreal.Palette{Object: base}
		return o, editColors(o, r.Native)
	case unreal.TextureKind, unreal.FireKind:
		o := &unreal.Texture{Object: base}
		if err := newMips(o, r.Native["mips"]); err != nil {
			return nil, err
		}
		if kind == unreal.FireKind {
			o.Sparks = []unreal.Spark{}
			if v, ok := r.Native["sparks"]; ok {
				if err := editSparks(o, v); err != nil {
					return nil, err
				}
			}
		}
		return o, keys("mips", "sparks")
	case unreal.AnimationKind:
		return a.newAnimation(base, r)
	case unreal.VectorsKind:
		return fields(&unreal.Vectors{Object: base})
	case unreal.BspNodesKind:
		return fields(&unreal.BspNodes{Object: base})
	case unreal.BspSurfsKind:
		return fields(&unreal.BspSurfs{Object: base})
	case unreal.VertsKind:
		return fields(&unreal.Verts{Object: base})
	}
	return nil, schema.Errorf(objectName, schema.ErrUnsupported, "Class", "a new %s cannot be made from JSON", r.Class)
}

// newAnimation makes an Animation of the stored bytes of one, which may be of another package, and of what was edited in the text.
func (a *archive) newAnimation(base unreal.Object, r *Record) (unreal.AnyObject, error) {
	o, ok := a.Foreign(r.Stored, base.Class, r.ReadOnlySymbols, func(string) unreal.Ref { return 0 }).(*unreal.Animation)
	if !ok {
		return nil, schema.Errorf(objectName, schema.ErrUnsupported, "Stored", "a new Animation is made of the stored bytes of one, and of the names below ReadOnlySymbols; these are not of a package of version %d", a.Version)
	}
	o.Object = base
	was := a.describe(-1, o, nil)
	if err := a.editNative(o, was, r); err != nil {
		return nil, err
	}
	if !pack.SameValue(was.Native, r.Native) {
		return nil, schema.Errorf(objectName, schema.ErrUnsupported, "bones", "which bones a new Animation moves cannot be edited")
	}
	return o, nil
}

// newMips gives a procedural texture its list of sizes. They have no pixels: the game makes them.
func newMips(o *unreal.Texture, value any) error {
	list, ok := value.([]any)
	if !ok && value != nil {
		return schema.Errorf(objectName, schema.ErrValue, "mips", "expected a list of [width, height, bytes]")
	}
	for i, v := range list {
		m, _ := v.([]any)
		if len(m) != 3 {
			return schema.Errorf(objectName, schema.ErrValue, "mips", "mip %d: expected [width, height, bytes]", i)
		}
		width, ok1 := pack.Whole32(m[0])
		height, ok2 := pack.Whole32(m[1])
		size, ok3 := pack.Whole32(m[2])
		if !ok1 || !ok2 || !ok3 || !isPower(width) || !isPower(height) {
			return schema.Errorf(objectName, schema.ErrValue, "mips", "mip %d: %v is no size; sides are powers of two", i, v)
		}
		if size != 0 {
			return schema.Errorf(objectName, schema.ErrUnsupported, "mips", "mip %d has %d bytes of pixels, which JSON does not hold: lay in a picture", i, size)
		}
		o.Mips = append(o.Mips, unreal.Mip{USize: uint32(width), VSize: uint32(height), UBits: log2(width), VBits: log2(height)})
	}
	return nil
}

func isPower(n int32) bool { return n > 0 && n&(n-1) == 0 }

func log2(n int32) (bits uint8) {
	for ; n > 1; n >>= 1 {
		bits++
	}
	return bits
}

// identity returns class and flags of the object that a record describes.
func (a *archive) identity(r *Record) (class unreal.Ref, flags uint32, err error) {
	if r.Class == "" {
		return 0, 0, schema.Errorf(objectName, schema.ErrValue, "Class", "it is missing")
	}
	state, _ := r.Native["state"].(string)
	if _, path, ok := cutRef(state); ok && strings.EqualFold(pack.LastName(path), r.Class) {
		class, err = a.named(state, "state") // the class with its package
	} else {
		class, err = a.classNamed(r.Class)
	}
	if err != nil {
		return 0, 0, err
	}
	if r.Flags == nil {
		return class, a.usualFlags(class), nil
	}
	flags, unknown, ok := unreal.FlagBits(r.Flags, unreal.ObjectFlags)
	if !ok {
		return 0, 0, pack.CheckNear("Flags", unknown, flagList()...)
	}
	return class, flags, nil
}

func flagList() (list []string) {
	for _, f := range unreal.ObjectFlags {
		list = append(list, f.Name)
	}
	return list
}

// usualFlags are those of objects of a class (reference section 1.7).
func (a *archive) usualFlags(class unreal.Ref) uint32 {
	switch unreal.Classes[a.LayoutOf(class)] {
	case unreal.TextureKind, unreal.FireKind:
		return unreal.ResourceFlags
	case unreal.UnknownKind:
		if r := a.like(class); r != 0 {
			return a.Exports[r-1].Flags
		}
		if a.level() >= 0 && !strings.EqualFold(a.ObjectName(class), "LevelSummary") {
			return unreal.ActorFlags
		}
	}
	return unreal.PrivateFlags
}

// addRecord makes the export of a record, which BindNew's format wrote. An actor joins its level.
func (a *archive) addRecord(path string, payload []byte, hint *format.Format) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.drafts[hint]
	if r == nil {
		return schema.Errorf(objectName, schema.ErrUnsupported, path, "it does not say of which class it is")
	}
	delete(a.drafts, hint)
	class, flags, err := a.identity(r)
	if err != nil {
		return err
	}
	names := objectNames(path)
	if len(names) == 0 {
		return schema.Errorf(unreal.Format, schema.ErrValue, "path", "%q names no object", path)
	}
	names[len(names)-1], _, _ = strings.Cut(names[len(names)-1], "@") // class and number, which tell files apart
	ref, err := a.newExport(class, names, flags)
	if err != nil {
		return err
	}
	if err := a.Fill(ref, payload); err != nil {
		return err
	}
	a.noteAdded(path, ref)
	if err := a.ownShape(ref); err != nil {
		return err
	}
	if a.isActor(int(ref-1)) || a.like(class) != 0 {
		return a.join(ref)
	}
	return nil
}

// newExport returns the row of a new object: that which was promised, or one at the end of the table.
func (a *archive) newExport(class unreal.Ref, names []string, flags uint32) (unreal.Ref, error) {
	name := names[len(names)-1]
	if err := unreal.CheckName(name); err != nil {
		return 0, err
	}
	outer, err := a.outer(names[:len(names)-1])
	if err != nil {
		return 0, err
	}
	if r := a.FindExport(strings.Join(names, "."), a.ObjectName(class)); r != 0 && !a.gone[int(r-1)] {
		if !a.promises[r] {
			return 0, schema.Errorf(unreal.Format, schema.ErrMismatch, "path", "there is a %s %s already", a.ObjectName(class), strings.Join(names, "."))
		}
		delete(a.promises, r)
		a.Exports[r-1].Class, a.Exports[r-1].Flags = class, flags
		return r, nil
	}
	return a.AddExport(class, outer, name, flags), nil
}

// outer returns what a new object lies in: what is there under these names, or a new group.
func (a *archive) outer(names []string) (unreal.Ref, error) {
	if len(names) == 0 {
		return 0, nil
	}
	if r := a.exportAt(names); r != 0 {
		return r, nil
	}
	for _, n := range names {
		if err := unreal.CheckName(n); err != nil {
			return 0, err
		}
	}
	return a.group(names)
}

// place returns the path of a new object: the path of an object has dots, and class and number where another object has it
// already, which shows once it is there.
func (a *archive) place(path string, _ []byte, hint *format.Format) string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if hint != nil && hint.Name == t3dName { // text is laid into the level
		if i := a.level(); i >= 0 {
			return a.entries[i].Path
		}
	}
	if as := a.addedAs[path]; as != "" {
		return as
	}
	return strings.Join(objectNames(path), ".")
}

// objectNames takes the path of an object apart, which has dots or slashes.
func objectNames(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '/' })
}

// noteAdded keeps the path that an object got.
func (a *archive) noteAdded(path string, r unreal.Ref) {
	if a.addedAs == nil {
		a.addedAs = map[string]string{}
	}
	a.addedAs[path] = a.entries[r-1].Path
}

// checkPromises refuses to write objects that others name and that were not added after all.
func (a *archive) checkPromises() error {
	var list []string
	for r := range a.promises {
		list = append(list, a.RefText(r))
	}
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	return schema.Errorf(unreal.Format, schema.ErrMismatch, "", "%s is named by others, but was not added as such", strings.Join(list, ", "))
}
