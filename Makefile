# SPDX-License-Identifier: Apache-2.0
#
# The front door. `make` prints the manual below; CI calls the same targets.

BUILD   ?= build
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)
SCENARIO ?= wrr_v3_randread
ARGS    ?=
REPORTS  = $(BUILD)/reports
# Show the build's progress the first time, nothing but errors later.
QUIET    = $(if $(wildcard $(BUILD)/bin/nvmearb),-- --quiet)
NINJA    = cmake --build $(BUILD) --parallel $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help deps build run test conformance soak host-soak lint format fast bench synth netlist-test formal \
  mutate waves experiments report-test install docs sanitize fuzz coverage clean \
  deps-build deps-test

define MANUAL
nvmearb: the NVMe submission-queue arbiter in SystemVerilog, with the host that makes it matter

  make run                    replay the published WRR experiment (P4510, 4K random read) on the
                              RTL and print its table beside the published one
  make run SCENARIO=NAME      another scenario; names: build/bin/nvmearb list
  make run ARGS="--engine model --json out.json"
                              options for the program; see build/bin/nvmearb run --help
  make run ARGS="--variant wrr --trace wrr.fst --trace-window 5ms..5.1ms"
                              waves of the RTL for GTKWave, with a save file beside them
  make build                  the simulator alone: build/bin/nvmearb
  make install PREFIX=/usr/local
                              programs, scenarios, man page, bash completion, and libraries for
                              find_package(nvmearb): docs/library.md; DESTDIR=... for packagers
  make test                   every test; JUnit in build/reports/tests.xml
  make test ARGS="-R arbiter" only the test programs whose name matches (ctest options)
  make conformance            the 114 conformance checks by ID, on every build of the RTL
                              -> build/reports/conformance.json; table: docs/conformance.md
  make soak                   10^9 random grants, judged one by one; ARGS="--seed 400 --minutes 60";
                              ENGINE=full_rate: of that engine -> build/reports/soak.json, soak_full_rate.json
  make host-soak              10^7 I/Os through random set-ups of the whole host: scheduler, queues,
                              arbitration, paths, faults; ARGS="--seed 490", "--engine rtl"
                              -> build/reports/host_soak.json
  make fast                   build/fast/bin/nvmearb: the same program, profile-guided, a third
                              faster; for long runs (builds twice, some minutes)
  make bench                  speed: I/O per wall second, instructions per I/O, peak memory,
                              of the plain and the fast build; the RTL's latency and throughput in
                              clocks
                              -> build/reports/bench.json
  make experiments            runs every scenario and writes docs/experiments.md, measured beside
                              published (minutes); ARGS="NAME..." only these
  make synth                  LUTs, flip-flops, block RAMs and MHz on two FPGAs; the unit tests of
                              the core on its netlist -> docs/synthesis.md,
                              build/reports/synth.json; ARGS="--top nvmearb_core --n 64 --path"
  make formal                 proofs with SymbiYosys (docs/formal.md) -> build/reports/formal.json;
                              ARGS="--match axil" only the runs whose name matches
  make mutate                 mutants of the RTL against tests and proofs (an hour or more; goes on
                              where it was cut short) -> build/reports/mutation.json, docs/mutation.md;
                              ARGS="--files fr_ring" of those files, "--again" survivors again
  make coverage               lines, branches, toggles and covers of the RTL over all tests, functional
                              coverage, C++ lines, and the verification plan joined with them
                              -> build/coverage/index.html, build/reports/coverage.json
  make report-test            the pages of --html in a headless Chromium; screenshots in
                              build/reports/screens
  make lint                   RTL in two Verilators, slang, Verible and Icarus; C++ with
                              clang-format and clang-tidy; Python with ruff; shell scripts
  make sanitize               the C++ tests with clang's address and undefined-behaviour
                              sanitizers (no part of the product has threads)
  make fuzz                   libFuzzer on scenarios, fio files and command lines, and every trace
                              format, 10,000 inputs each; RUNS=1000000 for the long form
  make docs                   the pages as a site: build/site/index.html; checks links, and that
                              docs/experiments.md expects what the scenarios do (its figures:
                              make experiments)
  make waves                  draws the timing diagrams of docs/integration.md from a simulation
  make format                 rewrites the C++ with clang-format
  make deps                   installs all Debian packages that the other targets need
  make clean                  removes build/

