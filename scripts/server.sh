#!/bin/sh
# Runs a program that contains the server: `sh scripts/server.sh scripts/start.ts`. It sets Node's start-up
# options. `npm start`, `npm run demo`, `npm run leads`, the container and the tests all use it.

# Caches compiled sources (8 MB on disk). Later starts skip type stripping, so they are faster and use 8 MiB
# less memory. Node checks that each cached file is current.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$(dirname "$0")/../node_modules/.cache/server}"

# By default glibc gives every helper thread (compiler, collector, compression) its own memory arena, which
# never shrinks. One shared arena is enough, because these threads allocate little.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"

# Returns short-lived memory of the compiler and compression to the system. Inside the arena it would leave
# unusable gaps: 16 MiB after 20,000 posts.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-16384}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-65536}"

# V8 sizes its heap by the machine's memory. With 24 GB the young generation grows to 110 MB, and the old one
# to four times its live data (30 MB). `--max-semi-space-size` still holds a request's garbage.
# `--heap-growing-percent`: the old generation is collected after growing by half.
# `--expose-gc`: the server collects garbage before it refuses requests for lack of memory.
exec node --expose-gc --max-semi-space-size=8 --heap-growing-percent=50 "$@"
