# Rungs.  `make bench` measures, `make test` tests; `make help` lists everything else.

# --- settings, e.g. make SANITIZE=address ---------------------------------------------------------
ifeq ($(origin CC),default)
CC       := gcc
endif
ifeq ($(origin NVCC),undefined)
NVCC     := $(shell command -v nvcc)#    NVCC= builds without CUDA
endif
SANITIZE ?=#                             address (with undefined) or thread
DEBUG    ?=#                             1: no optimisation
SIM      ?=#                             1: CUDA variants run on the CPU, to check them
SETUP    ?= ./setup.sh#                  SETUP=: installs no packages
CCACHE   ?=#                             ccache: objects that it knows are not compiled again
V        ?=#                             1: show whole commands; PROBLEM/VARIANT: for profile, sass
VERSION  := 0.1
# Dirty are also files that git does not know, because they may be in the binary.
COMMIT   ?= $(shell git describe --always 2>/dev/null || echo unknown)$(if $(shell git status --porcelain -- \
    Makefile common harness plots variants workshop 2>/dev/null),-dirty)
MACHINE  := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
ifneq ($(SIM),)
override NVCC :=
endif
# Without -j, make uses all cores.  If there are several goals, they run in order.
ifeq ($(MAKELEVEL)$(word 2,$(MAKECMDGOALS))$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
FLAVOUR  := $(addprefix -,$(SANITIZE))$(if $(DEBUG),-debug)
BUILD    := build$(FLAVOUR)
ifdef SIM # BUILD= on the command line names the other build; tests and the workshop expect this one here
override BUILD := build$(FLAVOUR)-sim
endif
# The simulator changes how .cu files are compiled.  Objects of .c and .cpp files are those of the build without it.
PLAIN    := $(patsubst %-sim,%,$(BUILD))

# --- flags: one set for the harness, one for variants ---------------------------------------------
# The harness is compiled with strict IEEE arithmetic.  Variants are compiled for speed on any machine of this
# architecture; one that needs more than the baseline says so in its own file.  Neither gets -ffast-math, and
# the link line does not either, because there it would flush subnormal numbers to zero in the judges.
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
COMMON   := -std=gnu11 -g -I. -fopenmp
JUDGE    := -O2 $(WARN) -Wconversion -ffp-contract=off
# A variant is a shared object that exports one name, so names of its helpers cannot clash.  Functions and loops
# are aligned, so that their place does not depend on other files: docs/method.md, section 8.
VARIANT  := -O3 -Wall -Wextra -Wshadow -fno-math-errno -fPIC -fvisibility=hidden \
    -falign-functions=64 -falign-loops=64
ifeq ($(SANITIZE),address)
COMMON   += -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
else ifeq ($(SANITIZE),fuzzer)#          by clang: make fuzz
COMMON   += -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
    -fno-sanitize-recover=undefined
else ifneq ($(SANITIZE),)
COMMON   += -fno-omit-frame-pointer -fsanitize=$(SANITIZE)
endif
ifneq ($(SANITIZE),)#                    with less optimised away
JUDGE    += -O1
VARIANT  += -O1
endif
ifneq ($(DEBUG),)
JUDGE    += -O0
VARIANT  += -O0
endif
# Machine code for each generation of GPUs since 2018, and PTX of the last one for newer GPUs.
# CUDA_ARCH=native compiles faster, for the GPU of this machine.
CUDA_ARCH ?= 75 80 90
CUDA_MACHINE := $(if $(filter native,$(CUDA_ARCH)),-arch=native, \
    $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$a,code=sm_$a) \
    -gencode arch=compute_$(lastword $(CUDA_ARCH)),code=compute_$(lastword $(CUDA_ARCH)))
# <cmath> without its Bessel and similar functions, which are not used here: they took a third of the time to
# compile a small .cu file.  The name is the guard of their header.
NO_SPECFUN := -D_GLIBCXX_BITS_SPECFUN_H
NVCCFLAGS := -std=c++17 -O3 -lineinfo -g -I. -Xcompiler -Wall,-fopenmp,-fPIC,-fvisibility=hidden \
    $(NO_SPECFUN)
# A file with the comment "/* nvcc: sm_90a */" is compiled for that generation only, for its special
# instructions.  Its code must check the device before it uses them.
one_arch  = $(shell sed -n 's,^/\* nvcc: sm_\([0-9a-z]*\) \*/,\1,p' $(1))
arch_flags = $(if $(1),-gencode arch=compute_$(1)$(comma)code=sm_$(1),$(CUDA_MACHINE))
comma    := ,
# The simulator: with -fsanitize=thread the compiler calls a function at each memory access, and the simulator
# defines these functions.  Structures are not split, so that a float4 is one access.  Code is neither reordered
# nor duplicated, so that diverged lanes meet where they should.  A store stays in its loop, so that a race names
# the line of the store (gcc 12 and later have that option).
ifneq ($(SIM),)
IN_LOOPS := $(shell $(CXX) -fno-move-loop-stores -E -x c++ /dev/null >/dev/null 2>&1 && echo -fno-move-loop-stores)
endif
SIMULATE := -std=c++17 $(NO_SPECFUN) -O1 -g -gdwarf-4 -I. -Iharness/sim/include -fopenmp -Wall \
    -Wno-unknown-pragmas -Wno-dangling-else -Wno-psabi -Wno-unused-function \
    -fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1 \
    -fno-tree-sra \
    -fno-reorder-blocks -fno-thread-jumps $(IN_LOOPS) \
    -fstack-clash-protection -fno-math-errno -ffp-contract=off -fdebug-prefix-map=$(CURDIR)=.
# Failed allocations of a variant are noticed by the worker: harness/base/memory.h.
WRAP     := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign

# --- sources --------------------------------------------------------------------------------------
# A file with the comment "/* needs: PACKAGE */" is compiled and linked with that package.  If pkg-config does not
# know the package, the file is left out.
have      = $(or $($(1)--libs),$(shell pkg-config --exists $(1) 2>/dev/null && echo yes))
config    = $(or $($(1)$(2)),$(shell pkg-config $(2) $(1)))
# MPI is not known to pkg-config everywhere; its compiler says what it adds.  A sanitizer would see its processes, too.
MPICC    ?= $(if $(SANITIZE),,$(shell command -v mpicc))
ifneq ($(MPICC),)
MPI      := $(shell $(MPICC) -show)
mpicc--cflags := $(patsubst -I%,-isystem %,$(filter -I%,$(MPI)))
mpicc--libs := $(filter -L% -l% -Wl$(comma)%,$(MPI))
FFTW_MPI := $(filter /%,$(shell $(MPICC) -print-file-name=libfftw3f_mpi.so))
ifneq ($(and $(FFTW_MPI),$(shell readelf -d $(FFTW_MPI) | grep $(patsubst -l%,lib%.so,$(firstword $(filter -lmpi%,$(MPI)))))),)
fftw3f_mpi--cflags := $(mpicc--cflags)
fftw3f_mpi--libs := -lfftw3f_mpi -lfftw3f $(mpicc--libs)
endif
endif
# cuSOLVER is a part of the toolkit that need not be installed.  The simulator refuses its variants by itself.
CUDA_HOME := $(if $(NVCC),$(abspath $(dir $(realpath $(NVCC)))..))
cusolver--libs := $(if $(SIM),-lm,$(if $(and $(NVCC),$(wildcard $(CUDA_HOME)/include/cusolverDn.h /usr/include/cusolverDn.h),$(wildcard \
    $(CUDA_HOME)/lib64/libcusolver.so /usr/lib/$(MACHINE)-linux-gnu/libcusolver.so /usr/lib64/libcusolver.so)),-lcusolver))