Each target installs the packages it misses (Debian 12; as root or with sudo, otherwise it prints
the command to run). Variables: BUILD=folder, JOBS=n, SCENARIO=name, ARGS=...
endef
export MANUAL

help:
	@echo "$$MANUAL"

deps:
	@tools/deps.sh build test bench synth formal lint

# Configures once; CMake re-runs by itself when its own files change.
$(BUILD)/build.ninja:
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_ARGS)

deps-build:
	@tools/deps.sh build

deps-test:
	@tools/deps.sh build test formal
	@tools/venv.sh $(BUILD)/venv/formal tools/formal/requirements.txt || \
	  echo "the Python packages for proofs are out of reach: their quick subset is left out"

build: deps-build
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@$(NINJA) --target nvmearb --target nvmearb-trace --target nvmearb_manual

run: deps-build
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@$(NINJA) --target nvmearb $(if $(findstring --trace,$(ARGS)),--target nvmearb-trace) $(QUIET)
	@$(BUILD)/bin/nvmearb run $(SCENARIO) $(ARGS)

install: build
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX) >$(BUILD)/install.log || \
	  { cat $(BUILD)/install.log; exit 1; }

test: deps-test
	@mkdir -p $(REPORTS)
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_ARGS) >$(REPORTS)/configure.log || \
	  { cat $(REPORTS)/configure.log; exit 1; }
	@$(NINJA)
	@tools/run_tests.py --build $(BUILD) --jobs $(JOBS) -- $(ARGS)

conformance: deps-test
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@$(NINJA) --target conformance_sweep_test
	@tools/conformance.py run --program $(BUILD)/bin/conformance_sweep_test \
	  --output $(REPORTS)/conformance.json

SOAK = $(if $(ENGINE:compact=),soak_$(ENGINE),soak)
soak: deps-test
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@$(NINJA) --target $(SOAK)
	@mkdir -p $(REPORTS)
	@$(BUILD)/bin/$(SOAK) --json $(REPORTS)/$(SOAK).json $(ARGS)

host-soak: deps-test
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@$(NINJA) --target host_soak
	@mkdir -p $(REPORTS)
	@$(BUILD)/bin/host_soak --json $(REPORTS)/host_soak.json $(ARGS)

# A profile of both engines, and then the build that it guides (decision 0080).
fast: deps-build
	@tools/fast_build.sh $(BUILD)/fast $(JOBS) $(CMAKE_ARGS)

bench: deps-build
	@tools/deps.sh bench
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@$(NINJA) --target nvmearb --target clock_figures $(QUIET)
	@$(MAKE) -s --no-print-directory fast
	@mkdir -p $(REPORTS)
	@tools/bench.py --nvmearb $(BUILD)/bin/nvmearb --fast $(BUILD)/fast/bin/nvmearb \
	  --clock-figures $(BUILD)/bin/clock_figures --output $(REPORTS)/bench.json

experiments: deps-build
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@$(NINJA) --target nvmearb $(QUIET)
	@tools/experiments.py --nvmearb $(BUILD)/bin/nvmearb --jobs $(JOBS) run $(ARGS)

synth:
	@tools/deps.sh synth
	@tools/venv.sh $(BUILD)/venv/synth tools/synth/requirements.txt
	@$(BUILD)/venv/synth/bin/python tools/synth/synth.py --jobs $(JOBS) --cache $(BUILD)/synth \
	  --json $(REPORTS)/synth.json --docs docs/synthesis.md $(ARGS)
	@$(if $(ARGS),,$(MAKE) -s --no-print-directory netlist-test)

# The unit tests of the core on its netlists; ARGS="--engine full_rate --n 16" of one alone.
netlist-test:
	@tools/deps.sh build test synth
	@tools/venv.sh $(BUILD)/venv/synth tools/synth/requirements.txt
	@$(BUILD)/venv/synth/bin/python tools/synth/netlist.py $(BUILD)/synth/netlist --cache $(BUILD)/synth $(ARGS)
	@cmake -S . -B $(BUILD)/netlist -G Ninja $(CMAKE_ARGS) \
	  -DNVMEARB_NETLIST_FOLDER=$(abspath $(BUILD))/synth/netlist >$(BUILD)/netlist.log || \
	  { cat $(BUILD)/netlist.log; exit 1; }
	@cmake --build $(BUILD)/netlist --parallel $(JOBS) --target netlist_tests -- --quiet
	@ctest --test-dir $(BUILD)/netlist -R '^netlist_' --output-on-failure --no-tests=error

