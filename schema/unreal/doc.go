// Package unreal describes packages of Unreal Engine 1, versions 60 to 69 (Unreal, Unreal Tournament, Deus Ex and
// their mods): the container with its tables, and the objects in it by class. Section numbers in comments are those of
// the format reference of the project.
//
// Object data holds indices into the tables of its package and absolute file positions, so an object's bytes mean
// nothing without a [Context].
package unreal
