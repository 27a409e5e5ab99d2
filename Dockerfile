# The service as a container: docker build -t commerce . ; docker run -p 3000:3000 -v commerce:/data commerce
# One volume, /data, holds the SQLite file and the images. See docs/deploying.md.
# By digest, so that every build begins with the same files. `docker buildx imagetools inspect node:24-bookworm-slim` prints the newest.
ARG NODE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

# Builds the program.
FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY packages/simulator/package.json packages/simulator/
COPY packages/core/package.json packages/core/
COPY packages/server/package.json packages/server/
COPY packages/dashboard/package.json packages/dashboard/
COPY packages/cli/package.json packages/cli/
COPY examples/embedded/package.json examples/embedded/
COPY examples/storefront/package.json examples/storefront/
COPY examples/storefront-client/package.json examples/storefront-client/
COPY test/support/package.json test/support/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY release/licences.ts release/
COPY packages packages
RUN npm run build

# The packages that the program needs, as locked.
FROM ${NODE} AS production
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json ./
COPY packages/cli/package.json packages/cli/
RUN npm ci --omit=dev --workspace commerce --ignore-scripts --no-audit --no-fund
COPY --from=build /app/packages/cli/bin packages/cli/bin
COPY --from=build /app/packages/cli/dist packages/cli/dist
RUN find packages/cli/dist -name '*.map' -delete
COPY LICENSE packages/cli/

FROM ${NODE}
# Node.js 24 lets its young generation grow to 16 MB a half, which keeps 100 MB more in memory and spares nothing here.
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=8 \
    COMMERCE_HOST=0.0.0.0 \
    COMMERCE_PORT=3000 \
    COMMERCE_DB=/data/commerce.db \
    COMMERCE_MEDIA_DIR=/data/media \
    COMMERCE_LOG_FORMAT=json
COPY --from=production /app /app
RUN ln -s /app/packages/cli/bin/commerce.js /usr/local/bin/commerce && install -d -o node -g node -m 0700 /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.COMMERCE_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/packages/cli/bin/commerce.js"]
CMD ["serve"]
