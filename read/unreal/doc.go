// Package unreal reads packages of Unreal Engine 1, and the objects in them, into the types of schema/unreal. [Package]
// reads the tables of a package and leaves its objects in the file. Each class has a function that reads the payload of an
// object, such as [Texture], given the object's context; [Object] reads an object of any class:
//
//	p, err := read.Package(file, size, nil)
//	b, err := p.Payload(i)
//	x, err := read.Object(b, p.Context(i), nil)
package unreal
