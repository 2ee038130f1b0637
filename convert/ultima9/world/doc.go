// Package world lifts and lowers maps: terrain, and the objects on it with the models that they show.
package world
