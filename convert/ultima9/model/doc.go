// Package model lifts and lowers models ([Sappear]), models in the older layout ([Indexed]) and animations ([Anim]).
package model
