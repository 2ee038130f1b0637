// Package wav converts between sounds and WAV files: PCM of 8, 16, 24 and 32 bits, IEEE floats, loops ("smpl"), named
// positions ("cue " and the labels of "LIST adtl"). All other chunks are kept as they are.
//
// If a WAV file has another codec, such as MP3, Decode keeps the whole file in Sound.Stored with the encoding "wav", and
// Encode writes that file again. [Decoded] decodes G.711 and ADPCM; package mp3 decodes MP3.
package wav
