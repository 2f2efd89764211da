# tfcheck's build. `make help` lists the targets.
#
# Variants live side by side: $(BUILD)/release, debug, asan and static each hold their own objects, generated sources,
# libtfcheck.a, programs and tests, so that no build disturbs another. Everything but src/main.c goes into the library.

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
# Empty it to build with a compiler that knows more warnings than ours: make WERROR=
WERROR ?= -Werror
# V=1 shows whole commands.
Q := $(if $(V),,@)

# The floors of src/, lowest first. Naming a few (make unit FLOORS="base source" TESTS=tests/test_base.c) builds only them.
FLOORS ?= base source value catalog syntax sema trace flow rules report cli
# Those that tools/gen_catalog.c is made of. They may not include what it generates.
GENERATOR_FLOORS := base source value catalog

TESTS ?= $(sort $(wildcard tests/test_*.c))
# What several test programs share.
TEST_SUPPORT := $(sort $(wildcard tests/support/*.c))
CHECKS ?= $(sort $(wildcard tests/check_*.sh tests/check_*.py)) tests/metamorphic.py
FUZZERS := $(filter-out tests/fuzz_driver.c,$(sort $(wildcard tests/fuzz_*.c)))

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.SUFFIXES:

# ---- flags

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wconversion $(WERROR)
# _GNU_SOURCE: memmem, memrchr and the processor mask. Vendored headers are system headers: their warnings are not ours.
OUR_FLAGS = -std=c11 -D_GNU_SOURCE $(WARNINGS) -Isrc -Itests -isystem $(TREE_SITTER)/include -MMD -MP
# Python and TOML grammars are large tables in C; they are compiled as they come.
VENDOR_FLAGS := -std=c11 -D_GNU_SOURCE -w

# The input is untrusted, so the cheap hardening stays on in what users run.
HARDENED := -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS_release := -O2 -g $(HARDENED)
FLAGS_static := $(FLAGS_release)
# A failed assertion dumps core where it happened instead of unwinding to cli/.
FLAGS_debug := -O0 -g3 -DTFCHECK_PANIC_ABORTS
FLAGS_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# tree-sitter is not free of what UBSan objects to, and not ours to mend; its memory errors would matter to us.
VENDOR_FLAGS_release := -O2 -DNDEBUG
VENDOR_FLAGS_static := $(VENDOR_FLAGS_release)
VENDOR_FLAGS_debug := -O1 -g
VENDOR_FLAGS_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=address
LINK_release := -Wl,-z,relro,-z,now
LINK_static := -static
LINK_debug :=
LINK_asan := -fsanitize=address,undefined
LIBS := -lyaml -ljansson -lpthread -lm

# ---- sources

TREE_SITTER := node_modules/tree-sitter/vendor/tree-sitter/lib
PYTHON_GRAMMAR := node_modules/tree-sitter-python/src
TOML_GRAMMAR := node_modules/@tree-sitter-grammars/tree-sitter-toml/src
VENDOR_C := $(TREE_SITTER)/src/lib.c $(PYTHON_GRAMMAR)/parser.c $(PYTHON_GRAMMAR)/scanner.c \
            $(TOML_GRAMMAR)/parser.c $(TOML_GRAMMAR)/scanner.c
VENDOR_O := vendor/tree-sitter.o vendor/python-parser.o vendor/python-scanner.o vendor/toml-parser.o vendor/toml-scanner.o

SOURCES := $(foreach floor,$(FLOORS),$(sort $(wildcard src/$(floor)/*.c)))
MAIN := $(wildcard src/main.c)
GENERATOR := $(wildcard tools/gen_catalog.c)
RULE_PAGES := rules $(wildcard rules/*/ rules/*.yaml rules/*/*.yaml)
UPPER_FLOORS := $(filter-out $(GENERATOR_FLOORS),$(FLOORS))

# ---- one variant

# $(1) is the variant. Expanded twice, so what belongs to the recipes is written with two dollars.
define VARIANT_RULES
OBJECTS_$(1) := $(SOURCES:%.c=$(BUILD)/$(1)/%.o)
GENERATOR_OBJECTS_$(1) := $$(filter $(GENERATOR_FLOORS:%=$(BUILD)/$(1)/src/%/%),$$(OBJECTS_$(1)))
VENDOR_OBJECTS_$(1) := $(VENDOR_O:%=$(BUILD)/$(1)/%)
GENERATED_$(1) := $(if $(GENERATOR),$(BUILD)/$(1)/gen/catalog_data.o)

$(BUILD)/$(1)/%.o: %.c Makefile | deps
	@mkdir -p $$(@D)
	@echo "  CC  $$@"
	$(Q)$$(CC) $$(OUR_FLAGS) -I$(BUILD)/$(1)/gen $$(FLAGS_$(1)) $$(CFLAGS) -c $$< -o $$@

$(BUILD)/$(1)/gen/catalog_data.o: $(BUILD)/$(1)/gen/catalog_data.c Makefile | deps
	@echo "  CC  $$@"
	$(Q)$$(CC) $$(OUR_FLAGS) -I$(BUILD)/$(1)/gen $$(FLAGS_$(1)) $$(CFLAGS) -c $$< -o $$@

$(BUILD)/$(1)/vendor/tree-sitter.o: $(TREE_SITTER)/src/lib.c
	@mkdir -p $$(@D)
	@echo "  CC  $$@"
	$(Q)$$(CC) $(VENDOR_FLAGS) $$(VENDOR_FLAGS_$(1)) -I$(TREE_SITTER)/src -I$(TREE_SITTER)/include -c $$< -o $$@
$(BUILD)/$(1)/vendor/python-%.o: $(PYTHON_GRAMMAR)/%.c
	@mkdir -p $$(@D)
	@echo "  CC  $$@"
	$(Q)$$(CC) $(VENDOR_FLAGS) $$(VENDOR_FLAGS_$(1)) -I$(PYTHON_GRAMMAR) -c $$< -o $$@
$(BUILD)/$(1)/vendor/toml-%.o: $(TOML_GRAMMAR)/%.c
	@mkdir -p $$(@D)
	@echo "  CC  $$@"
	$(Q)$$(CC) $(VENDOR_FLAGS) $$(VENDOR_FLAGS_$(1)) -I$(TOML_GRAMMAR) -c $$< -o $$@

$(BUILD)/$(1)/libtfcheck.a: $$(OBJECTS_$(1)) $$(GENERATED_$(1)) $$(VENDOR_OBJECTS_$(1))
	@rm -f $$@
	@echo "  AR  $$@"
	$(Q)$$(AR) rcs $$@ $$^

# An archive, so that the generator pulls in only what it calls.
$(BUILD)/$(1)/libgenerator.a: $$(GENERATOR_OBJECTS_$(1)) $$(VENDOR_OBJECTS_$(1))
	@rm -f $$@
	@echo "  AR  $$@"
	$(Q)$$(AR) rcs $$@ $$^

$(BUILD)/$(1)/gen_catalog: $(BUILD)/$(1)/tools/gen_catalog.o $(BUILD)/$(1)/libgenerator.a
	@echo "  LD  $$@"
	$(Q)$$(CC) $$(LINK_$(1)) $$(LDFLAGS) $$^ $$(LIBS) -o $$@

# Generated beside, then moved only if changed: a reworded message does not recompile every user of the ids.
$(BUILD)/$(1)/gen/stamp: $(BUILD)/$(1)/gen_catalog $(RULE_PAGES)
	@mkdir -p $(BUILD)/$(1)/gen/new
	@echo "  GEN $$@"
	$(Q)$(BUILD)/$(1)/gen_catalog rules $(BUILD)/$(1)/gen/new
	@for f in catalog_data.c catalog_ids.h; do \
	  cmp -s $(BUILD)/$(1)/gen/new/$$$$f $(BUILD)/$(1)/gen/$$$$f || cp $(BUILD)/$(1)/gen/new/$$$$f $(BUILD)/$(1)/gen/$$$$f; \
	done
	@touch $$@
$(BUILD)/$(1)/gen/catalog_data.c $(BUILD)/$(1)/gen/catalog_ids.h: $(BUILD)/$(1)/gen/stamp
	@:
ifneq ($(GENERATOR),)
$(filter $(UPPER_FLOORS:%=$(BUILD)/$(1)/src/%/%),$(SOURCES:%.c=$(BUILD)/$(1)/%.o)) $(BUILD)/$(1)/src/main.o: | $(BUILD)/$(1)/gen/stamp
$(TESTS:%.c=$(BUILD)/$(1)/%.o) $(TEST_SUPPORT:%.c=$(BUILD)/$(1)/%.o) $(FUZZERS:%.c=$(BUILD)/$(1)/%.o): | $(BUILD)/$(1)/gen/stamp
endif

$(BUILD)/$(1)/tfcheck: $(BUILD)/$(1)/src/main.o $(BUILD)/$(1)/libtfcheck.a
	@echo "  LD  $$@"
	$(Q)$$(CC) $$(LINK_$(1)) $$(LDFLAGS) $$^ $$(LIBS) -o $$@

# An archive, so that a test pulls in only what it calls.
$(BUILD)/$(1)/tests/libsupport.a: $(TEST_SUPPORT:%.c=$(BUILD)/$(1)/%.o)
	@rm -f $$@
	@echo "  AR  $$@"
	$(Q)$$(AR) rcs $$@ $$^

$(BUILD)/$(1)/tests/test_%: $(BUILD)/$(1)/tests/test_%.o $(BUILD)/$(1)/tests/libsupport.a $(BUILD)/$(1)/libtfcheck.a
	@echo "  LD  $$@"
	$(Q)$$(CC) $$(LINK_$(1)) $$(LDFLAGS) $$^ $$(LIBS) -lcmocka -o $$@
$(BUILD)/$(1)/tests/fuzz_%: $(BUILD)/$(1)/tests/fuzz_%.o $(BUILD)/$(1)/tests/fuzz_driver.o \
    $(BUILD)/$(1)/tests/libsupport.a $(BUILD)/$(1)/libtfcheck.a
	@echo "  LD  $$@"
	$(Q)$$(CC) $$(LINK_$(1)) $$(LDFLAGS) $$^ $$(LIBS) -o $$@

.PHONY: $(1)
$(1): $(BUILD)/$(1)/libtfcheck.a $(if $(MAIN),$(BUILD)/$(1)/tfcheck)
endef
$(foreach variant,release debug asan static,$(eval $(call VARIANT_RULES,$(variant))))

# Objects of tests and tools are kept: they are nobody's intermediate files.
.SECONDARY:

-include $(wildcard $(foreach v,release debug asan static,$(BUILD)/$(v)/*/*.d $(BUILD)/$(v)/*/*/*.d))

# ---- what must be installed

# Quick when nothing is missing, so it runs every time: a machine can lose what a stamp file remembers.
.PHONY: deps deps-test
deps:
	@CC='$(CC)' BUILD='$(BUILD)' tools/deps build
deps-test: | deps
	@CC='$(CC)' BUILD='$(BUILD)' tools/deps test
$(VENDOR_C): | deps ;
$(TESTS:%.c=$(BUILD)/asan/%.o): | deps-test

# ---- targets for people

TEST_PROGRAMS := $(TESTS:%.c=$(BUILD)/asan/%)
FUZZ_PROGRAMS := $(FUZZERS:%.c=$(BUILD)/asan/%)
RUN_TESTS = TFCHECK='$(abspath $(BUILD))/asan/tfcheck' TFCHECK_RELEASE='$(abspath $(BUILD))/tfcheck' BUILD='$(BUILD)' tests/run

.PHONY: all build run test check unit fixtures metamorphic e2e bless layers sizes hygiene lint fuzz-smoke format \
        format-check install bench corpus inject oracle new-rule clean help

build: release ## build build/tfcheck (the default)
ifneq ($(MAIN),)
	@ln -f $(BUILD)/release/tfcheck $(BUILD)/tfcheck
endif

all: build debug asan ## build the release, debug and sanitizer variants

# Findings are what the program is for: exit status 1 is not a failure of this target, 2 is.
run: build ## install what is missing, build, run on fixtures/demo (or: make run ARGS="check PATH")
	@$(BUILD)/tfcheck $(or $(ARGS),check fixtures/demo); status=$$?; [ $$status -le 1 ] || exit $$status

test: build asan $(TEST_PROGRAMS) $(FUZZ_PROGRAMS) ## install what is missing, build, run every test under ASan and UBSan
	@$(RUN_TESTS) $(TEST_PROGRAMS) $(FUZZ_PROGRAMS) $(CHECKS)

check: test ## the same as test

unit: $(filter-out %/test_fixtures,$(TEST_PROGRAMS)) ## the C unit tests only (TESTS=tests/test_base.c for one)
	@$(RUN_TESTS) $^

fixtures: asan $(filter %/test_fixtures,$(TEST_PROGRAMS)) ## the expectations in fixtures/ only
	@$(RUN_TESTS) $(filter %/test_fixtures,$(TEST_PROGRAMS)) $(filter tests/check_fixtures%,$(CHECKS))

metamorphic: build ## rewrite programs so that their meaning stays; the findings must move along (ARGS="--keep DIR PATH")
	@TFCHECK='$(abspath $(BUILD))/tfcheck' tests/metamorphic.py $(or $(ARGS),fixtures/rules rules fixtures/silent fixtures/engine)

e2e: build ## the hooks under the real pre-commit, which comes from PyPI
	@TFCHECK='$(abspath $(BUILD))/tfcheck' BUILD='$(BUILD)' tests/e2e/precommit.sh; \
	  status=$$?; [ $$status -eq 77 ] || exit $$status

bless: asan ## rewrite the expected output in fixtures/cli and in the documents; read the diff
	@TFCHECK='$(abspath $(BUILD))/asan/tfcheck' tests/check_cli.sh --bless
	@TFCHECK='$(abspath $(BUILD))/asan/tfcheck' tests/check_docs.sh --bless
	@TFCHECK='$(abspath $(BUILD))/asan/tfcheck' tests/check_rules_doc.sh --bless

layers: ## includes go down the floors only
	@tests/check_layers.sh
sizes: ## no function, file or header beyond the hard stops
	@tests/check_sizes.sh
hygiene: ## nothing in the tree that should not be
	@tests/check_hygiene.sh
lint: format-check layers sizes hygiene ## all four static checks

release: ## build/release only
debug: ## build/debug: no optimisation, assertions dump core
asan: ## build/asan: AddressSanitizer and UndefinedBehaviorSanitizer
static: ## build/static/tfcheck, which needs no shared library

fuzz-smoke: $(FUZZ_PROGRAMS) ## damage every fixture in many ways; ask only for no crash and no hang
	@$(RUN_TESTS) $(FUZZ_PROGRAMS)

format: ## rewrite the C sources in the house style
	@BUILD='$(BUILD)' tools/format
format-check: ## fail if make format would change anything
	@BUILD='$(BUILD)' tools/format --check

install: build ## copy the program to PREFIX/bin (DESTDIR= for packagers)
	install -D -m 755 $(BUILD)/release/tfcheck '$(DESTDIR)$(PREFIX)/bin/tfcheck'

bench: build ## measure speed and memory beside rg and ruff
	@tools/bench $(ARGS)
corpus: build ## run over pinned real-world packages
	@tools/corpus $(ARGS)
inject: corpus ## recall: put faults into those packages at known places, and count what is found
	@TFCHECK='$(abspath $(BUILD))/tfcheck' tools/inject $(ARGS)
oracle: build ## run the examples of the rule pages under TensorFlow
	@tools/oracle $(ARGS)
new-rule: ## scaffold a rule: make new-rule ARGS="TF123 some-name"
	@tools/new-rule $(ARGS)

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.* ## / {printf "  %-14s %s\n", $$1, $$2}' Makefile
