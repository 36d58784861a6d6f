# Builds a variant that lies outside of this repository.  `rungs build FILE...` runs it, and a Makefile of your own may
# include it (docs/embed.md).  PROBLEM/STRATEGY.c, .cpp or .cu becomes PROBLEM/STRATEGY.so and PROBLEM/STRATEGY.card.
# A file states its requirements in comments, as the variants of Rungs do: /* needs: PACKAGE */, /* nvcc: sm_90a */.
# CFLAGS, CXXFLAGS, NVCCFLAGS and LDLIBS are appended to the settings that the build of Rungs has written above this text.
RUNGS_INCLUDE := $(or $(wildcard $(RUNGS_HOME)../../include/rungs),$(RUNGS_HOME)..)

# Not a .pc: pkg-config would read that file in the working folder, whose flags may be commands.
rungs_needs = $(patsubst %.pc,%,$(shell sed -n 's,^/\* needs: \([a-zA-Z0-9_.+-]*\).*,\1,p' $<))
rungs_flags = $(if $(rungs_needs),$(or $($(rungs_needs)$(1)),$(shell pkg-config $(1) $(rungs_needs) 2>/dev/null)))
# Without its package a file is not built, and the message says so.
rungs_have  = @p='$(if $($(rungs_needs)--cflags)$($(rungs_needs)--libs),,$(rungs_needs))'; [ -z "$$p" ] || pkg-config --exists $$p || \
    { echo "$<: left out: pkg-config does not know the package $$p: install it, or set PKG_CONFIG_PATH" >&2; exit 1; }
rungs_one   = $(shell sed -n 's,^/\* nvcc: sm_\([0-9a-z]*\) \*/,\1,p' $<)
# Not -arch, which compiles for the generation without its letter, too.
rungs_arch  = $(if $(rungs_one),-gencode arch=compute_$(rungs_one)$(comma)code=sm_$(rungs_one),$(RUNGS_CUDA_MACHINE))
comma       := ,

# A problem is part of the judge: it has strict IEEE arithmetic, and `rungs` itself loads it, not a worker.
%/problem.so: %/problem.c
	$(RUNGS_CC) $(RUNGS_JUDGE) -fPIC -I$(RUNGS_INCLUDE) $(CFLAGS) -MMD -MP -MF $*/problem.d -MT $@ -shared -o $@ $< \
	    $(LDLIBS) -lm

%.so: %.c
	$(rungs_have)
	$(RUNGS_CC) $(RUNGS_FLAGS) -I$(RUNGS_INCLUDE) $(call rungs_flags,--cflags) $(CFLAGS) \
	    -MMD -MP -MF $*.d -MT $@ -shared -Wl,-Bsymbolic -o $@ $< $(call rungs_flags,--libs) $(LDLIBS) -lm

%.so: %.cpp
	$(rungs_have)
	$(RUNGS_CXX) -std=c++20 $(filter-out -std=%,$(RUNGS_FLAGS)) -Wno-missing-field-initializers -I$(RUNGS_INCLUDE) $(call rungs_flags,--cflags) $(CXXFLAGS) \
	    -MMD -MP -MF $*.d -MT $@ -shared -Wl,-Bsymbolic -o $@ $< $(call rungs_flags,--libs) $(LDLIBS) -lm

%.so: %.cu
	@[ -n "$(RUNGS_NVCC)" ] || { echo "$<: this build of Rungs has no CUDA" >&2; exit 1; }
	$(rungs_have)
	$(RUNGS_NVCC) $(RUNGS_NVCCFLAGS) $(rungs_arch) -I$(RUNGS_INCLUDE) $(call rungs_flags,--cflags) $(NVCCFLAGS) -MMD -MP -MF $*.d -MT $@ \
	    -c -o $*.cu.o $<
	$(RUNGS_CC) $(RUNGS_FLAGS) -shared -Wl,-Bsymbolic -o $@ $*.cu.o -Wl,-rpath,$(abspath $(RUNGS_HOME)) \
	    $(call rungs_flags,--libs) $(RUNGS_HOME)librungs-gpu.so $(RUNGS_CUDA_LIBS) $(LDLIBS)
	@rm $*.cu.o

# Languages whose compilers make shared objects: functions named run, prepare, ... are the phases, and the card stands
# in a comment block at the source's head (docs/other-languages.md).
%.so: %.f90
	$(or $(shell command -v gfortran),$(error there is no gfortran)) -O3 -g -shared -fPIC -J$(@D) -o $@ $< $(LDLIBS)
%.so: %.rs
	MAKEFLAGS= $(or $(shell command -v rustc),$(error there is no rustc)) --crate-type cdylib -C opt-level=3 -o $@ $<
# The cache is the one that Zig has anyway; by default it would make another one here.
rungs_zig_cache = $(or $(ZIG_GLOBAL_CACHE_DIR),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/zig)
%.so: %.zig
	$(or $(shell command -v zig || command -v $(RUNGS_ZIG)),$(error there is no zig)) build-lib -dynamic -fPIC -O ReleaseFast \
	    -mcpu=baseline --cache-dir $(rungs_zig_cache) --global-cache-dir $(rungs_zig_cache) -femit-bin=$@ $< $(LDLIBS)

rungs_block = sed -n '/^\(!\|\/\/\) \/\/\/ script/,/^\(!\|\/\/\) \/\/\/$$/{s,^\(!\|//\) ,,;/=/p}' $(1) && echo 'source = "$(1)"'
$(foreach s,f90 rs zig,$(eval %.card: %.so %.$s ; @{ $$(RUNGS_HOME)rungs-worker --card $$< && \
    $$(call rungs_block,$$(word 2,$$^)); } > $$@.new && mv $$@.new $$@ || { rm -f $$@.new; exit 1; }))

# The simulator's build makes a program, which is itself the worker, as the Makefile of Rungs does for its own .cu files.
ifneq ($(RUNGS_SIMULATE),)
%.card: %.cu
	@$(RUNGS_HOME)rewrite $< > $*.cu.cc
	$(RUNGS_CXX) $(RUNGS_SIMULATE) -include $(RUNGS_HOME)first.h -I$(@D) -S -o $*.s $*.cu.cc
	@awk -f $(RUNGS_HOME)../harness/sim/gaps.awk $*.s | $(RUNGS_CXX) -c -x assembler -o $*.cu.o -
	$(RUNGS_CC) $(RUNGS_FLAGS) -o $* $*.cu.o $(RUNGS_HOME)worker.o $(LDLIBS) -lm -ldl -lstdc++
	@rm -f $*.so $*.s $*.cu.cc $*.cu.o
	@$(abspath $*) --card > $@.new && mv $@.new $@ || { rm -f $@.new; exit 1; }
endif

%.card: %.so
	@$(RUNGS_HOME)rungs-worker --card $< > $@.new && mv $@.new $@ || { rm -f $@.new; exit 1; }

.PRECIOUS: %.so