cusolver--cflags := $(if $(cusolver--libs),-I.)#  it is there already; without any, pkg-config would be asked
# NCCL comes with a package of the system, or with PyTorch, as a wheel whose folder nvidia/nccl is in a Python's packages.
# In the simulator a header takes its place: harness/sim/include/nccl.h.
ifneq ($(and $(mpicc--libs),$(SIM)),)
nccl--cflags := $(mpicc--cflags)
nccl--libs := $(mpicc--libs)
else ifneq ($(and $(mpicc--libs),$(NVCC)),)
WHEEL     = $(wildcard $(addsuffix /nvidia/nccl/include/nccl.h,$(shell python3 -c 'import sys; print(*[p for p in sys.path if p.endswith("-packages")])' 2>/dev/null)))
ifeq ($(origin NCCL_HOME),undefined)#      NCCL_HOME= builds without NCCL
NCCL_HOME := $(patsubst %/include/nccl.h,%,$(firstword $(or $(wildcard $(addsuffix /include/nccl.h,/usr /usr/local \
    $(CUDA_HOME) .venv/lib/python3*/site-packages/nvidia/nccl)),$(WHEEL),$(wildcard \
    /opt/*/lib/python3*/site-packages/nvidia/nccl/include/nccl.h))))
endif
NCCL_LIB := $(abspath $(firstword $(wildcard $(foreach folder,lib lib64 lib/$(MACHINE)-linux-gnu,$(NCCL_HOME)/$(folder)/libnccl.so $(NCCL_HOME)/$(folder)/libnccl.so.2))))
ifneq ($(and $(NCCL_HOME),$(NCCL_LIB)),)
# A folder that the compiler searches anyway must not be named: <cmath> would no longer find the math.h behind it.
nccl--cflags := $(mpicc--cflags) $(addprefix -isystem ,$(filter-out /usr/include /usr/local/include,$(NCCL_HOME)/include))
nccl--libs := $(NCCL_LIB) -Wl,-rpath,$(dir $(NCCL_LIB)) $(mpicc--libs)
endif
endif
NEEDS    := $(shell grep -so '^/\* needs: [a-z0-9_]*' $(wildcard variants/*/*.c $(if $(SIM)$(NVCC),variants/*/*.cu) harness/*/*.c workshop/serve/*.c tests/unit/files/*.c) | sed 's,/. needs: ,,')
needing   = $(patsubst %:$(1),%,$(filter %:$(1),$(NEEDS)))
PACKAGES := $(foreach p,$(sort $(foreach n,$(NEEDS),$(lastword $(subst :, ,$n)))),$(if $(call have,$p),$p))
LEFT_OUT := $(filter-out $(foreach p,$(PACKAGES),$(call needing,$p)),$(foreach n,$(NEEDS),$(firstword $(subst :, ,$n))))
LACKING  := $(filter variants/%,$(LEFT_OUT))
LEFT_OUT += $(if $(filter hwloc,$(PACKAGES)),harness/machine/topology_plain.c)
# Each file is linked with its own packages only, because a program with fewer libraries starts faster.
flags_of  = $(foreach p,$(PACKAGES),$(if $(filter $(1),$(call needing,$p)),$(call config,$p,$(2))))
libs_of   = $(patsubst -lfftw3f,-lfftw3f_omp -lfftw3f,$(call flags_of,$(1),--libs))
JANSSON  := $(shell pkg-config --libs jansson 2>/dev/null || echo -ljansson)
LIBS     := -Wl,--as-needed $(JANSSON) -lm -ldl \
    $(foreach f,$(filter harness/%,$(NEEDS)),$(call libs_of,$(firstword $(subst :, ,$f))))
ifneq ($(MACHINE),x86_64)#               no x86 vector instructions, which a file may include by another one
X86_ONLY := $(shell for f in variants/*/*.c harness/ceilings/*.c tests/unit/*.c; do \
    $(CC) -I. -M -MG $$f | grep -q immintrin.h && echo $$f; done)
LEFT_OUT += $(X86_ONLY)
endif

# A worker is a small program; the rest of harness/ belongs to the parent.  A CUDA variant is linked with the CUDA
# runtime and with librungs-gpu.so, which has the GPU's clock.  A simulated one is a program with the simulator.
WORKER_ONLY := $(patsubst %,harness/%.c,$(addprefix worker/,child sample keep_on verify load card_print reading lines program) \
    machine/device_cpu)
ONLY_RANKS := harness/worker/ranks.c
ONLY_FOREIGN := harness/worker/foreign.c $(patsubst %,harness/machine/%.c,cuda_driver device_driver device_stream)
WORKER   := $(WORKER_ONLY) $(addprefix harness/,$(patsubst %,worker/%.c,protocol confine calls keeper spaces) \
    model/arena.c model/arena_locate.c model/card_words.c \
    $(patsubst %,base/%.c,clock error interrupt memory parallel random text))
EXPORTS  := -Wl,--export-dynamic-symbol=__wrap_*,--export-dynamic-symbol=device_cpu
ifneq ($(SIM),)
CUDA     := $(filter-out $(LEFT_OUT),$(sort $(wildcard variants/*/*.cu)))
SIMULATOR := $(sort $(wildcard harness/sim/*.c harness/sim/ptx/*.c)) harness/sim/switch_$(MACHINE).S
MISTAKES := $(sort $(wildcard tests/sim/*.cu))
IN_WORKER := $(WORKER) $(SIMULATOR)
WORKER_LIBS := -lm -ldl -lstdc++
else ifneq ($(NVCC),)
CUDA     := $(filter-out $(LEFT_OUT),$(sort $(wildcard variants/*/*.cu)))
CUDA_CEILINGS := $(sort $(wildcard harness/ceilings/*.cu))
IN_WORKER := $(WORKER) harness/machine/device_gpu.cu
CUDA_LIBS := -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64,--as-needed \
    $(if $(wildcard variants/*/cuda_cublas*.cu harness/ceilings/gpu_cublas*.cu),-lcublas) \
    $(if $(wildcard variants/*/cuda_cufft.cu),-lcufft) -lcudart -lstdc++
WORKER_LIBS := -lm -ldl $(CUDA_LIBS)
GPU      := $(BUILD)/librungs-gpu.so
FAILING  := $(BUILD)/rungs-failing $(BUILD)/tests/gpu/libcuda.so.1
endif
IN_WORKER := $(or $(IN_WORKER),$(WORKER))
WORKER_LIBS := $(or $(WORKER_LIBS),-lm -ldl)

RANKS    := $(if $(mpicc--libs),$(BUILD)/rungs-ranks)
JAVA     := $(if $(shell command -v javac),$(BUILD)/rungs.jar $(BUILD)/librungs_jni.so)

# What calls GDAL is a library of its own, which the program loads when it reads such a file: harness/files/gdal.h.
IN_GDAL  := $(sort $(wildcard harness/files/gdal/*.c))
ifneq ($(call have,gdal),)
GDAL     := $(BUILD)/rungs-gdal.so
GDAL_FLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags gdal))
GDAL_LIBS := $(shell pkg-config --libs gdal)
endif

# Plain C that GCC sends to a GPU, where its compiler for GPUs is installed (gcc-offload-nvptx).
OFFLOAD  := $(sort $(wildcard variants/*/gpu_omp*.c variants/*/gpu_openacc*.c))
ifeq ($(and $(GPU),$(wildcard $(shell $(CC) -print-file-name=accel/nvptx-none/mkoffload))),)
LEFT_OUT += $(OFFLOAD)
OFFLOAD  :=
endif

CEILINGS := $(filter-out $(LEFT_OUT),$(sort $(wildcard harness/ceilings/cpu_*.c harness/ceilings/mpi_*.c)))
HARNESS  := $(filter-out $(LEFT_OUT) $(CEILINGS) $(WORKER_ONLY) $(ONLY_FOREIGN) $(ONLY_RANKS) $(IN_GDAL) harness/sim/% harness/library/%,$(sort $(wildcard \
    harness/*.c harness/*/*.c harness/*/*/*.c workshop/lab/*.c)))
VARIANTS := $(filter-out $(LEFT_OUT),$(sort $(wildcard variants/*/*.c)))
native    = $(and $(filter $(MACHINE),$(shell uname -m)),$(shell command -v $(1)))
# Zig is a program, or the Python package ziglang, which has that program in it.
ifeq ($(origin ZIG),undefined)
ZIG      := $(or $(shell command -v zig),$(abspath $(wildcard .venv/lib/python3*/site-packages/ziglang/zig)),$(shell python3 -c \
    'import ziglang; print(ziglang.__path__[0] + "/zig")' 2>/dev/null))
