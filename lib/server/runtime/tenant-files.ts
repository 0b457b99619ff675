// Applies the tenant files at start: in demo mode those of the demo tenants, then the operator's. A server without any
// application explains how to register one. The code that reads files is loaded only by starts that have a file.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { administratorStore } from '../../adapters/store/prisma/console-administrators'
import { hasClient } from '../../adapters/store/sql/configuration'
import { serverTrail } from '../../data/audit/trail'
import { FIRST_TENANT } from '../../data/tenants/settings'
import { TenantFileError } from '../../management/tenant-file/model'
import type { ServerParts } from './bootstrap'
import { DEMO_OWNER, DEMO_PROVIDER, demoProviderUrl, retireDemo } from './demo-tenants'
import type { Shared } from './shared'
import { siblingReader } from './sibling-reader'

type File = { path: string; tenantId: string; baseUrl: string; show(line: string): void }

export async function applyTenantFiles(shared: Shared, parts: ServerParts): Promise<void> {
  const { env, root, printLine } = parts
  // The diff of the demo tenants is not shown: it does not concern the operator.
  const demo = (name: string, tenantId: string, baseUrl: string): File => ({
    path: join(root, 'prisma', name),
    tenantId,
    baseUrl,
    show: () => {},
  })
  if (env.demo) {
    await applyFile(demo('demo-tenant.yaml', FIRST_TENANT, env.appUrl), shared, parts)
    await applyFile(demo('demo-acme.yaml', DEMO_PROVIDER, demoProviderUrl(env.appUrl)), shared, parts)
    await administratorStore(shared.db, FIRST_TENANT).put(DEMO_OWNER, 'owner', shared.clock.now())
  } else await retireDemo(FIRST_TENANT, shared)
  if (env.configPath)
    await applyFile(
      { path: env.configPath, tenantId: FIRST_TENANT, baseUrl: env.appUrl, show: printLine },
      shared,
      parts,
    )
  await expectApplications(shared)
}

async function applyFile({ path, tenantId, baseUrl, show }: File, shared: Shared, parts: ServerParts): Promise<void> {
  const { env, printSecret } = parts
  const [{ applyTenantFile }, { recordsOf }, { tenantFileDeps }] = await Promise.all([
    import('../../management/tenant-file/apply'),
    import('../../management/tenant-file/print'),
    import('./tenant-file-deps'),
  ])
  // A file may refer to its own server, whose address may be the default.
  const variables = { ...parts.variables, APP_URL: env.appUrl, DEMO_PROVIDER_URL: demoProviderUrl(env.appUrl) }
  const file = { path, text: await readTenantText(path), variables, readSibling: siblingReader(path) }
  const target = { tenantId, baseUrl, print: show, printSecret }
  const plan = await applyTenantFile(file, tenantFileDeps({ ...shared, hasher: shared.passwords }, target))
  const trail = serverTrail({ ...shared, tenantId, hostname: new URL(env.appUrl).host })
  for (const record of recordsOf(plan)) trail.record('changed', record)
}

function readTenantText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new TenantFileError(path, [{ path: '', reason: `the file cannot be read (${String(error)})` }])
  })
}

async function expectApplications({ db, log }: Shared): Promise<void> {
  if (!(await hasClient(db, FIRST_TENANT))) log.warn({}, NO_APPLICATION)
}

const NO_APPLICATION =
  'No application is registered, so no user can sign in. Make one in the console, or describe yours in a tenant file, such as prisma/tenant.example.yaml, and apply it: npm run tenant -- apply FILE'
