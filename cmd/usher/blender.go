package main

import (
	"archive/zip"
	"bytes"
	"context"
	"embed"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
)

// addOn is Blender's add-on, as it lies in the zip.
//
//go:embed blender/*.py blender/*.toml
var addOn embed.FS

// addOnFolder is what the zip holds: the name of the add-on's Python package.
const addOnFolder = "usher_io"

func blenderCommand() *cli.Command {
	return &cli.Command{
		Name:      "blender",
		Usage:     "write the add-on for Blender",
		ArgsUsage: "-o usher-blender.zip",
		Description: "Install it in Blender 3.4 or later with Edit, Preferences, Add-ons, Install from file. Models of all four families are in " +
			"File, Import and File, Export then, also those inside of archives; the add-on calls this program, which it looks for on the PATH " +
			"or where its preferences say.",
		Flags:  append([]cli.Flag{outputFlag("write to `FILE`, a .zip")}, writeFlags()...),
		Action: runBlender,
	}
}

func runBlender(c *cli.Context) error {
	out := c.String("output")
	if c.NArg() > 0 || !strings.EqualFold(filepath.Ext(out), ".zip") {
		return usagef("blender needs a file for the add-on: -o usher-blender.zip")
	}
	content, err := zipAddOn()
	if err != nil {
		return err
	}
	files := []format.File{{Name: filepath.Base(out), Content: content}}
	p := newPrinter(c)
	if c.Bool("dry-run") {
		if _, err := store.Plan(disk.Dry(filepath.Dir(out), c.Bool("force")), files); err != nil {
			return err
		}
		p.line("would write %s (%s)", out, byteCount(int64(len(content))))
		return nil
	}
	folder, err := disk.Open(filepath.Dir(out), c.Bool("force"))
	if err != nil {
		return err
	}
	defer folder.Close()
	if _, err := store.WriteFiles(context.WithoutCancel(c.Context), folder, files); err != nil {
		return err
	}
	p.line("%s (%s): in Blender, Edit > Preferences > Add-ons > Install from file", out, byteCount(int64(len(content))))
	return nil
}

// zipAddOn makes the zip; the same usher makes the same bytes.
func zipAddOn() ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	err := fs.WalkDir(addOn, "blender", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := addOn.ReadFile(name)
		if err != nil {
			return err
		}
		head := &zip.FileHeader{Name: path.Join(addOnFolder, path.Base(name)), Method: zip.Deflate, Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
		to, err := w.CreateHeader(head)
		if err != nil {
			return err
		}
		_, err = to.Write(content)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