endif
# Without its compiler a language is left out: its variants only have cards.
compiler-f90 := gfortran
compiler-rs := rustc
compiler-zig := $(or $(ZIG),zig)
COMPILED := $(foreach e,f90 rs zig,$(if $(call native,$(compiler-$e)),$(sort $(wildcard variants/*/*.$e))))
NO_COMPILER := $(if $(filter $(MACHINE),$(shell uname -m)),$(filter-out $(COMPILED),$(foreach e,f90 rs zig,$(sort $(wildcard variants/*/*.$e)))))
CPP      := $(if $(call native,$(CXX)),$(sort $(wildcard variants/*/*.cpp)))
# For Python: the launcher, and what variants import.
LAUNCHER := $(patsubst common/python/%,$(BUILD)/%,$(wildcard common/python/*.py))
BROKEN   := $(sort $(wildcard tests/broken/*/*.c))
BROKEN_CUDA := $(sort $(wildcard tests/gpu/broken/*/*.cu))
SERVER   := $(if $(filter libmicrohttpd,$(PACKAGES)),$(sort $(wildcard workshop/serve/*.c)))
UNITS    := $(filter-out $(LEFT_OUT),$(sort $(wildcard tests/unit/test_*.c tests/unit/files/test_*.c)))
objects   = $(patsubst %.S,$(BUILD)/%.o,$(patsubst %.cu,$(BUILD)/%.cu.o,$(patsubst %.c,$(PLAIN)/%.o,$(1))))
TESTABLE := $(filter-out $(PLAIN)/harness/main.o,$(call objects,$(HARNESS))) $(BUILD)/build_info.o

# The shared objects (or programs) made of variants and ceilings, and their cards.
ends      = $(patsubst %,$(BUILD)/%,$(patsubst %.zig,%.so,$(patsubst %.rs,%.so,$(patsubst %.f90,%.so,$(patsubst %.cpp,%.so,$(patsubst %.c,%.so,$(patsubst %.cu,%$(if $(SIM),,.so),$(1))))))))
cards     = $(addsuffix .card,$(basename $(ends)))
in_home   = $(patsubst harness/ceilings/%,ceilings/%,$(1))
CARDS    := $(call cards,$(VARIANTS) $(LACKING) $(filter variants/%,$(X86_ONLY)) $(CPP) $(COMPILED) $(NO_COMPILER) $(CUDA) $(call in_home,$(CEILINGS) $(CUDA_CEILINGS)))
# Those that still say what was missing: make would keep them when it has come, because they are newer than the source.
COME     := $(filter $(call cards,$(VARIANTS) $(CUDA)),$(shell grep -ls '^needs = ' $(wildcard $(BUILD)/variants/*/*.card)))
BROKEN_CARDS := $(call cards,$(BROKEN))
BROKEN_CUDA_CARDS := $(call cards,$(BROKEN_CUDA))

# Prints a short line instead of a rule's command, unless V=1.
say       = $(if $(filter 1,$(V)),,@echo '  $(1)' '$(patsubst $(BUILD)/%,%,$@)';)

# --- rules ----------------------------------------------------------------------------------------
all: $(BUILD)/rungs                       ## the program, build/rungs

$(BUILD)/rungs: $(call objects,$(HARNESS)) $(BUILD)/build_info.o $(BUILD)/sources | $(CARDS) \
    $(BUILD)/variant.mk $(BUILD)/librungs-worker.so $(LAUNCHER) $(BUILD)/librungs.so $(BUILD)/rungs_c.py $(GDAL) $(RANKS) $(JAVA)
	$(call say,link)$(CC) $(COMMON) $(WRAP) -rdynamic -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/rungs-worker: $(call objects,$(WORKER))
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(COMMON) $(WRAP) $(EXPORTS) -o $@ $^ -lm -ldl

# The worker as one rank of several, for MPI variants.
FOR_RANKS := $(ONLY_RANKS) $(patsubst %,harness/%.c,worker/hand_over worker/last_words)
NO_RANKS := harness/worker/program.c harness/worker/lines.c
IN_RANKS := $(filter-out $(NO_RANKS),$(WORKER)) $(FOR_RANKS)
$(call objects,$(ONLY_RANKS)): COMMON += $(mpicc--cflags)
$(BUILD)/rungs-ranks: $(call objects,$(IN_RANKS))
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(COMMON) $(WRAP) $(EXPORTS),--export-dynamic-symbol=MPI_Abort -o $@ $^ $(mpicc--libs) -lm -ldl

# The worker as a library, for variants in other languages.  It has no OpenMP, whose threads would disturb theirs, and no
# sanitizer, which must come first in a process.
WITHOUT  := $(filter-out -fopenmp -fsanitize=% -fno-sanitize-recover=%,$(COMMON))
FOREIGN  := $(filter-out harness/worker/program.c harness/worker/load.c harness/worker/card_print.c harness/worker/lines.c,$(WORKER)) \
    $(ONLY_FOREIGN)
$(PLAIN)/foreign/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CCACHE) $(CC) $(WITHOUT) $(JUDGE) -fPIC -fvisibility=hidden -DRUNGS_FOREIGN -MMD -MP -c -o $@ $<

$(BUILD)/librungs-worker.so: $(patsubst %.c,$(PLAIN)/foreign/%.o,$(FOREIGN))
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(WITHOUT) $(WRAP) -shared -Wl,-soname,$(@F) -o $@ $^ -lm -ldl

$(LAUNCHER): $(BUILD)/%.py: common/python/%.py
	@mkdir -p $(@D)
	@cp $< $@

# The page of the exercises: workshop/serve/server.c.
$(BUILD)/rungs-serve: $(call objects,$(SERVER) harness/base/error.c harness/base/text.c)
	$(call say,link)$(CC) $(COMMON) -o $@ $^ $(call libs_of,workshop/serve/server.c) -lm

# For programs that call variants.  It starts $(BUILD)/rungs, and has nothing else of it.
$(BUILD)/librungs.so: harness/library/rungs.c harness/library/rungs.h harness/library/messages.h
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(WITHOUT) $(JUDGE) -fPIC -fvisibility=hidden -shared -Wl,-soname,$(@F) -o $@ $< $(JANSSON) -ldl

# For the JVM, where a JDK is.
JDK       = $(abspath $(dir $(realpath $(shell command -v javac)))..)
java: $(BUILD)/rungs $(BUILD)/librungs_jni.so $(BUILD)/rungs.jar ## rungs.jar and its library, with which Java calls variants
$(BUILD)/librungs_jni.so: harness/library/rungs_jni.c $(BUILD)/librungs.so
	$(call say,link)$(CC) $(WITHOUT) $(JUDGE) -isystem $(JDK)/include -isystem $(JDK)/include/linux -fPIC -fvisibility=hidden \
	    -shared -o $@ $^ -Wl,-rpath,'$$ORIGIN'
