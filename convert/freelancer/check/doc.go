// Package check tells what Freelancer would stumble over: files that INI records name and that are not there, materials and
// textures that no library has, and what records want of a model that it lacks.
package check
