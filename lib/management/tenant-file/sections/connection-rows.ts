// Converts an entry to a connection and back; common to all strategies.
// `enabled_clients` are names in an export and ids in the store; an unknown one is reported and left out.

import * as z from 'zod'
import { connectionName, type Strategy, settingsOf } from '../../../data/connections/connection'
import { writtenOptions } from '../../../data/connections/federated-options'
import { isJsonObject, mergeObjects, objectIn } from '../../../kernel/json'
import { alphanumeric } from '../../../kernel/random'
import { type PlanContext, readFields } from '../context'
import { type Elsewhere, oneOf, wholeNumber } from '../elsewhere'
import { differences, sorted } from '../fields'
import type { Configuration, ConnectionRow, Json, JsonObject } from '../model'
import { resolveClient } from './clients'

export type ConnectionKind = {
  section: string
  strategy: Strategy
  /** The schema of an entry: the settings, and `name` and `strategy`. */
  entry: z.ZodType<{ name: string }>
  /** Replaces the secrets of an entry by sealed ones; the result is stored. */
  seal?(given: JsonObject, stored: JsonObject, context: PlanContext): JsonObject
}

/** `secrets` are the options that a file has in clear and the store has sealed. */
export function entryOf(strategy: Strategy, secrets: z.ZodRawShape = {}) {
  const settings = settingsOf(strategy)
  const known = settings.shape.options.unwrap()
  const written = Object.entries(writtenOptions).filter(([name]) => Object.hasOwn(known.shape, name))
  const options = known.extend({ ...secrets, ...Object.fromEntries(written) }).prefault({})
  return settings.extend({ options, name: connectionName, strategy: z.literal(strategy) })
}

const ELSEWHERE: Elsewhere = {
  'options.authentication_methods.password.enabled': oneOf(false),
  'options.connection_settings.pkce': oneOf('plain'),
  'options.password_history.size': wholeNumber(0, 24),
  'options.token_endpoint_auth_signing_alg': oneOf('RS384', 'RS512', 'PS384', 'ES384'),
  'options.totp.length': wholeNumber(4, 40),
  'options.totp.time_step': wholeNumber(60),
  'options.validation.username.min': wholeNumber(1),
}

export function planConnection(
  { section, strategy, entry, seal = (given) => given }: ConnectionKind,
  value: JsonObject,
  path: string,
  context: PlanContext,
): void {
  // Here every connection is for logins, so one that is not for them is left out.
  if (objectIn(value.authentication).active === false) {
    context.notApplied.push(`${path}.authentication.active: false`)
    return
  }
  const read = readFields(entry, value, path, context, ELSEWHERE)
  if (!read) return
  const { name } = read.parsed
  const stored = context.stored.connections.find((connection) => connection.name === name)
  if (stored && stored.strategy !== strategy) {
    context.problems.push({ path, reason: `a connection of strategy ${stored.strategy} has this name` })
    return
  }
  const { name: _name, strategy: _strategy, ...given } = read.known
  const before = stored?.settings ?? {}
  const settings = mergeObjects(before, seal(withClientIds(given, path, context), before, context))
  const id = stored?.id ?? `con_${alphanumeric(context.random, 16)}`
  putConnection(section, stored, { id, name, strategy, settings }, context)
}

function withClientIds(given: JsonObject, path: string, context: PlanContext): JsonObject {
  if (!Array.isArray(given.enabled_clients)) return given
  const ids = given.enabled_clients.flatMap((reference): Json[] => {
    const client = resolveClient(reference, context)
    if (!client) context.notApplied.push(`${path}.enabled_clients: no client ${JSON.stringify(reference)}`)
    return client ? [client.clientId] : []
  })
  return { ...given, enabled_clients: [...new Set(ids)] }
}

function putConnection(
  section: string,
  stored: ConnectionRow | undefined,
  row: ConnectionRow,
  context: PlanContext,
): void {
  context.stored.connections = [...context.stored.connections.filter((connection) => connection !== stored), row]
  const details = [
    ...differences(withoutSecrets(stored?.settings ?? {}), withoutSecrets(row.settings)),
    ...newSecrets(stored, row),
  ]
  if (stored && details.length === 0) return
  context.changes.push({
    section,
    action: stored ? 'update' : 'create',
    name: row.name,
    details,
    writes: [{ table: 'connection', row }],
    records: [],
  })
}

/** Sealed secrets are never compared or shown. */
const withoutSecrets = ({ sealed: _, ...settings }: JsonObject): JsonObject => settings

const newSecrets = (stored: ConnectionRow | undefined, { settings }: ConnectionRow): string[] => {
  const [before, after] = [stored?.settings.sealed, settings.sealed].map((all) => (isJsonObject(all) ? all : {}))
  return Object.keys(after ?? {}).flatMap((name) => (before?.[name] === after?.[name] ? [] : [`${name}: set`]))
}

export const exportedConnection = ({ name, strategy, settings }: ConnectionRow, stored: Configuration): JsonObject => ({
  name,
  strategy,
  ...sorted(withoutSecrets(settings)),
  ...(Array.isArray(settings.enabled_clients)
    ? { enabled_clients: settings.enabled_clients.map((id) => nameOfClient(id, stored)) }
    : {}),
})

/** The client's name if it is unique, as in an export; else its id. */
export function nameOfClient(clientId: Json, stored: Configuration): Json {
  const name = stored.clients.find((client) => client.clientId === clientId)?.name
  return name !== undefined && stored.clients.filter((client) => client.name === name).length === 1 ? name : clientId
}
