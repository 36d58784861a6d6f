# Rungs.  `make bench` and `make test` are all that is needed; `make help` lists the rest.

# --- settings, e.g. make SANITIZE=address ---------------------------------------------------------
ifeq ($(origin CC),default)
CC       := gcc
endif
ifeq ($(origin NVCC),undefined)
NVCC     := $(shell command -v nvcc)#    NVCC= builds without CUDA
endif
SANITIZE ?=#                             address (with undefined) or thread
DEBUG    ?=#                             1: no optimisation
SIM      ?=#                             1: CUDA rungs run on the CPU, to check them
V        ?=#                             1: show whole commands; PROBLEM/RUNG: for profile, sass
VERSION  := 0.1
COMMIT   ?= $(shell git describe --always --dirty 2>/dev/null || echo unknown)
MACHINE  := $(shell uname -m)
ifneq ($(SIM),)
override NVCC :=
endif
# On all cores, where nobody says on how many; several goals keep their order.
ifeq ($(MAKELEVEL)$(word 2,$(MAKECMDGOALS))$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
FLAVOUR  := $(addprefix -,$(SANITIZE))$(if $(DEBUG),-debug)
BUILD    := build$(FLAVOUR)
ifdef SIM # whatever folder is named for the other build: tests and the workshop look for it there
override BUILD := build$(FLAVOUR)-sim
endif

# --- how: two sets of flags -----------------------------------------------------------------------
# What judges is compiled strictly; what runs, to be fast on any machine of its kind: a rung that
# needs more than the baseline says so in its own file.  Neither has fast-math, and nor has the link
# line, where it would switch subnormal numbers off for the judges as well.
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
COMMON   := -std=gnu11 -g -I. -fopenmp
JUDGE    := -O2 $(WARN) -Wconversion -ffp-contract=off
VARIANT  := -O3 -Wall -Wextra -Wshadow -fno-math-errno
ifeq ($(SANITIZE),address)
COMMON   += -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
else ifneq ($(SANITIZE),)
COMMON   += -fno-omit-frame-pointer -fsanitize=$(SANITIZE)
endif
ifneq ($(SANITIZE),)#                    before much has been optimised away
JUDGE    += -O1
VARIANT  += -O1
endif
ifneq ($(DEBUG),)
JUDGE    += -O0
VARIANT  += -O0
endif
# Machine code for each generation of GPUs since 2018, and PTX of the last one for all that are newer.
# CUDA_ARCH=native is quicker where there is one.
CUDA_ARCH ?= 75 80 90
NVCCFLAGS := -std=c++17 -O3 -lineinfo -g -I. -Xcompiler -Wall,-fopenmp \
    $(if $(filter native,$(CUDA_ARCH)),-arch=native, \
    $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$a,code=sm_$a) \
    -gencode arch=compute_$(lastword $(CUDA_ARCH)),code=compute_$(lastword $(CUDA_ARCH)))
