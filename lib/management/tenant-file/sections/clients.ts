// `clients`: applications. An export identifies them by `name` alone; our files may also contain `client_id` and `client_secret`.
// - An entry with a client_id is that client; else the only client of that name; else a new one with a new id.
// - Clients that registered themselves are not changed or exported, unless the file names one by its client_id.
// - A secret is stored as a keyed digest. A confidential client without a secret gets one, shown once when the file is applied.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import {
  clientSettings,
  isForeignType,
  MIN_SECRET_LENGTH,
  SECRET_PURPOSE,
  toClient,
  writtenAddons,
  writtenLoginUri,
  writtenUrls,
} from '../../../data/clients/client'
import { contradictionOf, type SecurityProfile } from '../../../data/clients/fapi2'
import { tenantSettings } from '../../../data/tenants/settings'
import { isJsonObject, mergeObjects, objectIn } from '../../../kernel/json'
import { equalsConstantTime } from '../../../kernel/secret'
import {
  type ClientDeps,
  type ClientResourceRow,
  credentialsOf,
  presentMethods,
  clients as resource,
} from '../../resources/clients'
import { itemsOf, type PlanContext, problemsOf, type Section } from '../context'
import { copiedRows } from '../copied-stores'
import { type Elsewhere, hasPlaceholder, oneOf, wholeNumber } from '../elsewhere'
import { sorted } from '../fields'
import type { Configuration, Json, JsonObject } from '../model'
import { mergedWith, put } from '../working-copy'
import { type ObjectKind, objectsSection, planObject } from './objects'

declare module '../model' {
  interface Copied {
    /** One that registered itself chose its own name, so a file can refer to it only by id. */
    clients: { rows: ClientResourceRow[]; stores: Pick<ClientDeps, 'managedClients'> }
  }
}

