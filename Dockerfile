# Rungs in a container: docs/where-it-runs.md.
#
#     docker build -t rungs .
#     docker run --rm -v "$PWD:/work" rungs bench saxpy
#
# With CUDA, where the host has NVIDIA's driver and container toolkit:
#
#     docker build -t rungs-cuda --build-arg BASE=nvidia/cuda:13.0.0-devel-ubuntu24.04 .
#     docker run --rm --gpus all -v "$PWD:/work" rungs-cuda bench saxpy
ARG BASE=debian:bookworm

# What builds and tests Rungs: for .devcontainer/, too.
FROM ${BASE} AS dev
COPY setup.sh /tmp/setup.sh
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git make python3 \
    && /tmp/setup.sh \
    && rm -rf /tmp/setup.sh /var/lib/apt/lists/*

# The program.  The compiler stays, because `rungs build` compiles variants of the user's.
FROM dev
COPY . /usr/src/rungs
RUN make -C /usr/src/rungs && make -C /usr/src/rungs install && rm -rf /usr/src/rungs
WORKDIR /work
ENTRYPOINT ["rungs"]
CMD ["--help"]
