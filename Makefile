# The front door; the house itself is built by Meson in $(BUILD).
#   make run ARGS="--max-size 64M"     make test     make bench     make install PREFIX=/usr/local
BUILD ?= build
PREFIX ?= /usr/local
MESON_OPTIONS ?=
DESTDIR ?=

# Remembered in the build folder: what differs from it is set anew.
export ASKED := --prefix=$(PREFIX) $(MESON_OPTIONS)

.PHONY: all run test test-all golden bench repeat accuracy accuracy-real samples documents check format install setup ci-deps clean
all: build

# Meson finds out itself when its own files change; here only the first set-up is decided. The
# standard output is left to the answer: make -s run ARGS=--json
$(BUILD)/build.ninja: | setup
	@said=$$(meson setup $(BUILD) $(ASKED) 2>&1) || { printf '%s\n' "$$said" >&2; exit 1; }
	@printf '%s\n' "$$ASKED" >$(BUILD)/asked

.PHONY: configured build
configured: $(BUILD)/build.ninja
	@printf '%s\n' "$$ASKED" | cmp -s - $(BUILD)/asked || { meson configure $(BUILD) $(ASKED) >&2 && \
		printf '%s\n' "$$ASKED" >$(BUILD)/asked; }

build: configured
	@ninja -C $(BUILD) $$([ -t 2 ] || echo --quiet) >&2

setup:
	@BUILD=$(BUILD) tools/setup

ci-deps:
	@BUILD=$(BUILD) tools/setup --ci

# One file without shared libraries, for this ISA or ISA=aarch64, riscv64.
.PHONY: static
static: configured
	@BUILD=$(BUILD) tools/setup --static $(ISA)
	@tools/static $(BUILD) $(ISA)

# The command alone, which waits until what built it has ended.
run: configured
	@ninja -C $(BUILD) -n cli/fathom | grep -q 'no work to do' || { \
		echo 'run: building the command, about a minute the first time' >&2; \
		ninja -C $(BUILD) --quiet cli/fathom >&2; }
	@$(BUILD)/cli/fathom $(or $(ARGS),--quick)

# At most 150 s on two cores. test-all adds what is slow: builds with sanitizers, fuzzers, other
# ISAs, a browser, long simulations.
test: build
	@tools/test-summary.py $(BUILD) --no-suite slow

test-all: build
	@tools/test-summary.py $(BUILD)

# Five minutes for each fuzz target, a quarter of an hour on two cores; make fuzz SECONDS=60
.PHONY: fuzz
fuzz: build
	@FUZZ_SECONDS=$(or $(SECONDS),300) tools/test-summary.py $(BUILD) fuzz

# What needs no measurement: layers, headers, exported symbols, format.
check: build
	@tools/test-summary.py $(BUILD) --suite house

# Writes what the test `golden` expects anew, of what is printed now: review the diff.
golden: build
	@ninja -C $(BUILD) --quiet golden

bench: build
	@ninja -C $(BUILD) --quiet bench

# Ten sweeps in each of four states, quiet and disturbed, in 15 minutes; writes
# docs/repeatability.md. To try it: make repeat ARGS="--sweeps 2 --budget 3s --pairs 1"
repeat: build
	@REPEAT_ARGS="$(ARGS)" ninja -C $(BUILD) --quiet repeat

# An hour on two idle cores, half of it for traces of simulated machines; writes docs/accuracy.md and the
# pages beside it.
accuracy: build
	@status=0; for part in _fleet _cores _loaded _distribution _predict "" _lanes _clock _compare _pages; do \
		ninja -C $(BUILD) --quiet accuracy$${part}_report || status=1; done; exit $$status

# What data structures take here, beside what is predicted of surveys made in between, in 13 minutes;
# writes docs/predict-check.md. To try it: make predict-check ARGS="--max-size 4M --survey 15 --seconds 30"
.PHONY: predict-check
predict-check: build
	@PREDICT_CHECK_ARGS="$(ARGS)" ninja -C $(BUILD) --quiet predict_check

# The part of docs/accuracy.md that is of real machines: a few minutes.
accuracy-real: build
	@ninja -C $(BUILD) --quiet accuracy_real_report

# All that docs/textbook.md shows, on this machine, in less than four minutes, as one page.
textbook: configured
	@ninja -C $(BUILD) --quiet cli/fathom >&2
	@tools/textbook.py $(BUILD)/cli/fathom . $(BUILD)/textbook

# What fathom makes of the committed documents, into README.md and docs/.
samples: build
	@tools/samples.py $(BUILD)/cli/fathom .

# The schema and the list of fields, from the table in src/document/.
documents: build
	@$(BUILD)/tools/describe schema >docs/fathom-1.schema.json
	@$(BUILD)/tools/describe fleet-schema >docs/fathom-fleet-1.schema.json
	@$(BUILD)/tools/describe reference >docs/document.md

format:
	@clang-format -i $$(find include src cli bench examples tests -name '*.[ch]')

install: build
	@DESTDIR=$(DESTDIR) meson install -C $(BUILD) --no-rebuild

clean:
	@rm -rf $(BUILD)
