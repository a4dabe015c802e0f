#!/bin/sh
# Runs a program that contains the server: `sh scripts/server.sh scripts/start.ts`. It sets what Node reads
# at its start; `npm start`, `npm run demo`, `npm run leads`, the container and the tests all use it.

# Caches stripped and compiled sources (8 MB on disk). Later starts need no type stripper, which makes them
# faster and saves 8 MiB of memory. Node checks that each cached file is current.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$(dirname "$0")/../node_modules/.cache/server}"

# glibc gives every helper thread (compiler, collector, compression) its own allocation arena, which never
# shrinks. They allocate little, so sharing one arena costs nothing measurable.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"

# Returns short-lived memory of the compiler and compression to the system. In the arena it would leave
# permanent holes: 16 MiB after 20,000 posts.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-16384}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-65536}"

# V8 sizes its heap by the machine's memory: with 24 GB the young generation grows to 110 MB, and the old
# one to four times its live data (30 MB). This young generation still holds a request's garbage; the old one
# is collected after growing by half.
# `--expose-gc`: the server collects garbage before it refuses requests for want of memory.
exec node --expose-gc --max-semi-space-size=8 --heap-growing-percent=50 "$@"
