// Package texture converts the pictures of texture libraries: [Lift] decodes one, [New] and [Update] store one. It also
// decides in which encoding a picture is stored.
package texture
