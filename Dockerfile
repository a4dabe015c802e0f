# One image for everything: the server, its pages and the operators' commands.
# With DATABASE_URL it uses that PostgreSQL; without, it keeps an embedded one in /app/data.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN node scripts/build.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/app/data
WORKDIR /app
COPY --from=build --chown=node:node /app /app
RUN npm prune --omit=dev --no-audit --no-fund && mkdir -p /app/data && chown node:node /app/data
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
# Run with an init (docker run --init, compose: init: true): a process under PID 1 leaves zombies.
CMD ["node", "scripts/start.ts"]
