// `databases`, and `connections` of every other strategy. A database in `connections` is applied as one; a strategy that does not exist
// here is reported by name.
// - An entry without a value that its strategy requires is reported and left out. The vendor's exports omit them where its development
//   keys were used.
// - `enabled_clients` are names in an export; a client that is not there is reported and left out. Without the list, a new connection is
//   open to every client.
// - A script that cannot run is reported; it stays, and whatever asks for it fails.
// - Values of `configuration` that the vendor encrypted are left out.
import * as z from 'zod'
import { connectionName, isStrategy, STRATEGIES, type Strategy, settingsOf } from '../../../data/connections/connection'
import { configurationIn } from '../../../data/connections/custom-database'
import { DATABASE } from '../../../data/connections/database-options'
import { writtenOptions } from '../../../data/connections/federated-options'
import { SAMLP } from '../../../data/connections/saml-options'
import { providerOf } from '../../../data/connections/upstream/providers'
import { CONNECTION_SECRETS } from '../../../data/connections/upstream/secrets'
import { ADFS, speaksWsFederation, WAAD } from '../../../data/connections/wsfed-options'
import { isJsonObject, objectIn } from '../../../kernel/json'
import { MASK } from '../../../kernel/secret'
import { allMembers } from '../../operations/members'
import {
  type ConnectionDeps,
  type ConnectionResourceRow,
  connections as resource,
  withoutUse,
} from '../../resources/connections'
import { isCodeFile, unreadFile } from '../code-files'
import { itemsOf, type PlanContext, reportUnset, type Section } from '../context'
import { copiedRows } from '../copied-stores'
import { type Elsewhere, oneOf, wholeNumber } from '../elsewhere'
import { sorted } from '../fields'
import type { Configuration, Json, JsonObject } from '../model'
import { mergedWith, put } from '../working-copy'
import { nameOfClient, resolveClient } from './clients'
import { type ObjectKind, planObject } from './objects'

declare module '../model' {
  interface Copied {
    connections: { rows: ConnectionResourceRow[]; stores: Pick<ConnectionDeps, 'managedConnections'> }
  }
}

const sectionOf = (strategy: Strategy): string => (strategy === DATABASE ? 'databases' : 'connections')

const secretText = z.string().min(1).max(10_000).optional()
const SECRETS = Object.fromEntries(CONNECTION_SECRETS.map((name) => [name, secretText]))

function fieldsOf(strategy: Strategy) {
  const settings = settingsOf(strategy)
  const known = settings.shape.options.unwrap()
  const written = Object.entries(writtenOptions).filter(([name]) => Object.hasOwn(known.shape, name))
  const options = known
    .extend({ ...(providerOf(strategy) ? SECRETS : {}), ...Object.fromEntries(written) })
    .prefault({})
  const named =
    strategy === DATABASE
      ? z.literal(DATABASE, `must be ${DATABASE}; other strategies belong into connections`).optional()
      : z.literal(strategy)
  return settings.extend({ options, name: connectionName, strategy: named })
}

const elsewhere: Elsewhere = {
  'options.authentication_methods.password.enabled': oneOf(false),
  'options.connection_settings.pkce': oneOf('plain'),
  'options.password_history.size': wholeNumber(0, 24),
  'options.token_endpoint_auth_signing_alg': oneOf('RS384', 'RS512', 'PS384', 'ES384'),
  'options.totp.length': wholeNumber(4, 40),
  'options.totp.time_step': wholeNumber(60),
  'options.validation.username.min': wholeNumber(1),
}

