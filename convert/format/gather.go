package format

import "github.com/usher-assets/usher/schema/asset"

// Gathered is one of several assets of which one file is made.
type Gathered struct {
	Asset asset.Asset
	Env   *Env // of its own input
}
