// Package unreal describes packages of Unreal Engine 1, versions 60 to 69 (Unreal, Unreal Tournament, Deus Ex and
// their mods): the container with its tables, and the objects in it by class. Section numbers in comments are those of
// the format reference of the project.
//
// Object data holds indices into the tables of its package and absolute file positions, so an object's bytes mean
// nothing without a [Context]. All numbers are little-endian. Lengths are units of the engine, of which nobody says
// what they are; about 52.5 make a metre (reference section 11.9). A turn has 65,536 parts.
package unreal
