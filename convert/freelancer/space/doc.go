// Package space converts between the game's transforms and those of scenes, and compares them. Coordinates are the same in
// both: right-handed with +Y up in metres. Only texture coordinates differ, since the first stored row of a picture is its
// lowest one (reference section 4).
package space
