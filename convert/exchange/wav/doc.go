// Package wav turns sounds into WAV files and back: PCM of 8, 16, 24 and 32 bits, IEEE floats, loops ("smpl"), named
// positions ("cue " and the labels of "LIST adtl"), and all other chunks as they are.
//
// Of files of another codec, such as MP3 in WAV, Decode keeps the whole file in Sound.Stored with the encoding "wav", and
// Encode writes that back. Decoded makes samples of MP3.
package wav
