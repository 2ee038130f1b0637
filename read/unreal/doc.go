// Package unreal reads packages of Unreal Engine 1 and the objects in them into the types of schema/unreal.
package unreal