# Instructions of one generation alone; the rest of the file asks the device before it uses them.
# Those are in hopper.h, and who includes it is built this way.
HOPPER   := $(wildcard harness/ceilings/gpu_wgmma_*.cu) \
    $(shell grep -l '"hopper.h"' variants/*/*.cu /dev/null)
$(HOPPER:%.cu=$(BUILD)/%.cu.o): NVCCFLAGS := -std=c++17 -O3 -lineinfo -g -I. -Xcompiler \
    -Wall,-fopenmp -gencode arch=compute_90a,code=sm_90a
# The simulator: the thread sanitizer makes the compiler call a function at each access to memory, and
# these functions are the simulator's own.  Structures stay whole, so that a float4 is one access, and
# code stays in the text's order, once, so that lanes that have parted meet where they should.
SIMULATE := -std=c++17 -O1 -g -gdwarf-4 -I. -Icommon/sim/include -fopenmp -Wall \
    -Wno-unknown-pragmas -Wno-dangling-else -Wno-psabi -Wno-unused-function \
    -fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1 \
    -fno-tree-sra \
    -fno-reorder-blocks -fno-thread-jumps \
    -fstack-clash-protection -fno-math-errno -ffp-contract=off -fdebug-prefix-map=$(CURDIR)=.
# Failed allocations of a rung are noticed for it: harness/memory.h.
WRAP     := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign

# --- of what --------------------------------------------------------------------------------------
# A library that pkg-config does not know takes the files that need it out of the build.
have      = $(shell pkg-config --exists $(1) 2>/dev/null && echo yes)
# What does without one starts sooner.
LIBS     := -Wl,--as-needed $(shell pkg-config --libs jansson 2>/dev/null || echo -ljansson) -lm -ldl
LEFT_OUT := harness/late.c#               but for some programs: LATE
ifeq ($(call have,openblas),yes)
CFLAGS_cpu_openblas := $(shell pkg-config --cflags openblas)
LIBS     += $(shell pkg-config --libs openblas)
else
LEFT_OUT += $(wildcard variants/*/cpu_openblas.c)
endif
ifeq ($(call have,fftw3f),yes)
LIBS     += -lfftw3f_omp $(shell pkg-config --libs fftw3f)
else
LEFT_OUT += $(wildcard variants/*/cpu_fftw.c)
endif
ifeq ($(call have,hwloc),yes)
LIBS     += $(shell pkg-config --libs hwloc)
LEFT_OUT += harness/topology_plain.c
else
LEFT_OUT += harness/topology_hwloc.c
endif
ifeq ($(call have,libpng),yes)
LIBS     += $(shell pkg-config --libs libpng)
else
LEFT_OUT += harness/files/png.c
endif
ifneq ($(MACHINE),x86_64)#               vector instructions of another machine
LEFT_OUT += $(shell grep -l immintrin.h variants/*/*.c harness/ceilings/*.c)
endif

ifneq ($(SIM),)
LIBS     += -lstdc++
CUDA     := $(sort $(wildcard variants/*/*.cu))
SIMULATOR := $(sort $(wildcard common/sim/*.c)) common/sim/switch_$(MACHINE).S
MISTAKES := $(sort $(wildcard tests/sim/*.cu))
else ifneq ($(NVCC),)
CUDA_HOME := $(abspath $(dir $(realpath $(NVCC)))..)
LIBS     += -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 \
    $(if $(wildcard variants/*/cuda_cublas*.cu harness/ceilings/gpu_cublas*.cu),-lcublas) \
    $(if $(wildcard variants/*/cuda_cufft.cu),-lcufft) -lcudart_static -ldl -lrt -lstdc++
CUDA     := $(sort $(wildcard harness/*.cu harness/*/*.cu variants/*/*.cu))
LATE     := $(patsubst %,harness/late.c %,$(wildcard harness/late_$(MACHINE).S))
FAILING  := $(BUILD)/rungs-failing $(BUILD)/tests/gpu/libcuda.so.1
FAIL_WRAP = $(shell sed -n 's/^cudaError_t __wrap_\([A-Za-z_]*\).*/-Wl,--wrap=\1/p' \
    tests/gpu/failing_runtime.c)
endif

HARNESS  := $(filter-out $(LEFT_OUT),$(sort $(wildcard harness/*.c harness/*/*.c harness/*/*/*.c \
    workshop/lab/*.c)))
VARIANTS := $(filter-out $(LEFT_OUT),$(sort $(wildcard variants/*/*.c)))
BROKEN   := $(sort $(wildcard tests/broken/*/*.c))
BROKEN_CUDA := $(sort $(wildcard tests/gpu/broken/*/*.cu))
UNITS    := $(sort $(wildcard tests/test_*.c tests/files/test_*.c))
ifeq ($(filter harness/files/png.c,$(HARNESS)),)
UNITS    := $(filter-out tests/files/test_png.c,$(UNITS))
endif
objects   = $(patsubst %.S,$(BUILD)/%.o,$(patsubst %.cu,$(BUILD)/%.cu.o,$(patsubst %.c,$(BUILD)/%.o,$(1))))
READERS  := $(call objects,$(filter harness/files/%,$(HARNESS)) harness/error.c harness/fingerprint.c)
TESTABLE := $(filter-out $(BUILD)/harness/main.o,$(call objects,$(HARNESS))) $(BUILD)/build_info.o

# What a rule says instead of its command.
say       = $(if $(filter 1,$(V)),,@echo '  $(1)' '$(patsubst $(BUILD)/%,%,$@)';)

# --- rules ----------------------------------------------------------------------------------------
all: $(BUILD)/rungs                       ## the program, build/rungs

$(BUILD)/rungs: $(call objects,$(HARNESS) $(VARIANTS) $(CUDA) $(SIMULATOR) $(LATE)) $(BUILD)/build_info.o $(BUILD)/sources
	$(call say,link)$(CC) $(COMMON) $(WRAP) -o $@ $(filter %.o,$^) $(LIBS)

# The same harness with the rungs that must be rejected in the place of those that must not.
$(BUILD)/rungs-broken: $(call objects,$(HARNESS) $(BROKEN)) $(BUILD)/build_info.o $(BUILD)/sources
	$(call say,link)$(CC) $(COMMON) $(WRAP) -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/rungs-broken-cuda: $(call objects,$(HARNESS) $(filter harness/%,$(CUDA)) $(SIMULATOR) \
    $(BROKEN_CUDA)) $(BUILD)/build_info.o $(BUILD)/sources
	$(call say,link)$(CC) $(COMMON) $(WRAP) -o $@ $(filter %.o,$^) $(LIBS)

# And with what goes wrong with CUDA, staged: calls that fail, and a driver that does not start.
$(BUILD)/rungs-failing: $(call objects,$(HARNESS) $(VARIANTS) $(CUDA) $(LATE) tests/gpu/failing_runtime.c) \
    $(BUILD)/build_info.o $(BUILD)/sources
	$(call say,link)$(CC) $(COMMON) $(WRAP) $(FAIL_WRAP) -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/tests/gpu/%.o: COMMON += -isystem $(CUDA_HOME)/include
$(BUILD)/tests/gpu/libcuda.so.1: tests/gpu/fake_driver.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CC) -std=gnu11 $(WARN) -isystem $(CUDA_HOME)/include -shared -fPIC -o $@ $<

# The program has them in it.
$(BUILD)/harness/plots/scripts.o: $(wildcard plots/*.gp)

# What of CUDA's libraries is called, and from which files it comes: harness/late.h.  Programs
# without late.o, and those for other machines, are linked with the libraries as usual.
$(BUILD)/late.names: $(call objects,$(CUDA))
	@{ readelf -d $(CUDA_HOME)/lib64/libcublas.so $(CUDA_HOME)/lib64/libcufft.so | \
	       sed -n 's/.*soname: \[\(.*\)\]/LIBRARY \1/p'; \
	   nm -u $^ | sed -n 's/^ *U \(cu\(blas\|fft\)[A-Z].*\)/LATE \1/p' | sort -u; } > $@
$(BUILD)/harness/late_$(MACHINE).o: $(filter %.S,$(LATE)) $(BUILD)/late.names
	@mkdir -p $(@D)
	$(call say,as  )$(CC) -c -Wa,-I$(BUILD) -o $@ $<

# New when a source has come or gone, so that what has gone is not linked any longer.
$(BUILD)/sources: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$.new; echo $(HARNESS) $(VARIANTS) $(CUDA) $(SIMULATOR) $(BROKEN) $(BROKEN_CUDA) > $$new; \
	if cmp -s $@ $$new; then rm $$new; else mv $$new $@; fi

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(TESTABLE)
	$(call say,link)$(CC) $(COMMON) $(WRAP) -o $@ $^ $(LIBS) -lcmocka

# The readers alone; their tests say themselves how much memory there is.
$(BUILD)/tests/files/test_%: $(BUILD)/tests/files/test_%.o $(READERS)
	$(call say,link)$(CC) $(COMMON) -o $@ $^ $(LIBS) -lcmocka

# What shows how fast the machine is has to be as fast as the rungs.
$(BUILD)/harness/ceilings/%.o: harness/ceilings/%.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CC) $(COMMON) $(VARIANT) -MMD -MP -c -o $@ $<

$(BUILD)/variants/%.o: variants/%.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CC) $(COMMON) $(VARIANT) $(CFLAGS_$(basename $(notdir $<))) -MMD -MP -c -o $@ $<

# Takes them in as they are.
$(BUILD)/harness/report/page.o: harness/report/page.css harness/report/page.js

$(BUILD)/tests/broken/%.o: tests/broken/%.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CC) $(COMMON) $(VARIANT) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CC) $(COMMON) $(JUDGE) -MMD -MP -c -o $@ $<

ifeq ($(SIM),)
$(BUILD)/%.cu.o: %.cu
	@mkdir -p $(@D)
	$(call say,nvcc)$(NVCC) $(NVCCFLAGS) -MMD -MP -c -o $@ $<
else
# By way of assembler text, where each thread-local array gets a gap behind it: common/sim/shared.c.
$(BUILD)/%.cu.o: $(BUILD)/%.cu.cc
	$(call say,c++ )$(CXX) $(SIMULATE) -MMD -MP -MT $@ -MF $(@:.o=.d) -S -o $(@:.o=.s) $<
	@awk '$$1 ~ /^\.(section|text|data|bss)$$/ { gaps = $$2 ~ /^\.tbss/ } \
	    gaps && $$1 == ".zero" { $$2 = $$2 " + 256" } { print }' $(@:.o=.s) | \
	    $(CXX) -c -x assembler -o $@ -
	@rm $(@:.o=.s)

# As C++: the launches rewritten, and the headers beside it, which may have some, taken in.
$(BUILD)/%.cu.cc: %.cu $(BUILD)/rewrite $(wildcard variants/*/*.h tests/sim/*.h)
	@mkdir -p $(@D)
	@$(BUILD)/rewrite $< > $@.new && mv $@.new $@

$(BUILD)/rewrite: $(call objects,$(wildcard common/sim/rewrite/*.c))
	$(call say,link)$(CC) $(COMMON) -o $@ $^

$(BUILD)/%.o: %.S
	@mkdir -p $(@D)
	$(call say,as  )$(CC) -c -o $@ $<

# Small programs, wrong or right on purpose; tests/sim/sim.t runs them.
$(BUILD)/tests/sim/%.cu.o: SIMULATE += -Wno-unused-result
$(BUILD)/tests/sim/%: $(BUILD)/tests/sim/%.cu.o $(call objects,$(SIMULATOR))
	$(call say,link)$(CC) $(COMMON) -o $@ $^ $(LIBS)
endif

# An exercise's program: what all of them share, in one file, and the learner's rung.
$(BUILD)/workshop/harness.o: $(call objects,$(HARNESS) $(filter harness/%,$(CUDA)) $(SIMULATOR)) \
    $(BUILD)/build_info.o
	@mkdir -p $(@D)
	$(call say,link)$(CC) -r -nostdlib -o $@ $^

$(BUILD)/%.lab: $(BUILD)/%.cu.o $(BUILD)/workshop/harness.o
	$(call say,link)$(CC) $(COMMON) $(WRAP) -o $@ $^ $(LIBS)

$(BUILD)/%.lab: $(BUILD)/%.o $(BUILD)/workshop/harness.o
	$(call say,link)$(CC) $(COMMON) $(WRAP) -o $@ $^ $(LIBS)

# As rungs are compiled, wherever they lie: the learner's folder, and the versions of dev check.
$(BUILD)/learn/%.o $(BUILD)/build-sim/%.o: JUDGE := $(VARIANT)

# Facts for the records; the file is new only when they are.
$(BUILD)/build_info.c: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$.new; { echo '#include "harness/machine.h"'; \
	   echo 'const char build_version[] = "$(VERSION)";'; \
	   echo 'const char build_commit[] = "$(COMMIT)";'; \
	   echo 'const char build_compiler[] = "$(shell $(CC) --version | head -n 1)";'; \
	   echo 'const char build_nvcc[] = "$(if $(NVCC),$(shell $(NVCC) --version | tail -n 1) $(strip $(NVCCFLAGS)))";'; \
	   echo 'const char build_judge_flags[] = "$(COMMON) $(JUDGE)";'; \
	   echo 'const char build_variant_flags[] = "$(COMMON) $(VARIANT)";'; } > $$new; \
	if cmp -s $@ $$new; then rm $$new; else mv $$new $@; fi

$(BUILD)/build_info.o: $(BUILD)/build_info.c
	$(call say,cc  )$(CC) $(COMMON) $(JUDGE) -c -o $@ $<

# --- front doors ----------------------------------------------------------------------------------
bench: $(BUILD)/rungs                     ## judge and time every rung that this machine can run
	@mkdir -p results
	-$(BUILD)/rungs ceilings --once
	$(BUILD)/rungs bench

sweep: $(BUILD)/rungs                     ## from which size on does which rung pay?
	@mkdir -p results
	$(BUILD)/rungs sweep

# Of the newest records, or of others: make plots FILES='results/reference/h200-*.jsonl'
newest    = $(lastword $(sort $(wildcard results/$(1)-*.jsonl)))
RECORDS   = $(or $(FILES),$(call newest,bench) $(call newest,sweep))
# Without gnuplot, or with nothing of a kind to draw, a line says so, and the report can still be made.
nothing_is_fine = || [ $$? -eq 4 ]
plots: $(BUILD)/rungs                     ## pictures of the newest records, or FILES, by gnuplot
	@[ -n "$(strip $(RECORDS))" ] || { echo "results/ holds no records; make bench writes some"; exit 1; }
	$(BUILD)/rungs plot all $(RECORDS) --out results/plots $(nothing_is_fine)
	$(if $(or $(FILES),$(filter 1,$(words $(wildcard results/bench-*.jsonl)))),, \
	    $(BUILD)/rungs plot history $$(ls results/bench-*.jsonl | tail -n 40) --out results/plots \
	        $(nothing_is_fine))

REPORT   ?= results/report.html
report: $(BUILD)/rungs                    ## a page of the newest records, or FILES, to be read in a browser
	@[ -n "$(strip $(RECORDS))" ] || { echo "results/ holds no records; make bench writes some"; exit 1; }
	$(BUILD)/rungs report $(RECORDS) --out $(REPORT)

check: $(BUILD)/rungs                     ## judge every rung, without timing it
	$(BUILD)/rungs check

programs: $(BUILD)/rungs $(BUILD)/rungs-broken $(FAILING) $(patsubst tests/%.c,$(BUILD)/tests/%,$(UNITS)) \
    $(patsubst tests/%.cu,$(BUILD)/tests/%,$(MISTAKES))

# What the simulator's tests would else build beside others that run it.
simulated: programs
	@! command -v $(CXX) >/dev/null || $(MAKE) --no-print-directory SIM=1 SANITIZE= DEBUG= \
	    $(patsubst %,build-sim/%,rungs rewrite workshop/harness.o $(patsubst %.cu,%,$(wildcard tests/sim/*.cu)))

# As many tests at a time as there are cores, those that take long first; and behind them, one after
# another, those that judge times.
LONG     := $(patsubst %,tests/%.t,lab resume lint sim/rungs sanitize check lab-learner cli \
    lab-hostile sweep)
ALONE    := $(patsubst %,tests/%.t,selftest terminal machine)
TESTS    := $(LONG) $(filter-out $(LONG) $(ALONE),$(sort $(wildcard tests/*.t tests/*/*.t)) \
    $(patsubst tests/%.c,$(BUILD)/tests/%,$(UNITS)))