const kindOf = (strategy: Strategy): ObjectKind<ConnectionResourceRow> => ({
  section: sectionOf(strategy),
  fields: fieldsOf(strategy),
  elsewhere,
  // Here every connection is for logins, so one that is not for them is left out.
  unprotected: ({ authentication }) =>
    objectIn(authentication).active === false ? 'authentication.active' : undefined,
  all: ({ connections }) => connections,
  isNamed: (entry) => (row) => row.name === entry.name,
  async operate(entry, before, path, context) {
    const { problems, notApplied } = context
    if (before && before.strategy !== strategy) {
      problems.push({ path, reason: `a connection of strategy ${before.strategy} has this name` })
      return
    }
    const given = withClientIds(entry, path, context)
    const body = before ? mergedWith(membersOf(before), given) : { enabled_clients: null, ...given, strategy }
    // Sent whole each time, so that a script that fails is reported each time.
    const known = before && { id: before.id, shown: {} }
    const keepBroken = (why: string, member: string): void =>
      void notApplied.push(`${path}.${member}: ${why}; it fails`)
    await put(resource, body, known, context, { keepBroken })
    const unused = withoutUse({ strategy, ...findConnection(entry.name, context)?.settings })
    const isGiven = (place: string): boolean => Object.hasOwn(objectIn(entry.options), place.split('.')[1] ?? '')
    notApplied.push(...unused.filter(isGiven).map((place) => `${path}.${place}`))
  },
  name: ({ name }) => name,
  shown: ({ settings: { sealed: _, ...settings } }) => settings,
  exported({ name, strategy, settings: { sealed: _, ...settings } }, stored) {
    const { enabled_clients: ids } = settings
    const shown = { name, strategy, ...sorted(settings) }
    return Array.isArray(ids) ? { ...shown, enabled_clients: ids.map((id) => nameOfClient(id, stored)) } : shown
  },
  // The same as long as their values are.
  secrets: ({ settings }) => objectIn(settings.sealed),
})

const KINDS = Object.fromEntries(STRATEGIES.map((strategy) => [strategy, kindOf(strategy)])) as Readonly<
  Record<Strategy, ObjectKind<ConnectionResourceRow>>
>

const findConnection = (name: Json | undefined, { stored }: PlanContext): ConnectionResourceRow | undefined =>
  stored.connections.find((row) => row.name === name)

/** As the API shows them, without secrets. */
const membersOf = ({ settings: { sealed: _, ...settings }, kept }: ConnectionResourceRow): JsonObject =>
  allMembers({ settings, kept })

function withClientIds(entry: JsonObject, path: string, context: PlanContext): JsonObject {
  const idsOf = (reference: Json, place: string): string[] => {
    const client = resolveClient(reference, context)
    if (!client) context.notApplied.push(`${path}.${place}: no client ${JSON.stringify(reference)}`)
    return client ? [client.clientId] : []
  }
  const { enabled_clients: names } = entry
  const enabled: JsonObject = Array.isArray(names)
    ? { enabled_clients: [...new Set(names.flatMap((name) => idsOf(name, 'enabled_clients')))] }
    : {}
  const { idpinitiated, ...options } = objectIn(entry.options)
  if (!isJsonObject(idpinitiated) || idpinitiated.client_id === undefined) return { ...entry, ...enabled }
  const { client_id: name, ...rest } = idpinitiated
  const [client_id] = idsOf(name ?? null, 'options.idpinitiated.client_id')
  const begins = client_id === undefined ? rest : { ...rest, client_id }
  return { ...entry, ...enabled, options: { ...options, idpinitiated: begins } }
}

async function planConnection(
  strategy: Strategy,
  value: JsonObject,
  path: string,
  context: PlanContext,
): Promise<void> {
  const { options = {}, sealed } = findConnection(value.name, context)?.settings ?? {}
  const missing = missingIn(strategy, { ...objectIn(options), ...objectIn(value.options) }, objectIn(sealed))
  if (missing) context.notApplied.push(`${path}: needs ${missing}`)
  else await planObject(KINDS[strategy], readable(strategy, value, objectIn(options), path, context), path, context)
}

/** Alternatives, of one of which all options are required. */
type Need = readonly (readonly string[])[]

/** The first need that is not met, in words. */
function missingIn(strategy: Strategy, options: JsonObject, sealed: JsonObject): string | null {
  const { issuer = null } = objectIn(options.oidc_metadata)
  const known: JsonObject = { issuer, ...sealed, ...options }
  const isMet = (need: Need): boolean => need.some((names) => names.every((name) => known[name]))
  const missing = needsOf(strategy, options).find((need) => !isMet(need))
  const spoken = missing?.map((names) => names.map((name) => `options.${name}`).join(' and '))
  return spoken?.join(' or ') ?? null
}

const anyOf = (...names: string[]): Need => names.map((name) => [name])

