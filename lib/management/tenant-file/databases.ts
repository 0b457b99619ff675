// The database connection of an account whose entry names none: the tenant's default directory, else the first one.

import { DATABASE } from '../../data/connections/database-options'
import { isJsonObject } from '../../kernel/json'
import type { Configuration, ConnectionRow } from './model'

export function chooseDatabase(named: string | undefined, stored: Configuration): ConnectionRow | undefined {
  const databases = stored.connections.filter(({ strategy }) => strategy === DATABASE)
  if (named !== undefined) return databases.find(({ name }) => name === named)
  const section = stored.tenant?.settings.tenant
  const preferred = isJsonObject(section) ? section.default_directory : undefined
  return databases.find(({ name }) => name === preferred) ?? databases[0]
}
