# mote. "make help" lists the targets; CMake and Ninja do the work.
PREFIX       ?= /usr/local
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 3600
# The shell leaves PREFIX=~/mote to us.
override PREFIX := $(abspath $(patsubst ~/%,$(HOME)/%,$(PREFIX)))

CMAKE   = cmake -G Ninja -S . -B
# CMake removes what a changed setting no longer builds, so a folder that is there keeps its own.
# Ninja itself configures again when a library has come or gone: see cmake/parts.cmake.
LIGHT   = test -f build/build.ninja || $(CMAKE) build -DMOTE_TESTS=OFF -DMOTE_DOUBLE_TOO=OFF
LIBRARY = mote mote-shared mote-static mote-double mote-double-shared mote-double-static

.PHONY: all demo test test-all test-gcc test-clang test-asan test-tsan test-fuzz test-scenes bench validate fuzz soak install \
        wheel deb static dist playground docs site blender format format-check deps deps-test clean help

all: ## build both libraries, both programs and the tests, in build/ (default)
	@scripts/install-deps.sh --say all
	$(CMAKE) build -DMOTE_TESTS=ON -DMOTE_DOUBLE_TOO=ON
	ninja -C build

demo: ## install what is missing, build, and make a picture and a video in out/demo
	@scripts/install-deps.sh demo
	@$(LIGHT)
	@ninja -C build mote
	build/mote run -o out/demo --force
	@echo "Look at out/demo/video.mp4, or at the pictures in out/demo/images. What comes next: build/mote"

test: ## the test suite: gcc, clang with the sanitizers, and a short fuzzing
	@scripts/install-deps.sh test
	@scripts/test.sh gcc asan tsan fuzz

test-all: ## the same at length: clang's own optimisations too, many more random cases, large clients of our files
	@scripts/install-deps.sh test-all
	@scripts/npm-clients.sh build/clients
	@MOTE_CASES=20 MOTE_LONG=1 scripts/test.sh gcc clang-double asan tsan fuzz

test-gcc test-clang test-asan test-tsan test-fuzz: test-%: ## one part of it
	@scripts/install-deps.sh test
	@scripts/test.sh $*

test-scenes: ## every scene to its end: energy and speed stay near tests/data/scenes.txt (minutes)
	@scripts/install-deps.sh test
	@$(LIGHT)
	@$(CMAKE) build -DMOTE_TESTS=ON >build/configure.log
	@ninja -C build scene-endings
	@MOTE_LONG=1 build/tests/scene/scene-endings

bench: ## speed in both precisions, for every instruction set of this machine
	@scripts/install-deps.sh demo
	@$(LIGHT)
	@$(CMAKE) build -DMOTE_DOUBLE_TOO=ON >build/configure.log
	@ninja -C build mote mote-double
	@scripts/bench.sh

validate: ## fluids beside experiments and exact solutions, into out/validation (an hour or more)
	@scripts/install-deps.sh demo
	@$(LIGHT)
	@ninja -C build mote
	build/mote study validation -o out/validation

fuzz: ## every fuzz target for FUZZ_SECONDS each
	@scripts/install-deps.sh fuzz
	@$(CMAKE) build-asan -DCMAKE_C_COMPILER=clang -DMOTE_FUZZ=ON -DMOTE_DOUBLE_TOO=OFF \
	    -DMOTE_SANITIZE=address,undefined
	@ninja -C build-asan tests/fuzz/all
	@scripts/fuzz.sh build-asan $(FUZZ_SECONDS)

soak: ## a fountain and a stirred tank for SOAK_SECONDS: fails when memory or time grows
	@scripts/install-deps.sh test
	@$(LIGHT)
	@ninja -C build mote
	@scripts/soak.py build/mote $(SOAK_SECONDS) out/soak

install: ## programs, manual pages, completions, libraries, headers to PREFIX (and DESTDIR)
	@scripts/install-deps.sh --say all
	@$(LIGHT)
	$(CMAKE) build -DMOTE_DOUBLE_TOO=ON -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	ninja -C build $(LIBRARY)
	cmake --install build
	@echo "Installed. Start with: $(DESTDIR)$(PREFIX)/bin/mote"

wheel: ## the Python package with both libraries inside, for pip: build-wheel/mote-*.whl
	@scripts/install-deps.sh --say all
	@$(CMAKE) build-wheel -DMOTE_TESTS=OFF -DMOTE_DOUBLE_TOO=ON -DMOTE_OPTIONAL=OFF
	@ninja -C build-wheel mote-shared mote-double-shared mote-python
	@scripts/wheel.py build-wheel build-wheel

deb: ## a Debian package of everything: build-deb/mote_*.deb
	@scripts/install-deps.sh --say all
	@$(CMAKE) build-deb -DMOTE_TESTS=OFF -DMOTE_DOUBLE_TOO=ON -DCMAKE_INSTALL_PREFIX=/usr
	@ninja -C build-deb $(LIBRARY) mote-python
	@scripts/deb.sh build-deb build-deb

static: ## the program as one file that runs on any Linux, by musl-gcc: build-static/mote
	@scripts/static.sh build-static
	@ls -l build-static/mote

dist: ## the release archive of this commit, the same bytes whenever it is made: build/mote-*.tar.gz
	@scripts/dist.sh build

playground: ## mote in a page, without an installation: build-playground/site, for any file server
	@scripts/install-deps.sh playground
	@scripts/playground.sh build-playground
	@echo "Look at it with: python3 -m http.server --bind 127.0.0.1 --directory build-playground/site"

docs: ## the reference of the C interface, from the headers: build/api/index.md
	@scripts/api-docs.py include build/api
	@echo "Start with build/api/index.md"

site: ## the documentation as HTML, in build/site; a link that leads nowhere is an error
	@scripts/site.py build/site
	@echo "Start with build/site/index.html"

blender: ## the Blender add-on: build/mote-blender.zip
	@scripts/blender-zip.py build/mote-blender.zip

format: ## format all C files
	@scripts/format.sh

format-check: ## say which are not formatted
	@scripts/format.sh --check

deps: ## install the packages for all that the programs can do, ray tracing too
	@scripts/install-deps.sh all

deps-test: ## install the packages for the tests too
	@scripts/install-deps.sh test

clean: ## remove all build folders and the demo's output
	rm -rf build build-clang build-asan build-tsan build-wheel build-deb build-static build-playground out/demo

help: ## this list
	@sed -n 's/^\([a-z][a-z -]*\):.*## \(.*\)/\1\t\2/p' Makefile | \
	    while IFS="$$(printf '\t')" read -r name text; do printf '  %-44s %s\n' "make $$name" "$$text"; done