$(BUILD)/rungs.jar: harness/library/Rungs.java
	$(call say,java)javac -d $(BUILD)/java $< && jar --create --file $@ -C $(BUILD)/java .

$(BUILD)/rungs_c.py: harness/library/rungs_c.py
	@mkdir -p $(@D)
	@cp $< $@

# For programs that are workers themselves.  Without debug information, which is most of it, each program links
# faster, and addr2line finds its lines faster.
$(BUILD)/worker.o: $(call objects,$(IN_WORKER))
	@mkdir -p $(@D)
	$(call say,link)$(CC) -r -nostdlib -Wl,-S -o $@ $^

# The same with a rank of a simulated variant, for those with the comment "needs: mpicc" or "needs: nccl".
BY_MPI    = $(filter %.cu,$(call needing,mpicc) $(call needing,nccl))
$(BUILD)/worker_ranks.o: $(call objects,$(filter-out $(NO_RANKS),$(IN_WORKER)) $(FOR_RANKS))
	@mkdir -p $(@D)
	$(call say,link)$(CC) -r -nostdlib -Wl,-S -o $@ $^

$(BUILD)/librungs-gpu.so: $(BUILD)/harness/machine/device_gpu.cu.o
	$(call say,link)$(CC) -shared -Wl,-soname,$(@F) -o $@ $^ $(CUDA_LIBS)

# Its other names are those of the program that loads it.
$(call objects,$(IN_GDAL)): COMMON += -fPIC $(GDAL_FLAGS)
$(BUILD)/rungs-gdal.so: $(call objects,$(IN_GDAL))
	$(call say,link)$(CC) $(COMMON) -shared -o $@ $^ $(GDAL_LIBS)

# Variants, in any folder.  A card describes a variant; a worker that has loaded the variant writes it.
OBJECT    = $(CC) $(COMMON) $(WRAP) -shared -Wl,-Bsymbolic -o $@ $< -Wl,--as-needed
ONE_UP   := -Wl,-rpath,'$$ORIGIN/..:$$ORIGIN/../..:$$ORIGIN/../../../..'
# In one step: what the linker's plugin compiles for the GPU is in the same file.  ptxas would refuse GPUs that the driver
# still compiles for.
OFFLOAD_TO := -foffload=nvptx-none -foffload-options=nvptx-none='-misa=sm_53 -Wa,--no-verify' -Wl,-z,notext
$(patsubst %.c,$(BUILD)/%.so,$(OFFLOAD)): $(BUILD)/%.so: %.c $(GPU)
	@mkdir -p $(@D)
	$(call say,gpu )$(CC) $(filter-out $(if $(findstring openacc,$@),-fopenmp) -fsanitize=% -fno-sanitize-recover=%,$(COMMON)) $(VARIANT) \
	    $(if $(findstring openacc,$@),-fopenacc) $(OFFLOAD_TO) -fPIC -MMD -MP -MF $(@:.so=.d) -shared -o $@ $< $(ONE_UP) $(GPU) $(CUDA_LIBS)

$(BUILD)/%.so: $(PLAIN)/%.o
	@mkdir -p $(@D)
	$(call say,link)$(OBJECT) $(call libs_of,$*.c) $(if $(wildcard $*.cpp),-lstdc++) -lm

$(BUILD)/%.so: $(BUILD)/%.cu.o $(GPU)
	$(call say,link)$(OBJECT) $(call libs_of,$*.cu) $(ONE_UP) $(GPU) $(CUDA_LIBS)

$(BUILD)/ceilings/%.so: $(PLAIN)/harness/ceilings/%.o
	@mkdir -p $(@D)
	$(call say,link)$(OBJECT) $(call libs_of,harness/ceilings/$*.c) -lm

$(BUILD)/ceilings/%.so: $(BUILD)/harness/ceilings/%.cu.o $(GPU)
	@mkdir -p $(@D)
	$(call say,link)$(OBJECT) $(ONE_UP) $(GPU) $(CUDA_LIBS)

# With gold, if it is installed: it takes a third of the time.
LINK_WORKER = $(CC) $(COMMON) $(WRAP) $(if $(shell command -v ld.gold),-fuse-ld=gold) -o $@ $^ $(WORKER_LIBS)
$(if $(SIM),$(call ends,$(filter-out $(BY_MPI),$(CUDA)) $(BROKEN_CUDA))): %: %.cu.o $(BUILD)/worker.o
	$(call say,link)$(LINK_WORKER)
$(if $(SIM),$(call ends,$(filter $(BY_MPI),$(CUDA)))): %: %.cu.o $(BUILD)/worker_ranks.o
	$(call say,link)$(LINK_WORKER) $(mpicc--libs)

$(BUILD)/%.so: %.f90
	@mkdir -p $(@D)
	$(call say,f90 )gfortran -O3 -g -shared -fPIC -J$(@D) -o $@ $<

$(BUILD)/%.so: %.rs
	@mkdir -p $(@D)
	$(call say,rust)MAKEFLAGS= rustc --crate-type cdylib -C opt-level=3 -g -o $@ $<

# For any processor of this kind, as the other variants are; Zig's default is the one that compiles.
$(BUILD)/%.so: %.zig
	@mkdir -p $(@D)
	$(call say,zig )$(ZIG) build-lib -dynamic -fPIC -O ReleaseFast -fno-strip -mcpu=baseline --cache-dir $(BUILD)/zig \
	    --global-cache-dir $(BUILD)/zig -femit-bin=$@ $<

BLOCK     = sed -n '/^\(!\|\/\/\) \/\/\/ script/,/^\(!\|\/\/\) \/\/\/$$/{s,^\(!\|//\) ,,;/=/p}' $(1) && echo 'source = "$(1)"'
WRITE_CARD = { $(1) > $@.new || { rm -f $@.new; exit 1; }; } && mv $@.new $@
# A variant for other processors, or whose library is missing, only has a card: others may have it as their base.
WRITE_LACKING = @mkdir -p $(@D); \
	{ echo 'source = "$<"'; grep -o '\.\(idea\|base\) = "[^"]*"' $< | sed 's/^\.//'; echo 'phases = ["run"]'; \
	   echo '$(if $(filter $<,$(LACKING)),needs = "$(lastword $(subst :, ,$(filter $<:%,$(NEEDS))))",machine = "x86_64")'; \
	   $(if $(filter %.cu,$<),echo 'device = "gpu"';) } > $@
$(patsubst %.c,$(BUILD)/%.card,$(filter %.c,$(LACKING)) $(filter variants/%,$(X86_ONLY))): $(BUILD)/%.card: %.c
	$(WRITE_LACKING)
$(call cards,$(filter %.cu,$(LACKING))): $(BUILD)/%.card: %.cu
	$(WRITE_LACKING)
$(call cards,$(COMPILED)): $(BUILD)/%.card: $(BUILD)/%.so $(BUILD)/rungs-worker $(BUILD)/compilers
	@$(call WRITE_CARD,{ $(BUILD)/rungs-worker --card $< && $(call BLOCK,$(wildcard $*.f90 $*.rs $*.zig)); })
$(call cards,$(NO_COMPILER)): $(BUILD)/%.card: $(BUILD)/compilers
	@mkdir -p $(@D)
	@$(foreach f,$(wildcard $*.f90 $*.rs $*.zig),$(call WRITE_CARD,{ echo 'phases = ["run"]' && \
	    echo 'needs = "$(notdir $(compiler-$(patsubst .%,%,$(suffix $f))))"' && $(call BLOCK,$f); }))
