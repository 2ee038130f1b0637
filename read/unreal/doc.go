// Package unreal reads packages of Unreal Engine 1 and the objects in them into the types of schema/unreal.
// [Package] reads a package's tables and leaves its objects in the file; what an object holds is read by the function of its
// class, such as [Texture], in the context of its package.
package unreal
