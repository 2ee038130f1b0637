// Package unreal writes packages of Unreal Engine 1, and the objects in them, from the types of schema/unreal. [Package]
// writes a package; [Object] writes the payload of an object of any class.
package unreal
