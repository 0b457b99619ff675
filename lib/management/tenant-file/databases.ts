// The database connection of an account whose entry names none: the tenant's default directory, else the first one.

import { DATABASE } from '../../data/connections/database-options'
import { isJsonObject } from '../../kernel/json'
import type { ConnectionResourceRow } from '../resources/connections'
import type { Configuration } from './model'

export function chooseDatabase(named: string | undefined, stored: Configuration): ConnectionResourceRow | undefined {
  const databases = stored.connections.filter(({ strategy }) => strategy === DATABASE)
  if (named !== undefined) return databases.find(({ name }) => name === named)
  const section = stored.tenant?.settings.tenant
  const preferred = isJsonObject(section) ? section.default_directory : undefined
  return databases.find(({ name }) => name === preferred) ?? databases[0]
}
