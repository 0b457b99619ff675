// `databases`: connections of strategy `auth0`, which store accounts and their passwords.
import * as z from 'zod'
import { DATABASE } from '../../connections/database-options'
import { itemsOf, type Section } from '../context'
import { type ConnectionKind, entryOf, exportedConnection, planConnection } from './connection-rows'

const KIND: ConnectionKind = {
  section: 'databases',
  strategy: DATABASE,
  entry: entryOf(DATABASE).extend({
    strategy: z.literal(DATABASE, `must be ${DATABASE}; other strategies belong into connections`).optional(),
  }),
}

export const databases: Section = {
  name: 'databases',
  plan(given, context) {
    for (const { value, path } of itemsOf(given, 'databases', 'name', context)) {
      planConnection(KIND, value, path, context)
    }
  },
  export(stored) {
    const rows = stored.connections.filter(({ strategy }) => strategy === DATABASE)
    return rows.length === 0 ? undefined : rows.map((row) => exportedConnection(row, stored))
  },
}
