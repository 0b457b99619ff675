// `connections`: passwordless ones (`email` and `sms`) and federated ones (federated-connections.ts, saml-connections.ts,
// adfs-connections.ts). A database in this section is applied as one; an unsupported strategy is reported by name.
import { DATABASE } from '../../../data/connections/database-options'
import { itemsOf, reportUnset, type Section } from '../context'
import { ADFS_KIND, planAdfs } from './adfs-connections'
import { type ConnectionKind, entryOf, exportedConnection, planConnection } from './connection-rows'
import { databases } from './databases'
import { FEDERATED, planFederated } from './federated-connections'
import { planSaml, SAML } from './saml-connections'

const PASSWORDLESS = (['email', 'sms'] as const).map(
  (strategy): ConnectionKind => ({ section: 'connections', strategy, entry: entryOf(strategy) }),
)

export const connections: Section = {
  name: 'connections',
  async plan(given, context) {
    for (const { value, path } of itemsOf(given, 'connections', 'name', context)) {
      const kind = PASSWORDLESS.find(({ strategy }) => strategy === value.strategy)
      const federated = FEDERATED.find(({ strategy }) => strategy === value.strategy)
      if (federated) planFederated(federated, value, path, context)
      else if (value.strategy === SAML.strategy) planSaml(value, path, context)
      else if (value.strategy === ADFS_KIND.strategy) planAdfs(value, path, context)
      else if (kind) planConnection(kind, value, path, context)
      else if (value.strategy === DATABASE) await databases.plan([value], context)
      else if (!reportUnset(value.strategy, `${path}.strategy`, context))
        context.notApplied.push(`${path}: strategy ${String(value.strategy)}`)
    }
  },
  export(stored) {
    const kinds = [...PASSWORDLESS, ...FEDERATED, SAML, ADFS_KIND]
    const rows = stored.connections.filter((row) => kinds.some(({ strategy }) => strategy === row.strategy))
    return rows.length === 0 ? undefined : rows.map((row) => exportedConnection(row, stored))
  },
}