test: simulated                           ## everything that must hold; ends in prove's own verdict
	@MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' BUILD=$(BUILD) CMOCKA_MESSAGE_OUTPUT=TAP \
	    prove --timer --jobs $$(nproc) $(TESTS:%=--rules par=%) --exec '' $(TESTS) $(ALONE)

# What the analysers read: not the rungs that are wrong on purpose.
LINTED   := $(HARNESS) $(filter %.c,$(LATE)) $(VARIANTS) $(UNITS)
# Of paths through a function a sixth of the usual number: in a sixth of the time.
PATHS    := -Xclang -analyzer-config -Xclang max-nodes=37500
lint:                                     ## clang-tidy and cppcheck, both silent
	@printf '%s\n' $(LINTED) | xargs -P $$(nproc) -n 4 \
	    sh -c 'clang-tidy --quiet "$$@" -- $(COMMON) $(PATHS) 2>&1' clang-tidy | \
	    { ! grep -A 6 -E 'warning:|error:'; }
	@cppcheck --quiet --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
	    --suppress=missingIncludeSystem -I. -j $$(nproc) $(LINTED)

FUZZ_SECONDS ?= 60
fuzz:                                     ## feed the readers of users' files nonsense, a minute each
	@command -v clang >/dev/null || { echo "needs: apt-get install clang"; exit 1; }
	@mkdir -p $(BUILD)/fuzz
	sh tests/fuzz/seeds.sh $(BUILD)/fuzz/seeds
	for reader in csv npy pgm records; do \
	    clang -std=gnu11 -g -O1 -I. -fsanitize=fuzzer,address,undefined \
	        -fno-sanitize-recover=undefined -o $(BUILD)/fuzz/$$reader tests/fuzz/$$reader.c \
	        $(patsubst $(BUILD)/%.o,%.c,$(READERS)) $(LIBS) && \
	    $(BUILD)/fuzz/$$reader -max_total_time=$(FUZZ_SECONDS) -max_len=2048 -verbosity=0 \
	        $(BUILD)/fuzz/seeds/$$reader || exit 1; \
	done

