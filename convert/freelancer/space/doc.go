// Package space leads between the transforms of the game and those of scenes, and compares them. Coordinates go to the asset model
// as they are: both are right-handed with +Y up in metres. Only texture coordinates differ: the first stored row of a picture is its
// lowest one (reference section 4).
package space
