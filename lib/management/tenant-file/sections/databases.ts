// `databases`: connections of strategy `auth0`, which store accounts and their passwords, or have scripts that ask for them elsewhere.
// - A script that cannot run is reported; it stays, and whatever asks for it fails.
// - Values of `configuration` are sealed. What an export of the vendor has is encrypted there, and left out.
import * as z from 'zod'
import { configurationIn, unusedScripts } from '../../../data/connections/custom-database'
import { DATABASE } from '../../../data/connections/database-options'
import { openValues, sealValues } from '../../../data/connections/upstream/secrets'
import { isJsonObject, objectIn } from '../../../kernel/json'
import { MASK } from '../../../kernel/secret'
import { itemsOf, type PlanContext, type Section } from '../context'
import type { JsonObject } from '../model'
import { type ConnectionKind, entryOf, exportedConnection, planConnection } from './connection-rows'
import { readableScripts } from './scripts'

const KIND: ConnectionKind = {
  section: 'databases',
  strategy: DATABASE,
  entry: entryOf(DATABASE).extend({
    strategy: z.literal(DATABASE, `must be ${DATABASE}; other strategies belong into connections`).optional(),
  }),
  seal,
}

export const databases: Section = {
  name: 'databases',
  plan(given, context) {
    for (const { value, path } of itemsOf(given, 'databases', 'name', context)) {
      const settings = () => context.stored.connections.find(({ name }) => name === value.name)?.settings ?? {}
      const entry = isJsonObject(value.options)
        ? { ...value, options: readable(value.options, objectIn(settings().options), `${path}.options`, context) }
        : value
      planConnection(KIND, entry, path, context)
      const stored = settings()
      const unused = unusedScripts({ ...objectIn(stored.options), ...objectIn(entry.options) })
      const names = unused.filter((name) => (name.split('.', 1)[0] ?? name) in objectIn(entry.options))
      context.notApplied.push(...names.map((name) => `${path}.options.${name}`))
    }
  },
  export(stored) {
    const rows = stored.connections.filter(({ strategy }) => strategy === DATABASE)
    return rows.length === 0 ? undefined : rows.map((row) => exportedConnection(row, stored))
  },
}

/** As the vendor's API shows a value of `configuration`. */
const ENCRYPTED = /^2\.0\$[0-9a-f]/

/** The options without what cannot be used. */
function readable(given: JsonObject, known: JsonObject, path: string, context: PlanContext): JsonObject {
  const { bareConfiguration: _bare, customScripts, ...options } = given
  if (isJsonObject(customScripts))
    options.customScripts = readableScripts(customScripts, `${path}.customScripts`, context)
  else if (customScripts !== undefined) options.customScripts = customScripts
  const values = configurationIn(given)
  if (isJsonObject(values)) options.configuration = usableValues(values, known, `${path}.configuration`, context)
  else if (values !== undefined) options.configuration = values
  return options
}

/** Without what is encrypted for another server, and without masks of values that are not stored here. */
function usableValues(values: JsonObject, known: JsonObject, path: string, { notApplied }: PlanContext): JsonObject {
  const usable = Object.entries(values).filter(([name, value]) => {
    const isEncrypted = typeof value === 'string' && ENCRYPTED.test(value)
    const isAbsent = value === MASK && !Object.hasOwn(objectIn(known.configuration), name)
    if (isEncrypted) notApplied.push(`${path}.${name}: is encrypted for another server`)
    if (isAbsent) notApplied.push(`${path}.${name}: needs its value`)
    return !isEncrypted && !isAbsent
  })
  return Object.fromEntries(usable)
}

function seal(given: JsonObject, stored: JsonObject, { vault, random }: PlanContext): JsonObject {
  const { configuration, ...options } = objectIn(given.options)
  if (!isJsonObject(configuration)) return given
  const before = objectIn(stored.sealed) as Record<string, string>
  const values = { ...openValues('configuration', before, vault), ...(configuration as Record<string, string>) }
  const { shown, sealed } = sealValues('configuration', values, before, vault, random)
  return {
    ...given,
    options: { ...options, configuration: shown },
    ...(Object.keys(sealed).length > 0 ? { sealed } : {}),
  }
}
