package pack

import (
	"slices"
	"strings"
	"sync"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Declared is what a class, a struct or a function declares, with the package that it lies in.
type Declared struct {
	Owner    *File
	Ref      unreal.Ref
	property *unreal.PropertyDecl
}

// Property returns the declaration of a property; nil where something else was declared.
func (d Declared) Property() *unreal.PropertyDecl { return d.property }

// Class returns the path of what declares it, within its package.
func (d Declared) Class() string {
	path, _ := d.Owner.Path(d.Owner.Outer(d.Ref))
	return path
}

// Name returns the name of what was declared.
func (d Declared) Name() string { return d.Owner.ObjectName(d.Ref) }

// DeclaredAt returns the property that an export declares.
func (f *File) DeclaredAt(r unreal.Ref) (Declared, bool) {
	if r <= 0 || !f.Valid(r) {
		return Declared{}, false
	}
	p, err := As[unreal.PropertyDecl](f, int(r-1))
	return Declared{f, r, p}, err == nil && p != nil
}

// Children returns a list of declarations, of which each names the next one, and whether it could be read to its end.
func (f *File) Children(first unreal.Ref) (list []Declared, whole bool) {
	for range f.Exports {
		if first <= 0 || !f.Valid(first) {
			return list, first == 0
		}
		d, next, ok := f.child(first)
		if !ok {
			return list, false
		}
		list, first = append(list, d), next
	}
	return list, false // it comes back to itself
}

// child returns a declaration and the one that follows it. Of functions and the like no more is read than that.
func (f *File) child(r unreal.Ref) (d Declared, next unreal.Ref, ok bool) {
	switch kind := unreal.Classes[f.Layout(int(r-1))]; {
	case kind == unreal.PropertyKind:
		if d, ok = f.DeclaredAt(r); ok {
			next = d.property.Next
		}
		return d, next, ok
	case !kind.Script() || kind == unreal.ClassKind:
		return d, 0, false
	}
	b, err := f.Payload(int(r - 1))
	if err != nil {
		return d, 0, false
	}
	next, err = read.Next(b, f.Context(int(r-1)))
	return Declared{Owner: f, Ref: r}, next, err == nil
}

// declarations remembers what the classes and structs of a package declare: they are asked for often.
type declarations struct {
	mu      sync.Mutex
	classes map[int]*declaring
	structs map[int]*members
}

// declaring is a class: its properties, and the class above it.
type declaring struct {
	properties map[string]Declared // by the name in small letters
	above      *File               // nil where there is none, or it is not at hand
	at         int
}

// members are the properties of a struct, and the struct that it extends.
type members struct {
	list  []Declared
	super unreal.Ref
	ok    bool
}

// Members returns what a struct declares, and the struct that it extends; ok is false where that cannot be read.
func (f *File) Members(export int) (list []Declared, super unreal.Ref, ok bool) {
	f.declared.mu.Lock()
	defer f.declared.mu.Unlock()
	m := f.declared.structs[export]
	if m == nil {
		m = new(members)
		if s, err := As[unreal.Struct](f, export); s != nil && err == nil {
			m.super = s.Super
			m.list, m.ok = f.Children(s.Children)
			m.list = slices.DeleteFunc(m.list, func(d Declared) bool { return d.Property() == nil })
		}
		if f.declared.structs == nil {
			f.declared.structs = map[int]*members{}
		}
		f.declared.structs[export] = m
	}
	return m.list, m.super, m.ok
}

// Declared returns the declaration of a property in a class or those above it, as far as their packages are at hand.
func (f *File) Declared(class unreal.Ref, name string) (Declared, bool) {
	name = strings.ToLower(name)
	at, i := f.Resolve(class)
	for range schema.DefaultLimits.Depth {
		if at == nil {
			break
		}
		c := at.declaring(i)
		if d, ok := c.properties[name]; ok {
			return d, true
		}
		at, i = c.above, c.at
	}
	return Declared{}, false
}

func (f *File) declaring(export int) *declaring {
	f.declared.mu.Lock()
	defer f.declared.mu.Unlock()
	if c, known := f.declared.classes[export]; known {
		return c
	}
	c := &declaring{properties: map[string]Declared{}}
	if f.declared.classes == nil {
		f.declared.classes = map[int]*declaring{}
	}
	f.declared.classes[export] = c
	class, err := As[unreal.Class](f, export)
	if class == nil || err != nil {
		return c
	}
	list, _ := f.Children(class.Children)
	for _, d := range list {
		if d.Property() != nil {
			c.properties[strings.ToLower(d.Name())] = d
		}
	}
	c.above, c.at = f.Resolve(class.Super)
	return c
}

// FullPath returns the path of an object with its package before it, as the engine names objects.
func (f *File) FullPath(r unreal.Ref) string {
	path, err := f.Path(r)
	if err != nil {
		path = f.ObjectName(r)
	}
	if name := f.OwnName(); r > 0 && name != "" {
		path = name + "." + path
	}
	return path
}

// OwnName returns the name of the package, which its file has; "" where nobody knows it.
func (f *File) OwnName() string {
	if f.Env == nil {
		return ""
	}
	name := f.Env.Name[strings.LastIndexAny(f.Env.Name, `/\`)+1:]
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	return name
}

// NativeName returns the name of the native function that byte code calls by a number. Those with numbers are in Core and
// Engine, where these are at hand; "" for others.
func (f *File) NativeName(n int) string {
	f.naming.Do(func() {
		f.natives = map[int]string{}
		for _, name := range []string{"Core", "Engine"} {
			at := f
			if !strings.EqualFold(f.OwnName(), name) {
				at = f.Other(name)
			}
			if at != nil {
				at.addNatives(f.natives)
			}
		}
	})
	return f.natives[n]
}

// addNatives adds the names of the native functions that the package declares, by their numbers.
func (f *File) addNatives(names map[int]string) {
	for i := range f.Exports {
		if f.Layout(i) != "Function" {
			continue
		}
		if x, err := As[unreal.Function](f, i); err == nil && x != nil && x.Native != 0 {
			names[int(x.Native)] = f.Name(x.FriendlyName)
		}
	}
}
