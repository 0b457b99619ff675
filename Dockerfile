# The server with what it loads at run time (lib/server/node/image.mjs), and nothing it was built with.
FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node lib/server/node/image.mjs /image

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production LATCHKEY_HOST=0.0.0.0 PORT=3000 NPM_CONFIG_UPDATE_NOTIFIER=false
COPY --from=build /image ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server.js"]
