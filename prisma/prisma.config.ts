// For Prisma's own tools (`npx prisma migrate deploy --config prisma/prisma.config.ts`); ours do without.
import { defineConfig } from 'prisma/config'

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
})
