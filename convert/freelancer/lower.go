package freelancer

import (
	"github.com/usher-assets/usher/convert/format"
	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

func lowerModel(name string, s *asset.Scene, env *format.Env) (*freelancer.Tree, error) {
	return read.UTF(s.Native.Payload, nil)
}

func smallerTGA(base []byte, like *freelancer.Node) ([]byte, error) { return like.Data, nil }