$(COME): FORCE
$(BUILD)/%.card: $(BUILD)/%.so $(BUILD)/rungs-worker
	@$(call WRITE_CARD,$(BUILD)/rungs-worker --card $<)
$(if $(SIM),$(call cards,$(CUDA) $(BROKEN_CUDA))): %.card: %
	@$(call WRITE_CARD,$< --card)

$(BUILD)/compilers: FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILED)' | cmp -s - $@ || echo '$(COMPILED)' > $@

# The rules for variants in other folders, with this build's settings.
$(BUILD)/variant.mk: common/variant.mk FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$.new; { echo 'RUNGS_HOME := $$(dir $$(lastword $$(MAKEFILE_LIST)))'; \
	   echo 'RUNGS_CC := $(CC)'; echo 'RUNGS_CXX := $(CXX)'; echo 'RUNGS_FLAGS := $(filter-out -I.,$(COMMON)) $(VARIANT) $(WRAP)'; \
	   echo 'RUNGS_JUDGE := $(filter-out -I.,$(COMMON)) $(JUDGE)'; echo 'RUNGS_NVCC := $(NVCC)'; echo 'RUNGS_NVCCFLAGS := $(filter-out -I.,$(NVCCFLAGS))'; \
	   echo 'RUNGS_CUDA_MACHINE := $(strip $(CUDA_MACHINE))'; \
	   echo 'RUNGS_CUDA_LIBS := $(CUDA_LIBS)'; echo 'RUNGS_ZIG := $(ZIG)'; echo 'mpicc--cflags := $(mpicc--cflags)'; echo 'mpicc--libs := $(mpicc--libs)'; \
	   echo 'nccl--cflags := $(nccl--cflags)'; echo 'nccl--libs := $(nccl--libs)'; \
	   echo 'cusolver--cflags := $(cusolver--cflags)'; echo 'cusolver--libs := $(cusolver--libs)'; \
	   echo 'RUNGS_SIMULATE := $(if $(SIM),$(patsubst -I%,-I$$(RUNGS_HOME)../%,$(SIMULATE)))'; cat $<; } > $$new; \
	if cmp -s $@ $$new; then rm $$new; else mv $$new $@; fi

# The same program with the variants of tests/broken/, which must be rejected.
SCRIPT    = @printf '\#!/bin/sh\n%s exec "$${0%%/*}/rungs" "$$@"\n' $(1) > $@ && chmod +x $@
$(BUILD)/rungs-broken: $(BUILD)/rungs $(BUILD)/sources | $(BROKEN_CARDS)
	$(call SCRIPT,'RUNGS_VARIANTS="$${0%/*}/tests/broken"')

$(BUILD)/rungs-broken-cuda: $(BUILD)/rungs $(BUILD)/sources | $(BROKEN_CUDA_CARDS)
	$(call SCRIPT,'RUNGS_VARIANTS="$${0%/*}/tests/gpu/broken"')

# The same program with staged CUDA failures: calls that fail, and a driver that does not start.
$(BUILD)/rungs-failing: $(BUILD)/rungs $(BUILD)/tests/gpu/failing_runtime.so
	$(call SCRIPT,'LD_PRELOAD="$${0%/*}/tests/gpu/failing_runtime.so"')
$(BUILD)/tests/gpu/failing_runtime.so: tests/gpu/failing_runtime.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CC) -std=gnu11 $(WARN) -isystem $(CUDA_HOME)/include -shared -fPIC -o $@ $<

$(BUILD)/tests/gpu/libcuda.so.1: tests/gpu/fake_driver.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CC) -std=gnu11 $(WARN) -isystem $(CUDA_HOME)/include -shared -fPIC -o $@ $<

