// Package world lifts and lowers maps: the terrain ([Terrain], [Heights]), and the objects on it with the models that they
// show ([LiftObjects], [LowerObjects]).
package world
