// Client grants. Every client credentials token reads them, so they are cached like the rest of the configuration (cache.ts).
import type { ClientGrant, ClientGrantPort } from '../../../data/apis/api'
import type { Clock } from '../../../kernel/clock'
import { type Announcements, UNANNOUNCED } from '../announcements'
import { readThrough } from '../cache'
import { columns } from '../columns'
import { type Database, run } from '../database'

const FIND = {
  name: 'client-grant-find',
  text: `SELECT id, scopes, organization_usage AS "organizationUsage", allow_any_organization AS "allowAnyOrganization"
FROM client_grant WHERE tenant_id = $1 AND client_id = $2 AND audience = $3`,
  row: columns<ClientGrant>({
    id: 'text',
    scopes: 'text[]',
    organizationUsage: 'text',
    allowAnyOrganization: 'boolean',
  }),
}

const IS_OF = {
  name: 'client-grant-is-of',
  text: 'SELECT 1 FROM organization_client_grant WHERE client_grant_id = $2 AND organization_id = $3 AND tenant_id = $1',
}

export const clientGrantStore = (
  { pool }: Database,
  tenantId: string,
  clock: Clock,
  announced: Announcements = UNANNOUNCED,
): ClientGrantPort & { forget(clientId: string, audience: string): void } => {
  const news = announced.of('client_grant')
  const read = readThrough(
    clock,
    async (key: string) => (await run(pool, FIND, [tenantId, ...pairOf(key)]))[0] ?? null,
    news,
  )
  const readIsOf = readThrough(
    clock,
    async (key: string) => (await run(pool, IS_OF, [tenantId, ...pairOf(key)])).length > 0,
    news,
  )
  return {
    find: (clientId, audience) => read(keyOf(clientId, audience)),
    isOf: (grantId, organizationId) => readIsOf(keyOf(grantId, organizationId)),
    /** Evicts what this process has just changed. */
    forget: (clientId, audience) => read.forget(keyOf(clientId, audience)),
  }
}

const keyOf = (first: string, second: string): string => JSON.stringify([first, second])
const pairOf = (key: string): [string, string] => JSON.parse(key) as [string, string]
