// `clients`: applications. An export identifies them by `name` alone; our files may also contain `client_id` and `client_secret`.
// - An entry with a client_id is that client; else the only client of that name; else a new one with a new id.
// - Clients that registered themselves are not changed or exported, unless the file names one by its client_id.
// - A secret is stored as a keyed digest. A confidential client without a secret gets one, shown once when the file is applied.
import * as z from 'zod'
import {
  algorithmsOf,
  clientSettings,
  isForeignType,
  MIN_SECRET_LENGTH,
  SECRET_PURPOSE,
  toClient,
  usesSecret,
  writtenAddons,
  writtenLoginUri,
  writtenUrls,
} from '../../../data/clients/client'
import { contradictionOf, type SecurityProfile, underProfile } from '../../../data/clients/fapi2'
import { tenantSettings } from '../../../data/tenants/settings'
import { isJsonObject, mergeObjects, objectIn } from '../../../kernel/json'
import { alphanumeric } from '../../../kernel/random'
import { equalsConstantTime } from '../../../kernel/secret'
import { itemsOf, type PlanContext, problemsOf, readFields, type Section } from '../context'
import { type Elsewhere, hasPlaceholder, oneOf, wholeNumber } from '../elsewhere'
import { differences, sorted } from '../fields'
import type { ClientRow, Json, JsonObject } from '../model'