formal:
	@tools/deps.sh formal
	@tools/venv.sh $(BUILD)/venv/formal tools/formal/requirements.txt
	@$(BUILD)/venv/formal/bin/python tools/formal/formal.py --jobs $(JOBS) --work $(BUILD)/formal \
	  --json $(REPORTS)/formal.json $(ARGS)

mutate: deps-test
	@tools/venv.sh $(BUILD)/venv/mutate tools/mutate/requirements.txt
	@$(BUILD)/venv/mutate/bin/python tools/mutate/mutate_test.py
	@$(BUILD)/venv/mutate/bin/python tools/mutate/mutate.py --jobs $(JOBS) --work $(BUILD)/mutate \
	  --json $(REPORTS)/mutation.json --proofs $(if $(ARGS),,--docs docs/mutation.md) $(ARGS)

report-test: build
	@tools/deps.sh report
	@tools/report_test.py $(BUILD)/bin/nvmearb $(REPORTS)/screens

lint:
	@tools/deps.sh build lint
	@BUILD=$(BUILD) tools/lint.sh

# The report is written also when a test failed.
coverage:
	@tools/deps.sh build test coverage
	@tools/venv.sh $(BUILD)/venv/coverage tools/coverage/requirements.txt
	@status=0; tools/coverage/run.sh $(BUILD)/cov $(JOBS) $(CMAKE_ARGS) || status=1; \
	  $(BUILD)/venv/coverage/bin/python tools/coverage/coverage.py report --jobs $(JOBS) \
	    --build $(BUILD)/cov --output $(BUILD)/coverage --reports $(REPORTS) && exit $$status

# One build serves both. The simulator and the tests of the RTL are not in it.
SANITIZED = $(BUILD)/sanitize
RUNS     ?= 10000
.PHONY: sanitized
sanitized:
	@tools/deps.sh build test sanitize
	@mkdir -p $(BUILD)
	@cmake -S . -B $(SANITIZED) -G Ninja -DCMAKE_CXX_COMPILER=clang++-14 \
	  -DNVMEARB_SANITIZE=fuzzer-no-link,address,undefined >$(BUILD)/sanitize.log || \
	  { cat $(BUILD)/sanitize.log; exit 1; }

sanitize: sanitized
	@cmake --build $(SANITIZED) --parallel $(JOBS) --target models/all host_driver/all \
	  scoreboard_judge_test scoreboard_judge_random_test scoreboard_playground_test \
	  scoreboard_checked_front_end_test scoreboard_event_log_test scoreboard_judge_mutation_test \
	  fuzz_corpus_test -- --quiet
	@tools/sanitize.sh $(SANITIZED)

fuzz: sanitized
	@cmake --build $(SANITIZED) --parallel $(JOBS) --target fuzz -- --quiet
	@tools/fuzz.sh $(SANITIZED) $(RUNS) $(ARGS)

docs:
	@tools/deps.sh docs
	@if [ -x $(BUILD)/bin/nvmearb ]; then \
	  tools/experiments.py --nvmearb $(BUILD)/bin/nvmearb check; \
	else \
	  echo "docs/experiments.md was not compared with the scenarios: make build, then again"; \
	fi
	@tools/venv.sh $(BUILD)/venv/docs tools/docs_requirements.txt
	@tools/docs.py $(BUILD)/docs
	@NVMEARB_DOCS_SOURCE=$(abspath $(BUILD))/docs NVMEARB_DOCS_SITE=$(abspath $(BUILD))/site \
	  $(BUILD)/venv/docs/bin/mkdocs build --strict --quiet --config-file tools/mkdocs.yml

waves:
	@tools/deps.sh build lint
	@tools/venv.sh $(BUILD)/venv/lint tools/lint_requirements.txt
	@$(BUILD)/venv/lint/bin/python tools/waves.py

format:
	@tools/deps.sh lint
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

clean:
	rm -rf $(BUILD)
