// Package rig converts joints, hardpoints and cameras to nodes and back: their transforms, and their other values as custom
// properties. The properties are those of LancerEdit, so files work in either tool.
package rig
