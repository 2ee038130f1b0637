// Package unreal describes packages of Unreal Engine 1, versions 60 to 69 (Unreal, Unreal Tournament, Deus Ex and their
// mods): the container with its tables ([Package]), and the objects in it by class. Section numbers in comments are those
// of the format reference of the project.
//
// The data of an object contains indices into the tables of its package and absolute file positions, so it can only be read
// and written with a [Context]. All numbers are little-endian. Lengths are in the engine's units, which have no official
// definition; about 52.5 make a metre (reference section 11.9). A full turn is 65,536.
package unreal