# gnuplot's scripts are part of the program: names and texts, each ended by a zero byte.
$(PLAIN)/plots.scripts: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$.new; { for f in plots/*.gp; do basename -z "$$f" .gp && cat "$$f" && printf '\0'; done; \
	    printf '\0'; } > $$new; if cmp -s $@ $$new; then rm $$new; else mv $$new $@; fi
$(PLAIN)/harness/plots/scripts.o: $(PLAIN)/plots.scripts
$(PLAIN)/harness/plots/scripts.o: COMMON += -Wa,-I$(PLAIN)

# Changes when a source was added or removed, so that removed ones are no longer linked or listed.
stale     = $(filter-out $(patsubst %.card,%.$(1),$(CARDS) $(BROKEN_CARDS) $(BROKEN_CUDA_CARDS)),$(wildcard \
    $(patsubst %,$(BUILD)/%/*.$(1),ceilings variants/* tests/broken/* tests/gpu/broken/*)))
$(BUILD)/sources: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$.new; echo $(HARNESS) $(VARIANTS) $(CPP) $(COMPILED) $(CUDA) $(SIMULATOR) $(BROKEN) $(BROKEN_CUDA) > $$new; \
	if cmp -s $@ $$new; then rm $$new; else mv $$new $@; fi
	@rm -f $(call stale,card) $(call stale,so)

$(BUILD)/tests/unit/test_sample: $(BUILD)/harness/worker/sample.o $(BUILD)/harness/worker/verify.o
$(BUILD)/tests/unit/test_companions: $(BUILD)/harness/worker/keep_on.o $(BUILD)/harness/worker/sample.o $(BUILD)/harness/worker/verify.o
$(BUILD)/tests/unit/test_%: $(BUILD)/tests/unit/test_%.o $(TESTABLE)
	$(call say,link)$(CC) $(COMMON) $(WRAP) -o $@ $^ $(LIBS) -lcmocka

# Tests of file readers define memory_available themselves; the linker takes the first definition.
$(BUILD)/tests/unit/files/test_%: $(BUILD)/tests/unit/files/test_%.o $(TESTABLE)
	$(call say,link)$(CC) $(COMMON) $(WRAP) -Wl,-z,muldefs -o $@ $^ $(LIBS) -lcmocka

# These make files with GDAL; the library that they load finds the program's names in them.
$(BUILD)/tests/unit/files/test_%_gdal.o: COMMON += $(GDAL_FLAGS)
$(BUILD)/tests/unit/files/test_%_gdal: $(BUILD)/tests/unit/files/test_%_gdal.o $(TESTABLE) $(GDAL)
	$(call say,link)$(CC) $(COMMON) $(WRAP) -Wl,-z,muldefs -rdynamic -o $@ $(filter %.o,$^) $(LIBS) $(GDAL_LIBS) -lcmocka

# So do the fuzzers, which are built with SANITIZE=fuzzer.
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(TESTABLE)
	$(call say,link)$(CC) $(COMMON) -fsanitize=fuzzer $(WRAP) -Wl,-z,muldefs -o $@ $^ $(LIBS)

# Ceilings are compiled like variants, because they measure what a variant could reach.
$(call objects,$(CEILINGS)): $(PLAIN)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CCACHE) $(CC) $(COMMON) $(VARIANT) $(call flags_of,$<,--cflags) -MMD -MP -c -o $@ $<

$(PLAIN)/variants/%.o: variants/%.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CCACHE) $(CC) $(COMMON) $(VARIANT) $(call flags_of,$<,--cflags) -MMD -MP -c -o $@ $<

$(PLAIN)/variants/%.o: variants/%.cpp
	@mkdir -p $(@D)
	$(call say,c++ )$(CCACHE) $(CXX) -std=c++20 $(filter-out -std=%,$(COMMON)) $(VARIANT) -Wno-missing-field-initializers -MMD -MP -c -o $@ $<

# These files are included as they are.
$(PLAIN)/harness/report/page.o: harness/report/page.css harness/report/page.js
$(PLAIN)/harness/view/page.o: harness/view/page.css $(wildcard harness/view/*.js)
$(PLAIN)/workshop/serve/answer.o: $(wildcard workshop/serve/*.html workshop/serve/*.css workshop/serve/*.js)

$(PLAIN)/tests/broken/%.o: tests/broken/%.c
	@mkdir -p $(@D)
	$(call say,cc  )$(CCACHE) $(CC) $(COMMON) $(VARIANT) -MMD -MP -c -o $@ $<

COMPILE   = $(call say,cc  )$(CCACHE) $(CC) $(COMMON) $(JUDGE) -MMD -MP -c -o $@ $<
$(PLAIN)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE)
ifneq ($(PLAIN),$(BUILD))
# The sandbox in which a learner's file is compiled may write only here.
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE)
endif

ifeq ($(SIM),)
$(BUILD)/%.cu.o: %.cu
	@mkdir -p $(@D)
	$(call say,nvcc)$(CCACHE) $(NVCC) $(NVCCFLAGS) $(call arch_flags,$(call one_arch,$<)) $(call flags_of,$<,--cflags) -MMD -MP -c -o $@ $<
else
# Compiled to assembler text first, in which each thread-local array gets a gap behind it: harness/sim/shared.c.
$(BUILD)/%.cu.o: $(BUILD)/%.cu.cc $(BUILD)/first.h.gch
	$(call say,c++ )$(CCACHE) $(CXX) $(SIMULATE) $(call flags_of,$*.cu,--cflags) -include $(BUILD)/first.h -MMD -MP -MT $@ -MF $(@:.o=.d) -S -o $(@:.o=.s) $<
	@awk -f harness/sim/gaps.awk $(@:.o=.s) | $(CXX) -c -x assembler -o $@ -
	@rm $(@:.o=.s)

# A precompiled header: its text took most of the time to compile each file.
$(BUILD)/first.h.gch: harness/sim/include/cuda_runtime.h
	@mkdir -p $(@D) && echo '#include <cuda_runtime.h>' > $(@:.gch=)
	$(call say,c++ )$(CCACHE) $(CXX) $(SIMULATE) -MMD -MP -MF $(@:.gch=.d) -x c++-header -o $@ $(@:.gch=)

# Rewritten to C++: launches, also in headers of the same folder, which are inserted.
$(BUILD)/%.cu.cc: %.cu $(BUILD)/rewrite $(wildcard variants/*/*.h tests/sim/*.h)
	@mkdir -p $(@D)
	@$(BUILD)/rewrite $< > $@.new && mv $@.new $@

$(BUILD)/rewrite: $(call objects,$(wildcard harness/sim/rewrite/*.c))
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(COMMON) -o $@ $^

$(BUILD)/%.o: %.S
	@mkdir -p $(@D)
	$(call say,as  )$(CC) -c -o $@ $<

# Small programs, right or with deliberate mistakes; tests/sim/sim.t runs them.
$(BUILD)/tests/sim/%.cu.o: private SIMULATE += -Wno-unused-result
$(BUILD)/tests/sim/%: $(BUILD)/tests/sim/%.cu.o $(call objects,$(SIMULATOR))
	$(call say,link)$(CC) $(COMMON) -o $@ $^ $(WORKER_LIBS)
endif

# The program of an exercise is a worker that contains the learner's variant.
$(BUILD)/%.lab: $(BUILD)/%.cu.o $(BUILD)/worker.o
	$(call say,link)$(LINK_WORKER)

$(BUILD)/%.lab: $(BUILD)/%.o $(BUILD)/worker.o
	$(call say,link)$(LINK_WORKER)

# Compiled like variants: the learner's folder, and the versions of dev check.
$(BUILD)/learn/%.o $(BUILD)/build-sim/%.o: JUDGE := $(VARIANT)
# To draw what it reads and writes: harness/sim/touches.c.
$(BUILD)/build-sim/dev/seen/%.o: JUDGE := -O1 -g -fsanitize=thread $(IN_LOOPS)

# Facts for the records.  The file changes only when they do.
$(BUILD)/build_info.c: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$.new; { echo '#include "harness/machine/machine.h"'; \
	   echo 'const char build_version[] = "$(VERSION)";'; \
	   echo 'const char build_commit[] = "$(COMMIT)";'; \
	   echo 'const char build_compiler[] = "$(shell $(CC) --version | head -n 1)";'; \
	   echo 'const char build_nvcc[] = "$(if $(NVCC),$(shell $(NVCC) --version | tail -n 1) $(strip $(NVCCFLAGS) $(CUDA_MACHINE)))";'; \
	   echo 'const char build_judge_flags[] = "$(COMMON) $(JUDGE)";'; \
	   echo 'const char build_variant_flags[] = "$(COMMON) $(VARIANT)";'; } > $$new; \
	if cmp -s $@ $$new; then rm $$new; else mv $$new $@; fi

$(BUILD)/build_info.o: $(BUILD)/build_info.c
	$(call say,cc  )$(CC) $(COMMON) $(JUDGE) -c -o $@ $<

# --- goals ----------------------------------------------------------------------------------------
bench: $(BUILD)/rungs                     ## judge and time the variants of the five main problems
bench-all: $(BUILD)/rungs                 ## the same of all problems
bench bench-all:
	@mkdir -p results
	-$(BUILD)/rungs ceilings --if-missing
	$(BUILD)/rungs bench$(if $(filter %-all,$@), --all)

sweep: $(BUILD)/rungs                     ## from which size on is which variant faster?
	@mkdir -p results
	$(BUILD)/rungs sweep

# From the newest records, or from others: make plots FILES='results/reference/h200-*.jsonl'
newest    = $(lastword $(sort $(wildcard results/$(1)-*.jsonl)))
RECORDS   = $(or $(FILES),$(call newest,bench) $(call newest,sweep))
# Without gnuplot, or without data for a kind of picture, a line says so, and the report can still be made.
nothing_is_fine = || [ $$? -eq 4 ]
plots: $(BUILD)/rungs                     ## pictures of the newest records, or FILES, by gnuplot
	@[ -n "$(strip $(RECORDS))" ] || { echo "results/ holds no records; make bench writes some"; exit 1; }
	$(BUILD)/rungs plot all $(RECORDS) --out results/plots $(nothing_is_fine)
	$(if $(or $(FILES),$(filter 1,$(words $(wildcard results/bench-*.jsonl)))),, \
	    $(BUILD)/rungs plot history $$(ls results/bench-*.jsonl | tail -n 40) --out results/plots \
	        $(nothing_is_fine))

REPORT   ?= results/report.html
report: $(BUILD)/rungs                    ## a page of the newest records, or FILES, for a browser
	@[ -n "$(strip $(RECORDS))" ] || { echo "results/ holds no records; make bench writes some"; exit 1; }
	$(BUILD)/rungs report $(RECORDS) --out $(REPORT)

check: $(BUILD)/rungs                     ## judge every variant, without timing it
	$(BUILD)/rungs check

# --- tests ----------------------------------------------------------------------------------------
# The folder of a test decides when it runs; tests/README.md says what each folder holds.
UNIT     := $(patsubst tests/%.c,$(BUILD)/tests/%,$(UNITS))
in        = $(foreach folder,$(1),$(sort $(wildcard tests/$(folder)/*.t)))
QUICK    := $(call in,broken cli) $(UNIT)
# Long tests start first, so that no core is idle at the end; the longest are these.
LONGEST  := $(patsubst %,tests/%.t,sim/variants long/check languages/dask sim/ranks cli/records lab/masters long/exact languages/mpi)
TESTS    := $(LONGEST) $(filter-out $(LONGEST),$(call in,lab sim long languages gpu) $(QUICK))
# These judge times, so nothing else may run beside them.
ALONE    := $(call in,timing)

# Runs the tests $(1) in parallel, one more than there are cores, because some wait.  Then runs $(2) one after another,
# as prove does with tests that no rule names.
prove     = MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' BUILD=$(BUILD) CMOCKA_MESSAGE_OUTPUT=TAP \
    prove --timer --jobs $$(($$(nproc) + 1)) $(patsubst %,--rules par=%,$(1)) --exec '' $(1) $(2)

quick: $(BUILD)/rungs $(BUILD)/rungs-broken $(UNIT) ## the tests for everyday work: a minute in all
	@$(call prove,$(QUICK))

programs: $(BUILD)/rungs $(BUILD)/rungs-broken $(FAILING) $(UNIT) \
    $(patsubst tests/%.cu,$(BUILD)/tests/%,$(MISTAKES))

# The simulator's programs, built before the tests start, because several tests use them at a time.
simulated: programs
	@! command -v $(CXX) >/dev/null || $(MAKE) --no-print-directory SIM=1 SANITIZE= DEBUG= \
	    $(patsubst %,build-sim/%,rungs rewrite worker.o $(patsubst %.cu,%,$(wildcard tests/sim/*.cu)))

test: simulated                           ## all tests; ends in prove's verdict
	@$(call prove,$(TESTS),$(ALONE))

hostile: $(BUILD)/rungs                   ## malicious variants, each in a namespace of its own, and a table
	@BUILD=$(BUILD) sh tests/hostile/run.sh

# Another commit draws others.
SEED     ?= $(COMMIT)
hostile-some: $(BUILD)/rungs              ## some of each kind of them, drawn by the commit or by SEED: half a minute
	@files=$$(python3 tests/hostile/draw.py $(SEED)) && echo "drawn by SEED=$(SEED)" && \
	    BUILD=$(BUILD) sh tests/hostile/run.sh $$files

man: $(BUILD)/rungs                       ## the list of options in docs/rungs.1, from the program's table
	@{ sed '/^\.\\" make man/q' docs/rungs.1; echo '.Bl -tag -width Ds'; $< help man-options; echo .El; \
	   sed -n '/^\.\\" The list ends/,$$p' docs/rungs.1; } > $(BUILD)/rungs.1
	@cp $(BUILD)/rungs.1 docs/rungs.1

# The sources for the analysers, without the variants that are wrong on purpose.
# clang has not what GCC sends to a GPU.
LINTED   := $(HARNESS) harness/library/rungs.c $(if $(GDAL),$(IN_GDAL)) $(WORKER_ONLY) $(ONLY_FOREIGN) $(if $(RANKS),$(ONLY_RANKS)) $(CEILINGS) $(filter-out $(OFFLOAD),$(VARIANTS)) $(SERVER) $(UNITS)
# A sixth of the usual number of paths through a function takes a sixth of the time.
PATHS    := -Xclang -analyzer-config -Xclang max-nodes=37500
lint:                                     ## clang-tidy and cppcheck, both silent
	@for tool in clang-tidy cppcheck; do \
	    command -v $$tool >/dev/null || { echo "needs: apt-get install $$tool"; exit 1; }; \
	done
	@printf '%s\n' $(LINTED) | xargs -P $$(nproc) -n 4 \
	    sh -c 'clang-tidy --quiet "$$@" -- $(COMMON) $(GDAL_FLAGS) $(mpicc--cflags) $(PATHS) 2>&1' clang-tidy | \
	    { ! grep -A 6 -E 'warning:|error:'; }
	@cppcheck --quiet --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
	    --suppress=missingIncludeSystem -I. -j $$(nproc) $(LINTED)

# Every variant in C or C++ at every check size, the right ones of tests/broken/, and the unit tests.  A problem is
# checked on one core, so as many are checked at a time as there are cores.
sanitize:                                 ## checks and unit tests under the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory SANITIZE=address NVCC= sanitized
sanitized: $(BUILD)/rungs $(BUILD)/rungs-broken $(UNIT)
	@$(BUILD)/rungs list '*/cpu_*' '*/cpp_*' --names | awk -F / '{ of[$$1] = of[$$1] " " $$0 } END { for (p in of) print of[p] }' | \
	    xargs -P $$(nproc) -L 1 sh -c 'said=$$($(BUILD)/rungs check "$$@" 2>&1); status=$$?; echo "$$said"; exit $$status' sh
	$(BUILD)/rungs-broken check '*/right'
	@$(call prove,$(UNIT))

arm64:                                    ## build for 64-bit ARM, judge variants and run unit tests there, under qemu
	@sh tests/arm64/run.sh
# Without those that the kernel answers as for qemu (huge pages, confinement, processes that end), and those that compute for minutes there.
EMULATED := $(filter-out $(patsubst %,$(BUILD)/tests/unit/test_%,arena confine keeper comparison judges plausible stats axxat),$(UNIT))
emulated: $(BUILD)/rungs $(EMULATED)
	$(BUILD)/rungs check 'saxpy/cpu_*' 'reduce/cpu_*' 'compact/cpu_*'
	@$(call prove,$(EMULATED))

FUZZ_SECONDS ?= 60
READERS  := csv npy pgm records
fuzz:                                     ## fuzz the readers of users' files, a minute each
	@command -v clang >/dev/null || { echo "needs: apt-get install clang"; exit 1; }
	@$(MAKE) --no-print-directory CC=clang NVCC= SANITIZE=fuzzer \
	    $(READERS:%=build-fuzzer/tests/fuzz/%)
	sh tests/fuzz/seeds.sh build-fuzzer/seeds
	for reader in $(READERS); do \
	    build-fuzzer/tests/fuzz/$$reader -max_total_time=$(FUZZ_SECONDS) -max_len=2048 \
	        -verbosity=0 build-fuzzer/seeds/$$reader || exit 1; \
	done

mpi:                                      ## what this build has found for variants by MPI and NCCL
	@echo 'MPI:  $(or $(strip $(mpicc--libs)),none: no mpicc)'
	@echo 'NCCL: $(or $(strip $(filter-out $(mpicc--libs) -Wl%,$(nccl--libs)) $(if $(SIM),the simulator)),none: no nccl.h with libnccl.so; NCCL_HOME=FOLDER names theirs)'

workshop:                                 ## what the exercises need; then: build-sim/rungs lab
	@$(MAKE) --no-print-directory SIM=1 NVCC= build-sim/rungs build-sim/worker.o server
	@echo 'ready: build-sim/rungs lab'

# Without the library the workshop has no page.
server: $(if $(SERVER),$(BUILD)/rungs-serve) ;

key:                                      ## the instructor's key, from the exercises' masters
	@$(MAKE) --no-print-directory workshop >/dev/null && build-sim/rungs lab dev key

# For a projector and for paper: one file each, with style and pictures inside.
SLIDES   := $(BUILD)/workshop/slides.html $(BUILD)/workshop/handout.html
slides: $(SLIDES)                         ## slides and a handout for a workshop, as pages that print
	@ls $^
$(SLIDES): $(BUILD)/workshop/%.html: docs/workshop/%.md docs/workshop/%.css docs/workshop/page.awk $(wildcard docs/pictures/*.svg)
	@command -v cmark-gfm >/dev/null || { echo "needs: apt-get install cmark-gfm"; exit 1; }
	@mkdir -p $(@D)
	@cmark-gfm --extension table $< | awk -f docs/workshop/page.awk -v style=docs/workshop/$*.css -v folder=docs/workshop \
	    >$@.new && mv $@.new $@

BUNDLE := rungs-workshop-$(VERSION)
bundle:                                   ## one archive for a classroom without a network
	git archive --format=tar.gz --prefix=$(BUNDLE)/ -o $(BUNDLE).tar.gz HEAD
	@ls -l $(BUNDLE).tar.gz

sim:                                      ## CUDA variants and wrong kernels in the simulator, on the CPU
	SHARD=1/1 prove --timer --exec '' tests/sim/*.t tests/lab/masters.t

profile: $(BUILD)/rungs                   ## a variant under ncu or perf: make profile V=knn/cuda_warp SIZE=L
	@[ -n "$(filter-out 1,$(V))" ] || { echo "make profile V=PROBLEM/VARIANT, as in V=knn/cuda_warp"; exit 2; }
	$(BUILD)/rungs profile $(V) $(if $(SIZE),--size $(SIZE))

# The code of the newest generation that the variant was compiled for.
sass:                                     ## machine code of a variant's kernels: make sass V=knn/cuda_warp
	@[ -f variants/$(V).cu ] || { echo "make sass V=PROBLEM/VARIANT, as in V=knn/cuda_warp"; exit 2; }
	@[ -x "$(CUDA_HOME)/bin/cuobjdump" ] || { echo "cuobjdump is not beside nvcc ($(NVCC))"; exit 1; }
	@$(MAKE) --no-print-directory V= $(BUILD)/variants/$(V).cu.o
	@$(CUDA_HOME)/bin/cuobjdump --dump-sass \
	    $(if $(filter native,$(CUDA_ARCH)),,-arch sm_$(lastword $(CUDA_ARCH))) \
	    $(BUILD)/variants/$(V).cu.o | c++filt | awk -f harness/profile/sass.awk

# The variants of tests/gpu/broken/ show that the tools find mistakes at all.
memcheck: $(BUILD)/rungs $(if $(CUDA),$(BUILD)/rungs-broken-cuda) ## CUDA variants under compute-sanitizer
	@PATH="$$PATH:$(CUDA_HOME)/bin" sh tests/gpu/memcheck.sh $(BUILD)

# The packages that variants in Python need.  Nothing else needs them.
GROUPS   ?= core
python:                                   ## install what variants in Python need, in .venv: GROUPS=core
	@sh common/python/install.sh $(GROUPS)

python-update:                            ## lock newer versions of these packages; needs uv
	@for list in common/python/*.in; do \
	    echo '# Made from '$${list##*/}' by `make python-update`: every version and the hash of every file.' > $${list%.in}.txt; \
	    uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --upgrade --python-version 3.11 $$list \
	        >> $${list%.in}.txt || exit 1; done

# Packages use: make install PREFIX=/usr DESTDIR=...
PREFIX   ?= /usr/local
SCRIPTS   = $(shell sed -n 's/^    {"\(\.[a-z0-9]*\)", .*/\1/p' harness/model/language.c)#  endings of what is not built
HOME_IN   = $(DESTDIR)$(PREFIX)/lib/rungs
install: $(BUILD)/rungs                   ## program, variants, headers, man page, completion: PREFIX=/usr/local
	install -D -m 755 $(BUILD)/rungs $(DESTDIR)$(PREFIX)/bin/rungs
	install -D -m 755 $(BUILD)/rungs-worker $(HOME_IN)/rungs-worker
	install -m 755 $(BUILD)/librungs-worker.so $(RANKS) $(HOME_IN)
	install -m 644 $(LAUNCHER) $(HOME_IN)
	install -m 755 $(BUILD)/librungs.so $(DESTDIR)$(PREFIX)/lib
	install -D -m 644 $(BUILD)/rungs_c.py $(HOME_IN)/python/rungs_c.py
	ln -sf ../../librungs.so $(HOME_IN)/python/librungs.so
	ln -sf python/rungs_c.py ../librungs.so $(HOME_IN)/ # for tasks of engines, whose folder this is
	[ ! -f $(BUILD)/rungs.jar ] || { install -D -m 644 $(BUILD)/rungs.jar $(HOME_IN)/java/rungs.jar && \
	    install -m 755 $(BUILD)/librungs_jni.so $(DESTDIR)$(PREFIX)/lib; }
	install -D -m 644 harness/library/rungs.h $(DESTDIR)$(PREFIX)/include/rungs/rungs.h
	install -D -m 644 $(BUILD)/variant.mk $(HOME_IN)/variant.mk
	$(if $(GPU)$(GDAL),install -m 755 $(GPU) $(GDAL) $(HOME_IN))
	for card in $(patsubst $(BUILD)/%,%,$(CARDS)); do \
	    install -D -m 644 $(BUILD)/$$card $(HOME_IN)/$$card && \
	    for file in $${card%.card}.so $${card%.card}; do \
	        [ ! -f $(BUILD)/$$file ] || install -m 755 $(BUILD)/$$file $(HOME_IN)/$$file; done || exit 1; \
	done
	for source in $(wildcard $(addprefix variants/*/*,$(SCRIPTS))); do \
	    install -D -m 644 $$source $(HOME_IN)/$$source || exit 1; done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/rungs/common common/*.h
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/rungs/harness/model harness/model/*.h
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/rungs/harness/base harness/base/*.h
	install -D -m 644 docs/rungs.1 $(DESTDIR)$(PREFIX)/share/man/man1/rungs.1
	for shell in bash/bash-completion/completions/rungs zsh/zsh/site-functions/_rungs \
	    fish/fish/vendor_completions.d/rungs.fish; do \
	    file=$(DESTDIR)$(PREFIX)/share/$${shell#*/} && mkdir -p $${file%/*} && \
	    $(BUILD)/rungs completion $${shell%%/*} > $$file || exit 1; done
	mkdir -p $(DESTDIR)$(PREFIX)/lib/pkgconfig
	printf '%s\n' 'prefix=$(PREFIX)' 'variants=$${prefix}/lib/rungs/variants' \
	    'makefile=$${prefix}/lib/rungs/variant.mk' 'python=$${prefix}/lib/rungs/python' '' 'Name: rungs' 'Version: $(VERSION)' \
	    'Description: benchmarks of one problem, every way to compute it' \
	    'Cflags: -I$${prefix}/include/rungs' 'Libs: -L$${prefix}/lib -lrungs' > $(DESTDIR)$(PREFIX)/lib/pkgconfig/rungs.pc

deb:                                      ## a Debian package of the last commit, for CPUs, in build-deb/
	@command -v dpkg-buildpackage dh >/dev/null || { echo 'needs: apt-get install debhelper'; exit 1; }
	rm -rf build-deb && mkdir -p build-deb/rungs
	git archive HEAD | tar -x -C build-deb/rungs
	cd build-deb/rungs && COMMIT=$$(git describe --always) dpkg-buildpackage -b -us -uc
	@ls build-deb/*.deb

clean:                                    ## remove what was built, and nothing else
	rm -rf build build-*

help:                                     ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  \1\t/p' Makefile | expand -t 14

FORCE:
.PHONY: all java bench bench-all hostile hostile-some sweep plots report check quick programs simulated test man lint sanitize \
    sanitized arm64 emulated fuzz mpi workshop server key bundle slides sim python python-update profile sass memcheck deb clean help FORCE
.SECONDARY:

# --- packages -------------------------------------------------------------------------------------
# Make updates the files that it includes and then starts again.  So setup.sh has installed the packages before
# anything above needs them.
ifeq ($(filter clean help,$(MAKECMDGOALS))$(filter :,$(SETUP)),)
-include build/packages.mk
build/packages.mk: setup.sh
	@mkdir -p build
	@$(SETUP)
	@echo '# setup.sh has run' > $@
endif
# What an exercise needs of the other build is there already.
-include $(shell find $(sort $(BUILD) $(if $(filter %.lab,$(MAKECMDGOALS)),,$(PLAIN))) -name '*.d' 2>/dev/null)
