// A tenant's actions, read through a cache like the rest of the configuration (cache.ts).

import { type Action, type ActionPort, toAction } from '../../../identity/tenant-code/actions/action'
import type { Clock } from '../../../kernel/clock'
import { type Announcements, UNANNOUNCED } from '../announcements'
import { type ReadThrough, readThrough } from '../cache'
import { columns } from '../columns'
import { type Database, run } from '../database'

const FIND = {
  name: 'action-find',
  text: 'SELECT name, settings FROM action WHERE tenant_id = $1 AND name = $2',
  row: columns<Parameters<typeof toAction>[0]>({ name: 'text', settings: 'json' }),
}

const DEPLOYED_FOR = {
  name: 'action-deployed-for',
  text: `SELECT name FROM action WHERE tenant_id = $1 AND settings ->> 'trigger' = $2
AND settings ->> 'deployed' IS DISTINCT FROM 'false' ORDER BY name`,
  row: columns<{ name: string }>({ name: 'text' }),
}

const BUNDLE = {
  name: 'action-bundle',
  text: 'SELECT code FROM action_bundle WHERE tenant_id = $1 AND digest = $2',
  row: columns<{ code: string }>({ code: 'text' }),
}

const MAP = {
  name: 'action-bundle-map',
  text: 'SELECT map FROM action_bundle WHERE tenant_id = $1 AND digest = $2',
  row: columns<{ map: string | null }>({ map: 'text?' }),
}

export const actionStore = (
  { pool }: Database,
  tenantId: string,
  clock: Clock,
  announced: Announcements = UNANNOUNCED,
): ActionPort & { find: ReadThrough<string, Action | null> } => ({
  find: readThrough(
    clock,
    async (name: string) => {
      const [row] = await run(pool, FIND, [tenantId, name])
      return row ? toAction(row) : null
    },
    announced.of('action'),
  ),
  async deployedFor(trigger) {
    return (await run(pool, DEPLOYED_FOR, [tenantId, trigger])).map(({ name }) => name)
  },
  bundle: async (digest) => (await run(pool, BUNDLE, [tenantId, digest]))[0]?.code ?? null,
  sourceMap: async (digest) => (await run(pool, MAP, [tenantId, digest]))[0]?.map ?? null,
})
