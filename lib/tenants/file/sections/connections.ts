// `connections`: passwordless ones, `email` and `sms`, and providers that sign people in (federated-connections.ts). A
// database that stands here is applied as one; a strategy that does not exist here yet is reported by name.
import { z } from 'zod'
import { DATABASE, passwordlessSettings } from '../../../connections/connection'
import { itemsOf, type Section, setAside } from '../context'
import { type ConnectionKind, connectionName, exportedConnection, planConnection } from './connection-rows'
import { databases } from './databases'
import { FEDERATED, planFederated } from './federated-connections'

const PASSWORDLESS = ['email', 'sms'].map(
  (strategy): ConnectionKind => ({
    section: 'connections',
    strategy,
    entry: passwordlessSettings.extend({ name: connectionName, strategy: z.literal(strategy) }),
  }),
)

/** Mails go out from the process's own sender, whatever a connection says. */
const OF_NUMBERS = ['from', 'gateway_url', 'countries'].map((name) => ({
  field: `options.${name}`,
  when: () => true,
}))

export const connections: Section = {
  name: 'connections',
  plan(given, context) {
    for (const { value, path } of itemsOf(given, 'connections', 'name', context)) {
      const kind = PASSWORDLESS.find(({ strategy }) => strategy === value.strategy)
      const unsupported = kind?.strategy === 'email' ? OF_NUMBERS : []
      const federated = FEDERATED.find(({ strategy }) => strategy === value.strategy)
      if (federated) planFederated(federated, value, path, context)
      else if (kind) planConnection(kind, setAside(value, path, unsupported, context), path, context)
      else if (value.strategy === DATABASE) databases.plan([value], context)
      else context.notApplied.push(`${path}: strategy ${String(value.strategy)}`)
    }
  },
  export(stored) {
    const kinds = [...PASSWORDLESS, ...FEDERATED]
    const rows = stored.connections.filter((row) => kinds.some(({ strategy }) => strategy === row.strategy))
    return rows.length === 0 ? undefined : rows.map((row) => exportedConnection(row, stored))
  },
}
