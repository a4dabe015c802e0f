#!/bin/sh
# Runs a program that the server lives in: `sh scripts/server.sh scripts/start.ts`. Here is what Node
# must be told before it starts; `npm start`, `npm run demo`, the container and the tests all come
# through here. `npm run bench -- memory` measures it.

# Stripped and compiled sources are kept (8 MB on disk): from the second start on, the type stripper is
# not loaded at all, which is 8 MiB less and an earlier start. Node checks that each is still current.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$(dirname "$0")/../node_modules/.cache/server}"

# glibc gives every helper thread (compiler, collector, compression) an allocation arena of its own, and
# none gives back what it once had. They allocate little: sharing one costs nothing measurable.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"

# What the compiler and compression need for a moment goes back to the system: taken from the arena it would
# leave holes there that stay, 16 MiB after 20,000 posts.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-16384}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-65536}"

# V8 sizes itself by the machine's memory: on one of 24 GB the young generation grows to 110 MB and the
# old one to four times what is alive (30 MB). The young one stays small enough that a request's
# garbage still dies in it; the old one is collected when it has grown by half.
exec node --max-semi-space-size=8 --heap-growing-percent=50 "$@"