const fields = clientSettings.omit({ credentials: true }).extend({
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

const elsewhere: Elsewhere = {
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

const kind: ObjectKind<ClientResourceRow> = {
  section: 'clients',
  copy: copiedRows('clients', {
    store: 'managedClients',
    hasId: (row, id) => row.clientId === id,
    nameOf: ({ clientId }) => clientId,
    isSorted: true,
  }),
  fields,
  elsewhere,
  // The vendor's record of "all applications".
  isForeign: ({ global }) => global === true,
  all: ({ clients }) => clients,
  isNamed(entry, context) {
    const id = clientOf(entry, context)?.clientId
    return ({ clientId }) => clientId === id
  },
  async operate(entry, before, path, context) {
    const { app_type } = entry
    if (isForeignType(app_type)) context.notApplied.push(`${path}.app_type: ${JSON.stringify(app_type)}`)
    reportForeignKeys(fields.parse(entry), path, context)
    const { name: _, client_id: _id, client_secret: _secret, ...settings } = entry
    const after = mergeObjects(before ? withInlineKeys(before.settings) : {}, settings)
    const contradiction = contradictionOf(after, tenantProfile(context))
    if (contradiction) context.problems.push(...problemsOf(contradiction, path))
    else await putClient(entry, before, context)
  },
  name: ({ name, clientId }) => `${name} (${clientId})`,
  shown: ({ name, settings }) => ({ name, ...withInlineKeys(settings) }),
  exported: ({ clientId, name, settings }) => ({ name, client_id: clientId, ...sorted(withInlineKeys(settings)) }),
  secrets: ({ secretDigest }) => ({ client_secret: secretDigest && Buffer.from(secretDigest).toString('hex') }),
  isMade: ({ clientId }, { secrets }) => secrets.some((made) => made.clientId === clientId),
}

const list = objectsSection(kind, 'name')

export const clients: Section = {
  ...list,
  async plan(given, context) {
    const seen = new Set<string>()
    for (const { value, path } of itemsOf(given, 'clients', 'name', context)) {
      const entry = withoutMutualTls(withNewName(value), path, context)
      const reason = whyUnclear(entry, seen, context)
      if (reason === null) await planObject(kind, entry, path, context)
      else context.problems.push({ path, reason })
      const planned = clientOf(entry, context)
      if (planned) seen.add(planned.clientId)
    }
    refuseSharedAliases(context)
  },
  export: (stored, users, vault) =>
    list.export({ ...stored, clients: stored.clients.filter((client) => !client.isRegistered) }, users, vault),
}

/** The client of an entry: that of its id, else the only one of its name. */
function clientOf({ name = null, client_id: id }: JsonObject, context: PlanContext): ClientResourceRow | undefined {
  if (id !== undefined) return context.stored.clients.find(({ clientId }) => clientId === id)
  const named = clientsNamed(name, context)
  return named.length === 1 ? named[0] : undefined
}

function whyUnclear(entry: JsonObject, seen: ReadonlySet<string>, context: PlanContext): string | null {
  if (entry.client_id === undefined && clientsNamed(entry.name ?? null, context).length > 1)
    return 'several clients have this name; add the client_id of the one that is meant'
  const planned = clientOf(entry, context)
  return planned && seen.has(planned.clientId)
    ? 'is in the file twice; give each a client_id or a name of its own'
    : null
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

/** The tenant's profile is that which the same file sets. */
const tenantProfile = ({ stored }: PlanContext): SecurityProfile | undefined =>
  tenantSettings.parse(stored.tenant?.settings ?? {}).tenant.security_profile

/** A client that needs a secret and has none gets one, which is announced. */
async function putClient(
  { client_id, client_secret, ...entry }: JsonObject,
  before: ClientResourceRow | undefined,
  context: PlanContext,
): Promise<void> {
  const { vault, secrets } = context
  const digest = before?.secretDigest ?? null
  const isStored =
    digest !== null &&
    typeof client_secret === 'string' &&
    equalsConstantTime(digest, vault.mac(SECRET_PURPOSE, client_secret))
  const shown = before ? shownClient(before) : {}
  const body = {
    ...withKnownKeys(mergedWith(shown, entry), before),
    ...(client_secret === undefined || isStored ? {} : { client_secret }),
  }
  const known = before && { id: before.clientId, shown: digest === null ? {} : shown }
  const made: string[] = []
  const door = {
    securityProfile: tenantProfile(context),
    foreignKeys: true as const,
    announceSecret: (secret: string) => void made.push(secret),
    ...(typeof client_id === 'string' ? { clientId: client_id } : {}),
  }
  const clientId = await put(resource, body, known, context, door)
  for (const secret of made) secrets.push({ name: String(entry.name), clientId, secret })
}

function shownClient(row: ClientResourceRow): JsonObject {
  const { credentials: _, client_authentication_methods: methods, ...settings } = row.settings
  const known: JsonObject = methods === undefined ? {} : { client_authentication_methods: presentMethods(row) }
  return { name: row.name, ...settings, ...known }
}

/** Keys that the client has are named by their ids, so that they stay the same. */
function withKnownKeys(body: JsonObject, before: ClientResourceRow | undefined): JsonObject {
  const { client_authentication_methods: methods } = body
  const { private_key_jwt: jwt } = objectIn(methods)
  const given = objectIn(jwt).credentials
  if (!before || !Array.isArray(given)) return body
  const known = credentialsOf(before)
  const credentials = given.map((each) => {
    const key = objectIn(each)
    const found = key.pem === undefined ? undefined : known.find((one) => isDeepStrictEqual({ ...one, ...key }, one))
    return found ? { id: found.id } : each
  })
  const private_key_jwt = { ...objectIn(jwt), credentials }
  return { ...body, client_authentication_methods: { ...objectIn(methods), private_key_jwt } }
}

/** Clients that registered themselves are excluded: they could choose the name of the client that the file means. */
const clientsNamed = (name: Json, { stored }: PlanContext): ClientResourceRow[] =>
  stored.clients.filter((client) => client.name === name && !client.isRegistered)

/** The client with this name or id; undefined if several have the name. */
export function resolveClient(reference: Json, context: PlanContext): ClientResourceRow | undefined {
  const byId = context.stored.clients.find(({ clientId }) => clientId === reference)
  const byName = clientsNamed(reference, context)
  return byId ?? (byName.length === 1 ? byName[0] : undefined)
}

/** The client's name if it is unique, as in an export; else its id. */
export function nameOfClient(clientId: Json, stored: Configuration): Json {
  const name = stored.clients.find((client) => client.clientId === clientId)?.name
  return name !== undefined && stored.clients.filter((client) => client.name === name).length === 1 ? name : clientId
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
  { client_authentication_methods: methods }: z.output<typeof fields>,
  path: string,
  { notApplied }: PlanContext,
): void {
  methods?.private_key_jwt?.credentials.forEach(({ id, pem }, index) => {
    if (id !== undefined && pem === undefined)
      notApplied.push(`${path}.client_authentication_methods.private_key_jwt.credentials[${index}].id`)
  })
}
