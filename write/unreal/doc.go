// Package unreal writes packages of Unreal Engine 1 and the objects in them from the types of schema/unreal.
package unreal