workshop:                                 ## what the exercises need; then: build-sim/rungs lab
	@$(MAKE) --no-print-directory SIM=1 NVCC= build-sim/rungs build-sim/workshop/harness.o
	@echo 'ready: build-sim/rungs lab'

key:                                      ## the instructor's key, from the exercises' masters
	@$(MAKE) --no-print-directory workshop >/dev/null && build-sim/rungs lab dev key

BUNDLE := rungs-workshop-$(VERSION)
bundle:                                   ## all that a room without a network needs, in one archive
	git archive --format=tar.gz --prefix=$(BUNDLE)/ -o $(BUNDLE).tar.gz HEAD
	@ls -l $(BUNDLE).tar.gz

sim:                                      ## CUDA rungs and wrong kernels in the simulator, on the CPU
	prove --timer --exec '' tests/sim/*.t

profile: $(BUILD)/rungs                   ## a rung under ncu or perf: make profile V=knn/cuda_warp SIZE=L
	@[ -n "$(filter-out 1,$(V))" ] || { echo "make profile V=PROBLEM/RUNG, as in V=knn/cuda_warp"; exit 2; }
	$(BUILD)/rungs profile $(V) $(if $(SIZE),--size $(SIZE))

# Of the newest generation among those that it was compiled for.
sass:                                     ## machine code of a rung's kernels: make sass V=knn/cuda_warp
	@[ -f variants/$(V).cu ] || { echo "make sass V=PROBLEM/RUNG, as in V=knn/cuda_warp"; exit 2; }
	@[ -x "$(CUDA_HOME)/bin/cuobjdump" ] || { echo "cuobjdump is not beside nvcc ($(NVCC))"; exit 1; }
	@$(MAKE) --no-print-directory V= $(BUILD)/variants/$(V).cu.o
	@$(CUDA_HOME)/bin/cuobjdump --dump-sass \
	    $(if $(filter native,$(CUDA_ARCH)),,-arch sm_$(lastword $(CUDA_ARCH))) \
	    $(BUILD)/variants/$(V).cu.o | c++filt | awk -f harness/profile/sass.awk

# What the tools must find says whether they look at all.
memcheck: $(BUILD)/rungs $(if $(CUDA),$(BUILD)/rungs-broken-cuda) ## CUDA rungs under compute-sanitizer
	@PATH="$$PATH:$(CUDA_HOME)/bin" sh tests/gpu/memcheck.sh $(BUILD)

clean:                                    ## remove what was built, and nothing else
	rm -rf build build-*

help:                                     ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /  \1\t/p' Makefile | expand -t 14

FORCE:
.PHONY: all bench sweep plots report check programs simulated test lint fuzz workshop key bundle sim \
    profile sass memcheck clean help FORCE
.SECONDARY:

# --- first of all ---------------------------------------------------------------------------------
# Make brings what it includes up to date and then starts anew, so setup.sh has looked after the
# packages before anything above asks for them.
ifeq ($(filter clean help,$(MAKECMDGOALS)),)
-include build/packages.mk
build/packages.mk: setup.sh
	@mkdir -p build
	@./setup.sh
	@echo '# setup.sh has run' > $@
endif
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