function needsOf(strategy: Strategy, options: JsonObject): readonly Need[] {
  if (strategy === SAMLP) return [[['metadataXml'], ['metadataUrl'], ['signInEndpoint', 'signingCert']]]
  if (strategy === ADFS)
    return [[['adfs_server'], ['fedMetadataXml'], ['signInEndpoint', 'signingCert', 'idpEntityId']]]
  if (strategy === WAAD && speaksWsFederation(options)) return [anyOf('tenant_domain')]
  const provider = providerOf(strategy)
  if (!provider) return []
  const { protocol, auth, issuer, authorization } = provider
  return [
    anyOf('client_id'),
    ...(auth === 'signed' ? ['app_secret', 'team_id', 'kid'].map((name) => anyOf(name)) : []),
    ...(protocol === 'oidc' && issuer === undefined ? [anyOf('issuer', 'discovery_url', 'domain')] : []),
    ...(issuer?.includes('{domain}') ? [anyOf('domain')] : []),
    ...(issuer?.includes('{tenant}') ? [anyOf('tenant_domain', 'use_common_endpoint')] : []),
    ...(protocol === 'oauth2' && authorization === undefined
      ? [
          anyOf('authorization_endpoint', 'authorizationURL'),
          anyOf('token_endpoint', 'tokenURL'),
          anyOf('userinfo_endpoint', 'scripts'),
        ]
      : []),
  ]
}

/** As the vendor's API shows a value of `configuration`. */
const ENCRYPTED = /^2\.0\$[0-9a-f]/

/** The entry without scripts that are not beside the file, and without values that only another server can read. */
function readable(
  strategy: Strategy,
  value: JsonObject,
  stored: JsonObject,
  path: string,
  { notApplied }: PlanContext,
): JsonObject {
  if (!isJsonObject(value.options)) return value
  const without = (member: string, given: Json, whyNot: (text: Json, name: string) => string | null): Json =>
    isJsonObject(given)
      ? Object.fromEntries(
          Object.entries(given).filter(([name, text]) => {
            const why = whyNot(text, name)
            if (why !== null) notApplied.push(`${path}.options.${member}.${name}: ${why}`)
            return why === null
          }),
        )
      : given
  const options = { ...value.options }
  const member = strategy === DATABASE ? 'customScripts' : 'scripts'
  if (options[member] !== undefined)
    options[member] = without(member, options[member], (text) =>
      typeof text === 'string' && isCodeFile(text) ? unreadFile(text) : null,
    )
  const values = strategy === DATABASE ? configurationIn(options) : undefined
  if (values === undefined) return { ...value, options }
  const { bareConfiguration: _bare, ...others } = options
  const configuration = without('configuration', values, (text, name) => {
    if (typeof text === 'string' && ENCRYPTED.test(text)) return 'is encrypted for another server'
    return text === MASK && !Object.hasOwn(objectIn(stored.configuration), name) ? 'needs its value' : null
  })
  return { ...value, options: { ...others, configuration } }
}

const exported = (section: string, stored: Configuration): JsonObject[] | undefined => {
  const rows = stored.connections.flatMap((row): JsonObject[] => {
    const { strategy } = row
    if (!isStrategy(strategy) || sectionOf(strategy) !== section) return []
    return [KINDS[strategy].exported?.(row, stored) ?? {}]
  })
  return rows.length === 0 ? undefined : rows
}

export const databases: Section = {
  name: 'databases',
  async plan(given, context) {
    for (const { value, path } of itemsOf(given, 'databases', 'name', context))
      await planConnection(DATABASE, value, path, context)
  },
  export: (stored) => exported('databases', stored),
}

export const connections: Section = {
  name: 'connections',
  copy: copiedRows('connections', {
    store: 'managedConnections',
    nameOf: ({ name }) => name,
    more: ({ stored }) => ({
      clientIds: async () =>
        stored.clients.flatMap(({ clientId, isRegistered }) => (isRegistered ? [] : [clientId])).sort(),
    }),
  }),
  async plan(given, context) {
    for (const { value, path } of itemsOf(given, 'connections', 'name', context)) {
      const { strategy } = value
      if (strategy === DATABASE) await databases.plan([value], context)
      else if (typeof strategy === 'string' && isStrategy(strategy))
        await planConnection(strategy, value, path, context)
      else if (!reportUnset(strategy, `${path}.strategy`, context))
        context.notApplied.push(`${path}: strategy ${String(strategy)}`)
    }
  },
  export: (stored) => exported('connections', stored),
}
