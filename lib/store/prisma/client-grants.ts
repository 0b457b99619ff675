// Client grants. Every client credentials token reads them, so they are cached like the rest of the configuration (cache.ts).
import type { ClientGrantPort } from '../../apis/api'
import type { Clock } from '../../kernel/clock'
import { type Announcements, UNANNOUNCED } from '../announcements'
import { readThrough } from '../cache'
import { columns } from '../columns'
import { type Database, run } from '../database'

const FIND = {
  name: 'client-grant-find',
  text: 'SELECT scopes FROM client_grant WHERE tenant_id = $1 AND client_id = $2 AND audience = $3',
  row: columns<{ scopes: string[] }>({ scopes: 'text[]' }),
}

export const clientGrantStore = (
  { pool }: Database,
  tenantId: string,
  clock: Clock,
  announced: Announcements = UNANNOUNCED,
): ClientGrantPort & { forget(clientId: string, audience: string): void } => {
  const read = readThrough(
    clock,
    async (key: string) => {
      const [clientId, audience] = JSON.parse(key) as [string, string]
      return (await run(pool, FIND, [tenantId, clientId, audience]))[0]?.scopes ?? null
    },
    announced.of('client_grant'),
  )
  const keyOf = (clientId: string, audience: string): string => JSON.stringify([clientId, audience])
  return {
    find: (clientId, audience) => read(keyOf(clientId, audience)),
    /** Evicts what this process has just changed. */
    forget: (clientId, audience) => read.forget(keyOf(clientId, audience)),
  }
}
