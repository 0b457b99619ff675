// Applies a tenant file to a test server, as a start of the server does.

import { createDatabase } from '../adapters/store/prisma/client'
import { signingKeyStore } from '../adapters/store/prisma/keys'
import { tenantFileStore } from '../adapters/store/prisma/tenant-file'
import { createPasswordHasher } from '../data/users/password'
import type { Bundler } from '../identity/tenant-code/packages/bundle'
import { applyTenantFile } from '../management/tenant-file/apply'
import type { Plan } from '../management/tenant-file/model'
import { siblingReader } from '../server/runtime/sibling-reader'
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
      loadTemplateFault: async () => (await import('../pages/messages/liquid')).faultOf,
      loadUnusedTexts: async () => (await import('../text/custom')).unusedTexts,
      bundler,
      announce: () => {},
    },
  )
  await (await db.prisma()).$disconnect()
  clock.advance(2)
  return plan
}
