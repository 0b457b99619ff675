// Applies a tenant file to a test server, as a start of the server does.

import type { Bundler } from '../rules/packages/bundle'
import { siblingReader } from '../runtime/sibling-reader'
import { createDatabase } from '../store/prisma/client'
import { signingKeyStore } from '../store/prisma/keys'
import { tenantFileStore } from '../store/prisma/tenant-file'
import { applyTenantFile } from '../tenant-file/apply'
import type { Plan } from '../tenant-file/model'
import { createPasswordHasher } from '../users/password'
import { noBundler } from './actions'
import { BASE_URL } from './database'
import type { TestServer } from './server'

const hasher = createPasswordHasher({
  concurrency: 1,
  queueLimit: 100,
  cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
})

/** The change takes effect at once: the clock advances past the cache lifetime. */
export async function applyText(
  { database, vault, random, clock }: TestServer,
  tenantId: string,
  text: string,
  variables: Record<string, string>,
  bundler: Bundler = noBundler,
  path = 'tenant.yaml',
): Promise<Plan> {
  const db = createDatabase(database.pool)
  const plan = await applyTenantFile(
    { path, text, variables, readSibling: siblingReader(path) },
    {
      store: tenantFileStore(db),
      signingKeys: signingKeyStore(db, tenantId),
      tenantId,
      baseUrl: BASE_URL,
      vault,
      random,
      clock,
      hasher,
      print: () => {},
      loadTemplateFault: async () => (await import('../messages/liquid')).faultOf,
      loadUnusedTexts: async () => (await import('../texts/custom')).unusedTexts,
      bundler,
      announce: () => {},
    },
  )
  await (await db.prisma()).$disconnect()
  clock.advance(2)
  return plan
}