const clientEntry = clientSettings.omit({ credentials: true }).extend({
  ...z.object(writtenUrls).partial().shape,
  name: z.string().min(1).max(200),
  client_id: z
    .string()
    .regex(/^[A-Za-z0-9_.~-]{1,64}$/, 'must be 1 to 64 letters, digits or one of _ . ~ -')
    .optional(),
  client_secret: z
    .string()
    .min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters; a shorter secret can be guessed`)
    .max(1024)
    .optional(),
  initiate_login_uri: writtenLoginUri.optional(),
  addons: writtenAddons.prefault({}),
})

const ELSEWHERE: Elsewhere = {
  'callbacks[]': hasPlaceholder,
  'allowed_logout_urls[]': hasPlaceholder,
  'web_origins[]': hasPlaceholder,
  'allowed_origins[]': hasPlaceholder,
  'jwt_configuration.alg': oneOf('HS256', 'RS512', 'PS512'),
  'jwt_configuration.lifetime_in_seconds': wholeNumber(1),
  'refresh_token.leeway': wholeNumber(0),
  'refresh_token.idle_token_lifetime': wholeNumber(1),
  'addons.samlp.lifetimeInSeconds': wholeNumber(1),
  'addons.wsfed.lifetimeInSeconds': wholeNumber(1),
}

/** The vendor's methods of RFC 8705. */
const MUTUAL_TLS = ['tls_client_auth', 'self_signed_tls_client_auth']

export const clients: Section = {
  name: 'clients',
  plan(given, context) {
    const seen = new Set<string>()
    for (const item of itemsOf(given, 'clients', 'name', context)) {
      // The vendor's record of "all applications".
      if (item.value.global === true) context.notApplied.push(item.path)
      else planClient(withoutMutualTls(withNewName(item.value), item.path, context), item.path, seen, context)
    }
    refuseSharedAliases(context)
  },
  export: (stored) => listed(stored.clients.filter((client) => !client.isRegistered)),
}

/** A realm belongs to one client: a shared alias would be ambiguous (lib/protocols/wsfed/target.ts). */
function refuseSharedAliases({ stored, problems }: PlanContext): void {
  const owners = new Map<string, string>()
  for (const row of stored.clients.filter(({ isRegistered }) => !isRegistered)) {
    for (const alias of new Set(toClient(row).settings.client_aliases)) {
      const owner = owners.get(alias)
      if (owner === undefined) owners.set(alias, row.name)
      else
        problems.push({ path: 'clients', reason: `${JSON.stringify(alias)} is an alias of ${owner} and ${row.name}` })
    }
  }
}

const listed = (clients: ClientRow[]): Json | undefined =>
  clients.length === 0
    ? undefined
    : clients.map(({ clientId, name, settings }) => ({
        name,
        client_id: clientId,
        ...sorted(withInlineKeys(settings)),
      }))

/** An export of earlier years has cross-origin login under its older name alone. */
function withNewName({ cross_origin_auth: older, ...value }: JsonObject): JsonObject {
  return older === undefined ? value : { cross_origin_authentication: older, ...value }
}

/**
 * An application that authenticates by its certificate becomes one of `private_key_jwt`: until it has a key, nothing authenticates
 * it. Any other method would open it to a secret, or to no proof at all.
 */
function withoutMutualTls(value: JsonObject, path: string, { notApplied }: PlanContext): JsonObject {
  const { token_endpoint_auth_method: method, client_authentication_methods: methods } = value
  const isNamed = typeof method === 'string' && MUTUAL_TLS.includes(method)
  if (isNamed) notApplied.push(`${path}.token_endpoint_auth_method: ${JSON.stringify(method)}`)
  const isUsed = isNamed || MUTUAL_TLS.some((name) => isJsonObject(objectIn(methods)[name]))
  return isUsed ? { ...value, token_endpoint_auth_method: 'private_key_jwt' } : value
}

function planClient(value: JsonObject, path: string, seen: Set<string>, context: PlanContext): void {
  const read = readFields(clientEntry, value, path, context, ELSEWHERE)
  if (!read) return
  const { name, client_id, client_secret, app_type } = read.parsed
  if (isForeignType(app_type)) context.notApplied.push(`${path}.app_type: ${JSON.stringify(app_type)}`)
  const found = findClient(name, client_id, path, context)
  if (found === 'ambiguous') return
  const stored = found && { ...found, settings: withInlineKeys(found.settings) }
  reportForeignKeys(read.parsed, path, context)
  const clientId = stored?.clientId ?? client_id ?? alphanumeric(context.random, 32)
  if (seen.has(clientId)) {
    context.problems.push({ path, reason: 'is in the file twice; give each a client_id or a name of its own' })
    return
  }
  seen.add(clientId)
  const settings = mergeObjects(stored?.settings ?? {}, settingsOf(read.known))
  checkProfile(settings, path, context)
  putClient(stored, { clientId, name, settings, secretDigest: stored?.secretDigest ?? null }, client_secret, context)
}

/** The tenant's profile is that which the same file sets. */
const tenantProfile = ({ stored }: PlanContext): SecurityProfile | undefined =>
  tenantSettings.parse(stored.tenant?.settings ?? {}).tenant.security_profile

function checkProfile(settings: JsonObject, path: string, context: PlanContext): void {
  const contradiction = contradictionOf(settings, tenantProfile(context))
  if (contradiction) context.problems.push(...problemsOf(contradiction, path))
}

function findClient(
  name: string,
  clientId: string | undefined,
  path: string,
  context: PlanContext,
): ClientRow | undefined | 'ambiguous' {
  if (clientId !== undefined) return context.stored.clients.find((client) => client.clientId === clientId)
  const named = clientsNamed(name, context)
  if (named.length < 2) return named[0]
  context.problems.push({ path, reason: 'several clients have this name; add the client_id of the one that is meant' })
  return 'ambiguous'
}

const settingsOf = ({ name: _name, client_id: _id, client_secret: _secret, ...settings }: JsonObject): JsonObject =>
  settings

function putClient(
  stored: ClientRow | undefined,
  row: ClientRow,
  given: string | undefined,
  context: PlanContext,
): void {
  const secret = given ?? missingSecret(row, context)
  const digest = secret === undefined ? row.secretDigest : context.vault.mac(SECRET_PURPOSE, secret)
  const secretChanged = digest !== null && !(stored?.secretDigest && equalsConstantTime(stored.secretDigest, digest))
  const details = differences(shown(stored), shown(row))
  if (secretChanged) details.push(`client_secret: ${given === undefined ? 'made' : 'set'}`)
  const write = { table: 'client' as const, row: { ...row, secretDigest: digest } }
  context.stored.clients = [...context.stored.clients.filter(({ clientId }) => clientId !== row.clientId), write.row]
  if (stored && details.length === 0) return
  const action = stored ? 'update' : 'create'
  for (const algorithm of algorithmsOf(toClient(write.row).settings)) context.algorithms.add(algorithm)
  context.changes.push({
    section: 'clients',
    action,
    name: `${row.name} (${row.clientId})`,
    details,
    writes: [write],
    records: [],
  })
}

function missingSecret(row: ClientRow, context: PlanContext): string | undefined {
  if (row.secretDigest !== null || !usesSecret(underProfile(toClient(row), tenantProfile(context)))) return undefined
  const secret = context.random.token(48)
  context.secrets.push({ name: row.name, clientId: row.clientId, secret })
  return secret
}

const shown = (row: ClientRow | undefined): JsonObject => (row ? { name: row.name, ...row.settings } : {})

/** Clients that registered themselves are excluded: they could choose the name of the client that the file means. */
const clientsNamed = (name: Json, { stored }: PlanContext): ClientRow[] =>
  stored.clients.filter((client) => client.name === name && !client.isRegistered)

/** The client with this name or id; undefined if several have the name. */
export function resolveClient(reference: Json, context: PlanContext): ClientRow | undefined {
  const byId = context.stored.clients.find(({ clientId }) => clientId === reference)
  const byName = clientsNamed(reference, context)
  return byId ?? (byName.length === 1 ? byName[0] : undefined)
}

/**
 * Keys registered through the Management API, as a file has them: inside the authentication method that refers to them. A key that
 * no method uses is left out.
 */
function withInlineKeys({ credentials, ...settings }: JsonObject): JsonObject {
  const methods = settings.client_authentication_methods
  const jwt = isJsonObject(methods) ? methods.private_key_jwt : undefined
  if (!Array.isArray(credentials) || !isJsonObject(methods) || !isJsonObject(jwt) || !Array.isArray(jwt.credentials)) {
    return settings
  }
  const keys = new Map(credentials.filter(isJsonObject).map((key) => [key.id, key]))
  const inline = jwt.credentials.filter(isJsonObject).map((named) => fileKey(keys.get(named.id ?? null) ?? named))
  return {
    ...settings,
    client_authentication_methods: { ...methods, private_key_jwt: { ...jwt, credentials: inline } },
  }
}

const fileKey = ({ id: _id, created_at: _created, updated_at: _updated, ...key }: JsonObject): JsonObject => key

/** An export names keys by ids that mean nothing elsewhere. */
function reportForeignKeys(
  { client_authentication_methods: methods }: z.output<typeof clientEntry>,
  path: string,
  { notApplied }: PlanContext,
): void {
  methods?.private_key_jwt?.credentials.forEach(({ id, pem }, index) => {
    if (id !== undefined && pem === undefined)
      notApplied.push(`${path}.client_authentication_methods.private_key_jwt.credentials[${index}].id`)
  })
}
