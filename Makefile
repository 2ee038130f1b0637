GO ?= go
FUZZTIME ?= 20s
N ?= 60
SEED ?= 1
OUT := $(CURDIR)/out
# "usher man" writes its own pages: urfave/cli need not bring a Markdown parser along.
TAGS := urfave_cli_no_docs
PROGRAM ?= usher

SITE ?= out/web

.PHONY: web formats api show pictures browser build test check fuzz race seeds staticcheck faults calls mutants bench lint corpus validate validated edits trees engine wine release release-check image reproducible clean

build: ## the program, ./usher; without cgo, as releases are: with it every start takes a millisecond more
	CGO_ENABLED=0 $(GO) build -trimpath -tags "$(TAGS)" -o $(PROGRAM) ./cmd/usher

web: ## the desk as a folder for any web server, with nothing to install: SITE=folder; its download is bounded
	@test ! -e "$(SITE)" || test -e "$(SITE)/parts.js" || { echo "$(SITE) is something else"; exit 1; }
	rm -rf "$(SITE)" && mkdir -p "$(SITE)" && touch "$(SITE)/parts.js" # so that one that was interrupted is known again
	cp cmd/usher/view/page/* cmd/usher/web/site/* "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" "$(SITE)"
	rm "$(SITE)/static.js"
	sed -f cmd/usher/web/index.sed cmd/usher/view/page/index.html > "$(SITE)/index.html"
	GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags "-s -w" -o "$(SITE)/usher.wasm" ./cmd/usher/web
	@test $$(gzip -9c "$(SITE)/usher.wasm" | wc -c) -le 8000000 || { echo "usher.wasm is too large: 8 MB packed by gzip are the most"; exit 1; }
	@cd "$(SITE)" && rm parts.js && files=$$(ls) && version=$$(cat $$files | cksum | tr ' ' -) && \
	  printf 'self.usherParts = {version: "%s", files: [%s]};\n' "$$version" "$$(printf '"%s",' $$files | sed 's/"service.js",//')" > parts.js

formats: ## the references of the formats as pages beside the desk, in SITE/formats
	$(GO) run ./cmd/usher formats --docs -o "$(SITE)/formats" --force testdata/freelancer/* testdata/ultimate3d/* testdata/unreal/* testdata/ultima9/*

api: ## lists what other programs can use, in testdata/api.txt; a test holds the packages to it
	USHER_UPDATE=1 $(GO) test -count=1 -run '^TestAPI$$' ./convert

test: ## every test; what needs the corpus is skipped with a reason where it is absent
	$(GO) test ./...

check: ## formatting and vet
	@test -z "$$(gofmt -l cmd convert read write schema testdata)" || { gofmt -l cmd convert read write schema testdata; exit 1; }
	$(GO) vet ./... ./testdata/corpus ./testdata/flread ./testdata/seams ./testdata/edits ./testdata/geometry ./testdata/faults ./testdata/faults/calls ./testdata/mutants ./testdata/damage ./testdata/made ./testdata/sculpt ./testdata/u9

lint: ## the linters of .golangci.yml; builds them the first time
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run

fuzz: ## every fuzz target for FUZZTIME
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

race: ## the race detector over what works in parallel
	$(GO) test -race -run 'Session|Record|Table|Faults|Pack|Unpack|Lock|Stream|Order|Comparer|Against' ./convert/work/batch ./convert/work/worktree ./convert/work/compare ./convert/disk

seeds: ## every fuzz target on a few inputs made of its seeds
	.ci/seeds

staticcheck: ## the linter of the same name
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.7.0 ./...

faults: build ## kills, full disks and injected errors, every system call of every verb that writes; hours
	testdata/faults/run.sh
	$(GO) run ./testdata/faults/calls -program $(abspath $(PROGRAM))

calls: ## a sample of the system calls that "make faults" makes fail; a minute, needs strace; SEED=7 takes another one
	CGO_ENABLED=0 $(GO) build -tags "$(TAGS)" -o $(PROGRAM) ./cmd/usher # without -trimpath: what the tests have compiled serves
	$(GO) run ./testdata/faults/calls -program $(abspath $(PROGRAM)) -time 45s -seed $(SEED)

mutants: ## what the tests of readers, writers and scenes do not notice, without the corpus: a table; PKG=./read/unreal N=0 for all of one
	ulimit -v 8000000; $(GO) run ./testdata/mutants -n $(N) -seed $(SEED) -tests "$(TESTS)" $(PKG)

bench: ## every benchmark
	$(GO) test -run '^$$' -bench . -benchmem ./...

corpus: build ## read, write and compare every corpus file; malformed ones are refused, so the status is 1
	./usher verify $${USHER_CORPUS:-../shared/corpus}

browser: ## the page of usher view in Chromium, and its types where Node is there; a module of its own
	@if command -v npm >/dev/null 2>&1; then cd testdata/browser && npm ci --silent --no-audit --no-fund; fi
	cd testdata/browser && $(GO) vet -mod=mod . && $(GO) test -mod=mod -count=1 -timeout 30m .
	@if command -v npm >/dev/null 2>&1; then $(GO) test -count=1 -run 'TestTypes|TestPageCounts' ./cmd/usher/view; fi

show: ## makes the models of testdata/show anew; a test holds the files to what makes them
	USHER_UPDATE=1 $(GO) test -count=1 -run '^TestShow$$' ./convert

pictures: build ## the pictures of the documents anew, in docs/pictures; needs Chromium
	cd testdata/browser && USHER_PROGRAM=$(abspath $(PROGRAM)) USHER_SHOTS=$(CURDIR)/docs/pictures $(GO) test -mod=mod -count=1 -run '^TestShots$$' .

validate: ## the Khronos validator over every glTF file that the tests write; needs Node
	rm -rf $(OUT)/gltf && mkdir -p $(OUT)/gltf
	USHER_OUT=$(OUT)/gltf $(GO) test -count=1 ./convert/...
	$(MAKE) validated

validated: ## the same over what the tests have written already, to out/gltf
	cd testdata/validator && npm ci --silent --no-audit --no-fund && node validate.js $(OUT)/gltf

edits: ## every edit of every model of the corpus, and what editors make of them; needs Node and Blender, takes an hour
	cd testdata/editors && npm ci --silent --no-audit --no-fund
	USHER_ALL=1 $(GO) test -count=1 -timeout 3h -run '^(TestEdits|TestEditors|TestBlender)$$' -v ./convert

trees: ## models of a whole game: TREE=folder, SAMPLE=200 of them by chance, SEED=7; needs Blender
	USHER_TREE=$(TREE) USHER_SAMPLE=$(SAMPLE) USHER_SEED=$(SEED) $(GO) test -count=1 -timeout 6h -run '^TestTree' -v ./convert

engine: ## the games' own engines load what the tests write: JUDGES, TREE, DLL and EXE as testdata/engine.sh says, N=100 of each, SEED=7
	JUDGES=$(JUDGES) TREE=$(TREE) DLL=$(DLL) EXE=$(EXE) N=$(N) SEED=$(SEED) testdata/engine.sh

wine: ## the Windows build under Wine: the scripts of the command line, and what is Windows' own
	testdata/wine/run.sh

comma := ,
GORELEASER := $(GO) run github.com/goreleaser/goreleaser/v2@v2.15.4
release: ## what a tag releases
	$(GORELEASER) release --clean

release-check: ## the same without a tag, and without publishing: everything lies in dist; lists of modules where cyclonedx-gomod is
	$(GORELEASER) check
	AUR_KEY= $(GORELEASER) release --clean --snapshot --skip=publish$(if $(shell command -v cyclonedx-gomod),,$(comma)sbom)

KO := $(GO) run github.com/google/ko@v0.18.1
IMAGE ?= ghcr.io/usher-assets/usher
TAG ?= latest
image: ## the program as a container image for both kinds of processor, pushed to IMAGE under TAG and latest
	KO_DOCKER_REPO=$(IMAGE) $(KO) build --bare --tags $(TAG),latest --sbom spdx ./cmd/usher

reproducible: ## the same source gives the same program, wherever it lies
	testdata/release/same.sh

clean:
	rm -rf usher dist dist-extra $(OUT)
