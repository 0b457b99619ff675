// Clients: applications, with their secret and their public keys.
// - The secret is shown to readers of client keys where it is stored sealed, and with the answer that made it.
// - Every tenant has one global client, "All Applications": it stands for settings of all applications in the vendor's tools, and
//   no user can log in with it.
import * as z from 'zod'
import type { SigningAlgorithm } from '../../crypto/keys/algorithms'
import { CLIENT_JWT_ALGORITHMS } from '../../crypto/keys/algorithms'
import {
  algorithmsOf,
  clientSettings,
  isForeignType,
  LOGIN_URI,
  MIN_SECRET_LENGTH,
  SECRET_PURPOSE,
  toClient,
  usesSecret,
  writtenAddons,
  writtenLoginUri,
  writtenUrls,
} from '../../data/clients/client'
import {
  credentials as credentialList,
  DEFAULT_KEY_ALGORITHM,
  describeCredential,
} from '../../data/clients/credentials'
import { contradictionOf, type SecurityProfile, underProfile } from '../../data/clients/fapi2'
import { addSeconds } from '../../kernel/clock'
import { type JsonObject, objectIn, objectsIn } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import { openObject, withOthers } from '../../kernel/schema'
import { digestHex, type Vault } from '../../kernel/secret'
import { unknownMembers } from '../operations/effects'
import { inexistent, invalidBody, invalidQuery, missing, problemOf } from '../operations/errors'
import { flag } from '../operations/list'
import { allMembers, changeMembers, checkWritten, newMembers, type StoredMembers } from '../operations/members'
import { type Call, operationsWith, type ScopeRule } from '../operations/operation'
import { inPath } from '../operations/rank'
import { defineResource, type ResourceStore } from '../operations/resource'
import { asksForIt, isOneOf, isSet, type UnsupportedProtections } from '../operations/unsupported-protections'
import { SEARCH_PARAMETERS, type SearchStore, searchOperation } from '../search/object-search'

export type ClientResourceRow = StoredMembers & {
  clientId: string
  name: string
  secretDigest: Uint8Array | null
  sealedSecret: Uint8Array | null
  /** The secret before, which authenticates until then. */
  earlierSecretDigest: Uint8Array | null
  earlierSecretExpiresAt: Date | null
  isRegistered: boolean
  isGlobal: boolean
}

export type ClientFilter = {
  is_global?: boolean | undefined
  is_first_party?: boolean | undefined
  app_type?: string | undefined
  name_filter?: string | undefined
  /** Clients with a client grant that an organization has, or that is for every organization. */
  q?: { organizationId: string } | 'any-organization' | undefined
}

/** What a tenant file says of a client, and the API does not. */
export type ClientDoor = {
  /** The id of the new client. */
  clientId?: string
  /** Keys may be named by ids of another tenant: none of them authenticates the client. */
  foreignKeys?: true
  /** Shows a secret that is made. The digest alone is stored, so no read shows it again. */
  announceSecret?(secret: string): void
}

export type ClientDeps = ClientDoor & {
  clock: { now(): Date }
  random: Random
  vault: Vault
  tenantId: string
  /** That of all clients of the tenant. */
  securityProfile: SecurityProfile | undefined
  /** The current signing certificate, as PEM and as PKCS #7; null for a tenant that may have none yet. */
  certificate(): { cert: string; pkcs7: string; subject: string } | null
  managedClients: ResourceStore<ClientResourceRow, ClientFilter> & SearchStore<ClientResourceRow>
  /** Makes signing keys that a client or an API needs. */
  prepareKeys(algorithms: readonly SigningAlgorithm[]): Promise<void>
}

export const NO_EARLIER_SECRET = { earlierSecretDigest: null, earlierSecretExpiresAt: null }

/** The secret that is shown again is sealed for this purpose. */
const SEAL_PURPOSE = 'client-secret-shown'

/** What authenticates a client by its keys. */
const KEYS = ['client_authentication_methods', 'jwks', 'jwks_uri']
/** `name_filter` is a parameter of the list. */
const SUMMARY = ['client_id', 'name', 'app_type', 'description', 'name_filter']
const READING: readonly ScopeRule[] = [
  'read:client_keys',
  { 'read:client_credentials': [...SUMMARY, ...KEYS] },
  { 'read:client_summary': SUMMARY },
]

/** Maps that a PATCH merges; other objects are replaced, as at the vendor. */
const MERGE = { deep: ['jwt_configuration', 'client_metadata'] }

const name = z
  .string()
  .min(1)
  .max(200)
  .meta({ title: 'Name', help: 'Users see it on the login page.', group: 'basics', order: 11 })
const secret = z.string().min(MIN_SECRET_LENGTH).max(1024).meta({ title: 'Client secret', secret: true })
const writable = {
  client_secret: secret.nullish(),
  /** An empty text unsets it. */
  initiate_login_uri: z
    .string()
    .refine((value) => value === '' || writtenLoginUri.safeParse(value).success, { error: LOGIN_URI })
    .nullish(),
}
/** `addons` by itself, because a body may unset any of its members. */
const WRITTEN = { ...writtenUrls, addons: writtenAddons }
const shown = clientSettings.omit({ credentials: true }).extend({
  client_id: z.string(),
  name,
  tenant: z.string(),
  global: z.boolean(),
  client_secret: z.string().optional(),
  /** Ours: until when the secret before authenticates; absent without one. */
  earlier_secret_expires_at: z.string().optional(),
  signing_keys: z.array(z.object({ cert: z.string(), pkcs7: z.string(), subject: z.string() })),
})

const answer = withOthers(
  shown.extend({
    oidc_conformant: z.boolean(),
    sso_disabled: z.boolean(),
    custom_login_page_on: z.boolean(),
    cross_origin_auth: z.boolean(),
    jwt_configuration: shown.shape.jwt_configuration.unwrap().extend({ secret_encoded: z.boolean() }),
  }),
).meta({ id: 'Client' })

const credential = withOthers(
  z.object({
    id: z.string(),
    credential_type: z.literal('public_key'),
    name: z.string().optional(),
    kid: z.string().optional(),
    alg: z.string(),
    expires_at: z.string().optional(),
    created_at: z.string().optional(),
    updated_at: z.string().optional(),
  }),
).meta({ id: 'ClientCredential' })

/** What the vendor can switch for a client, and holds here for every one. */
const ALWAYS = {
  oidc_conformant: true,
  sso_disabled: false,
  custom_login_page_on: true,
  compliance_level: 'none',
  skip_non_verifiable_callback_uri_confirmation_prompt: true,
  jwt_configuration: { secret_encoded: false },
}

const PROTECTING: UnsupportedProtections = {
  compliance_level: (value) => isSet(value) && value !== 'none',
  encryption_key: isSet,
  oidc_backchannel_logout: isSet,
  redirection_policy: isOneOf('open_redirect_protection'),
  'client_authentication_methods.self_signed_tls_client_auth': asksForIt,
  'client_authentication_methods.tls_client_auth': asksForIt,
  skip_non_verifiable_callback_uri_confirmation_prompt: isOneOf(false),
  sso_disabled: isOneOf(true),
  third_party_security_mode: isOneOf('strict'),
  token_quota: isSet,
}

export const credentialEntry = openObject({
  credential_type: z.enum(['public_key'], 'only public_key is supported').optional(),
  name: z.string().max(128).optional().meta({ title: 'Name' }),
  pem: z.string().max(16_384).optional().meta({ title: 'Public key or certificate', help: 'PEM.', multiline: true }),
  kid: z.string().optional(),
  alg: z.enum(CLIENT_JWT_ALGORITHMS).optional().meta({ title: 'Algorithm', standard: DEFAULT_KEY_ALGORITHM }),
  expires_at: z.string().nullish(),
  parse_expiry_from_cert: z.boolean().optional().meta({ title: 'Ends with the certificate' }),
})

/** Days: a secret that is replaced is not kept for good. */
const MAX_OVERLAP = 30

/** Ours. Without it, as at the vendor, the secret before ends at once. */
const rotation = z.strictObject({
  overlap_seconds: z
    .number()
    .int()
    .min(0)
    .max(MAX_OVERLAP * 86_400)
    .optional()
    .meta({
      title: 'The present secret stays valid for',
      help: 'Time to give the new one to every server of the application.',
      unset: 'it ends at once',
      unit: 'seconds',
    }),
})

type Credential = JsonObject & { id: string }

/** A public key whose private part exists nowhere. */
const EXAMPLE_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAraM1x+9qbbcLemeG3Wyq
qYW16DdWROxMOIh+P+3uwUByECR3dtoHeooF8edumcN674DA3CUSPkzqsDiGiaS1
hFwgED2bGAoH6LWuU5TDPciUCxbBa6OWR4yQeROZ54JCoXVbE8d4fri5SLrCy7sK
AXHEaDbaEjRbX1bftW2XtQpKLCsf6N4MONkUPp39OmQg27Qx41TCMOoyLwR4fFdd
3GCRbh53F9/8zv/D/UJ5xraGrF1DDItskzsuybeqkkPMuEYfDHuYTJ5OYFKLlr90
bwj3unlm9N3SCinupyEdZwsqyeZZHTrLdUy4wXHlBA65JKFXJWHKV8rL0IIgETzq
zQIDAQAB
-----END PUBLIC KEY-----
`

/** The two queries that the vendor permits. */
const clientQuery = z.string().transform((text, context): NonNullable<ClientFilter['q']> => {
  const [, name, quoted, plain = quoted] = /^client_grant\.(\w+):(?:"([^"\s]+)"|([^"\s]+))$/.exec(text.trim()) ?? []
  if (name === 'organization_id' && plain !== undefined) return { organizationId: plain }
  if (name === 'allow_any_organization' && plain === 'true') return 'any-organization'
  context.addIssue('must be client_grant.organization_id:<id> or client_grant.allow_any_organization:true')
  return z.NEVER
})

const operation = operationsWith<ClientDeps>()

export const clients = defineResource({
  noun: 'client',
  plural: 'clients',
  console: true,
  examples: {
    create: { name: 'Shop', app_type: 'regular_web', callbacks: ['https://shop.example/callback'] },
    update: {
      description: 'The shop for customers',
      organization_usage: 'allow',
      initiate_login_uri: 'https://shop.example/login',
    },
  },
  path: '/clients',
  target: { create: 'tenant', update: inPath('clients'), delete: inPath('clients') },
  shown,
  answer,
  create: openObject({ name, ...writable }),
  update: openObject({ name: name.nullish(), ...writable }),
  filter: {
    is_global: flag.optional(),
    is_first_party: flag.optional(),
    app_type: z.string().max(400).optional(),
    name_filter: z.string().max(200).optional().meta({ description: 'A part of the name, or a whole id' }),
    q: clientQuery.optional().meta({
      description:
        '`client_grant.organization_id:<id>` or `client_grant.allow_any_organization:true`, without other filters',
    }),
  },
  checkpoint: true,
  also: {
    list: READING,
    read: READING,
    update: [
      { 'update:client_keys': ['client_id', 'client_secret'] },
      { 'update:client_credentials': ['client_id', ...KEYS] },
    ],
  },
  guarded: {
    create: { 'create:client_credentials': KEYS },
    update: { 'update:client_keys': ['client_secret'], 'update:client_credentials': KEYS },
  },
  secrets: { client_secret: { scopes: ['read:client_keys'], otherwise: 'absent' } },
  secretsOf: { kind: 'clients', member: 'client_id' },
  store: ({ managedClients }: ClientDeps) => ({
    ...managedClients,
    async list({ q, ...others }: ClientFilter, window) {
      const hasOthers = [others.is_global, others.is_first_party, others.app_type, others.name_filter].some(
        (value) => value !== undefined,
      )
      if (q !== undefined && hasOthers) throw invalidQuery('q cannot be combined with other filters')
      return managedClients.list({ ...others, q }, window)
    },
  }),
  id: (row: ClientResourceRow) => row.clientId,
  present: presentClient,
  notApplied: (client) => [
    ...(isForeignType(client.app_type) ? ['app_type'] : []),
    ...unknownMembers(shown, client, { ...ALWAYS, cross_origin_auth: client.cross_origin_authentication === true }),
  ],
  protecting: PROTECTING,
  notShown: ({ settings, secretDigest, sealedSecret }) => [settings.credentials, secretDigest, sealedSecret],
  make(body, { deps }) {
    const { settings, kept } = newMembers(clientSettings, withCredentialIds(membersOf(body), [], deps))
    checkProfile(settings, deps)
    const row = {
      clientId: deps.clientId ?? alphanumeric(deps.random, 32),
      name: body.name,
      secretDigest: null,
      sealedSecret: null,
      ...NO_EARLIER_SECRET,
      isRegistered: false,
      isGlobal: false,
      settings,
      kept,
    }
    return { ...row, ...secretOf(body.client_secret, row, deps) }
  },
  change(row, body, { deps }) {
    const given = withCredentialIds(membersOf(body), credentialsOf(row), deps)
    const changed = { ...row, ...changeMembers(clientSettings, row, given, MERGE) }
    checkProfile(changed.settings, deps)
    return { ...changed, name: body.name ?? row.name, ...secretOf(body.client_secret, changed, deps) }
  },
  changed: (row, { deps }) => deps.prepareKeys(algorithmsOf(clientOf(row, deps).settings)),
  mayRemove(row, { actor }) {
    refuseGlobal(row)
    if (row.clientId === actor.clientId) throw invalidBody('A client cannot delete itself')
  },
  operations: {
    search: searchOperation<ClientDeps, ClientResourceRow>({
      plural: 'clients',
      path: '/clients',
      scopes: ['read:clients', { 'read:client_summary': [...SUMMARY, ...SEARCH_PARAMETERS] }],
      restricted: { unless: 'read:clients', to: SUMMARY },
      sorts: ['name', 'updated_at'],
      fields:
        '`client_id`, `name`, `description`, `app_type`, `is_first_party`, `updated_at`, `metadata.*`, `callbacks` and other lists of addresses, ' +
        '`client_grant.organization_id` and `client_grant.allow_any_organization`',
      shown: answer,
      store: ({ managedClients }) => managedClients,
      present: withoutUnsearched,
    }),
    rotateSecret: operation({
      name: 'clients.rotate_secret',
      console: true,
      danger: true,
      method: 'POST',
      path: '/clients/:id/rotate-secret',
      summary: 'Replace the secret of a client',
      scopes: ['update:client_keys'],
      secrets: { client_secret: { scopes: ['update:client_keys'], otherwise: 'absent' } },
      target: inPath('clients'),
      body: rotation,
      bodyOptional: true,
      example: { overlap_seconds: 86_400 },
      status: 200,
      answer,
      async handle(call) {
        const { deps, params, body } = call
        const { overlap_seconds: overlap = 0 } = body ?? {}
        const at = deps.clock.now()
        const alter = (row: ClientResourceRow) => {
          refuseGlobal(row)
          const earlier = overlap > 0 && row.secretDigest !== null ? row.secretDigest : null
          return {
            ...row,
            ...newSecret(deps.random.token(48), deps),
            earlierSecretDigest: earlier,
            earlierSecretExpiresAt: earlier && addSeconds(at, overlap),
          }
        }
        const done = await deps.managedClients.change(params.id ?? '', alter, at)
        if (done === null || done === 'taken') throw inexistent('client')
        const expiresAt = done.after.earlierSecretExpiresAt
        return {
          body: presentClient(done.after, call),
          before: { client_secret: 'before' },
          after: {
            client_secret: 'after',
            ...(expiresAt && { earlier_secret_expires_at: expiresAt.toISOString() }),
          },
        }
      },
    }),
    earlierSecretDelete: operation({
      name: 'clients.earlier_secret.delete',
      console: true,
      danger: true,
      method: 'DELETE',
      path: '/clients/:id/earlier-secret',
      summary: 'End the secret before of a client at once',
      scopes: ['update:client_keys'],
      target: inPath('clients'),
      status: 204,
      async handle({ deps, params }) {
        const at = deps.clock.now()
        const done = await deps.managedClients.change(params.id ?? '', (row) => ({ ...row, ...NO_EARLIER_SECRET }), at)
        if (done === null || done === 'taken') throw inexistent('client')
        const expiresAt = done.before.earlierSecretExpiresAt
        return expiresAt && expiresAt > at ? { before: { earlier_secret_expires_at: expiresAt.toISOString() } } : {}
      },
    }),
    credentialsList: operation({
      name: 'clients.credentials.list',
      method: 'GET',
      path: '/clients/:id/credentials',
      summary: 'List the public keys of a client',
      scopes: ['read:client_credentials'],
      status: 200,
      answer: z.array(credential),
      handle: async (call) => ({ body: credentialsOf(await existing(call)).map(presentCredential) }),
    }),
    credentialsRead: operation({
      name: 'clients.credentials.read',
      method: 'GET',
      path: '/clients/:id/credentials/:credential_id',
      summary: 'Read a public key of a client',
      scopes: ['read:client_credentials'],
      status: 200,
      tagged: true,
      answer: credential,
      handle: async (call) => ({ body: presentCredential(findCredential(await existing(call), call)) }),
    }),
    credentialsCreate: operation({
      name: 'clients.credentials.create',
      console: true,
      example: { credential_type: 'public_key', name: '2027', pem: EXAMPLE_KEY },
      method: 'POST',
      path: '/clients/:id/credentials',
      summary: 'Register a public key of a client',
      scopes: ['create:client_credentials'],
      target: inPath('clients'),
      body: credentialEntry,
      status: 201,
      answer: credential,
      async handle(call) {
        const added = newCredential(call.body, call.deps)
        await changeCredentials(call, (known) => [...known, added])
        return { body: presentCredential(added), after: presentCredential(added), id: added.id }
      },
    }),
    credentialsUpdate: operation({
      name: 'clients.credentials.update',
      method: 'PATCH',
      path: '/clients/:id/credentials/:credential_id',
      summary: 'Change when a public key of a client expires',
      scopes: ['update:client_credentials'],
      target: inPath('clients'),
      body: z.looseObject({ expires_at: z.iso.datetime({ offset: true }).nullish() }),
      status: 200,
      answer: credential,
      async current({ params, deps }) {
        const row = await deps.managedClients.find(params.id ?? '')
        const found = row && credentialsOf(row).find(({ id }) => id === params.credential_id)
        return found ? presentCredential(found) : null
      },
      async handle(call) {
        const { expires_at } = call.body
        const before = findCredential(await existing(call), call)
        const { expires_at: _old, ...rest } = before
        const after: Credential = {
          ...rest,
          id: before.id,
          ...(typeof expires_at === 'string' ? { expires_at } : {}),
          updated_at: call.deps.clock.now().toISOString(),
        }
        await changeCredentials(call, (known) => known.map((each) => (each.id === after.id ? after : each)))
        return { body: presentCredential(after), before: presentCredential(before), after: presentCredential(after) }
      },
    }),
    credentialsDelete: operation({
      name: 'clients.credentials.delete',
      console: true,
      danger: true,
      method: 'DELETE',
      path: '/clients/:id/credentials/:credential_id',
      summary: 'Remove a public key of a client',
      scopes: ['delete:client_credentials'],
      target: inPath('clients'),
      status: 204,
      async handle(call) {
        const id = call.params.credential_id
        const before = credentialsOf(await existing(call)).find((each) => each.id === id)
        if (!before) return {}
        await changeCredentials(call, (known) => known.filter((each) => each.id !== id))
        return { before: presentCredential(before) }
      },
    }),
  },
})

const clientOf = (row: ClientResourceRow, { securityProfile }: ClientDeps) =>
  underProfile(toClient(row), securityProfile)

function checkProfile(settings: JsonObject, { securityProfile }: ClientDeps): void {
  const contradiction = contradictionOf(settings, securityProfile)
  if (contradiction) throw invalidBody(problemOf(contradiction))
}

/** The members of a body that are settings. `cross_origin_auth` is the older name of `cross_origin_authentication`. */
function membersOf(body: JsonObject): JsonObject {
  const {
    name: _name,
    client_id: _id,
    client_secret: _secret,
    tenant: _tenant,
    global: _global,
    signing_keys: _keys,
    earlier_secret_expires_at: _earlier,
    credentials: _credentials,
    cross_origin_auth: older,
    ...members
  } = body
  checkWritten(WRITTEN, members)
  return typeof older === 'boolean' ? { cross_origin_authentication: older, ...members } : members
}

/**
 * What the client does not set is shown where the vendor's tools take the value of a server for it. They plan to unset any other member,
 * such as `app_type`.
 */
function presentClient(row: ClientResourceRow, { deps }: { deps: ClientDeps }): JsonObject {
  const earlier = row.earlierSecretExpiresAt
  const { settings, grantTypes, authMethod, profile } = clientOf(row, deps)
  const { client_authentication_methods: methods, credentials: _, ...members } = allMembers(row)
  const plain = row.sealedSecret ? deps.vault.open(SEAL_PURPOSE, row.sealedSecret)?.toString() : undefined
  return {
    is_token_endpoint_ip_header_trusted: settings.is_token_endpoint_ip_header_trusted,
    oidc_conformant: ALWAYS.oidc_conformant,
    sso_disabled: ALWAYS.sso_disabled,
    cross_origin_auth: settings.cross_origin_authentication,
    cross_origin_authentication: settings.cross_origin_authentication,
    custom_login_page_on: ALWAYS.custom_login_page_on,
    is_first_party: settings.is_first_party,
    grant_types: [...grantTypes],
    callbacks: [],
    ...(methods === undefined
      ? { token_endpoint_auth_method: authMethod }
      : { client_authentication_methods: presentMethods(row) }),
    ...members,
    ...(profile && {
      require_pushed_authorization_requests: settings.require_pushed_authorization_requests,
      require_proof_of_possession: settings.require_proof_of_possession,
    }),
    jwt_configuration: {
      ...ALWAYS.jwt_configuration,
      lifetime_in_seconds: settings.jwt_configuration.lifetime_in_seconds,
      ...(profile && { alg: settings.jwt_configuration.alg }),
      ...objectIn(members.jwt_configuration),
    },
    refresh_token: { ...settings.refresh_token, ...objectIn(members.refresh_token) },
    tenant: deps.tenantId,
    client_id: row.clientId,
    name: row.name,
    global: row.isGlobal,
    signing_keys: [deps.certificate() ?? []].flat(),
    ...(plain === undefined ? {} : { client_secret: plain }),
    ...(earlier && earlier > deps.clock.now() ? { earlier_secret_expires_at: earlier.toISOString() } : {}),
  }
}

/** As at the vendor, a search shows no secrets, keys and add-ons. */
const UNSEARCHED = ['client_secret', 'encryption_key', 'signing_keys', 'owners', 'addons']

function withoutUnsearched(row: ClientResourceRow, call: Call<ClientDeps>): JsonObject {
  return Object.fromEntries(Object.entries(presentClient(row, call)).filter(([name]) => !UNSEARCHED.includes(name)))
}

/** The keys themselves are credentials; the method names their ids. */
export function presentMethods(row: StoredMembers): JsonObject {
  const { private_key_jwt, ...others } = objectIn(allMembers(row).client_authentication_methods)
  if (private_key_jwt === undefined) return others
  const named = objectsIn(objectIn(private_key_jwt).credentials)
  return { ...others, private_key_jwt: { credentials: named.map((each) => ({ id: idOfCredential(each) })) } }
}

const idOfCredential = (credential: JsonObject): string =>
  typeof credential.id === 'string' ? credential.id : `cred_${digestHex(JSON.stringify(credential)).slice(0, 16)}`

/** The registered keys, and those that a tenant file put into the method itself. */
export function credentialsOf({ settings }: Pick<StoredMembers, 'settings'>): Credential[] {
  const registered = objectsIn(settings.credentials)
  const methods = objectIn(settings.client_authentication_methods)
  const inline = objectsIn(objectIn(methods.private_key_jwt).credentials).filter(({ pem }) => pem !== undefined)
  return [...registered, ...inline].map((each) => ({ ...each, id: idOfCredential(each) }))
}

/** Keys given inside the method become credentials of their own, and the method refers to them. */
function withCredentialIds(body: JsonObject, known: readonly Credential[], deps: ClientDeps): JsonObject {
  const methods = objectIn(body.client_authentication_methods)
  const given = objectIn(methods.private_key_jwt).credentials
  if (!Array.isArray(given)) return body
  const added: Credential[] = []
  const references = given.map((each) => {
    const entry = objectIn(each)
    if (typeof entry.id === 'string' && entry.pem === undefined) {
      if (!deps.foreignKeys && !known.some(({ id }) => id === entry.id))
        throw invalidBody(`No credential has the id ${entry.id}`)
      return { id: entry.id }
    }
    const credential = newCredential(entry, deps)
    added.push(credential)
    return { id: credential.id }
  })
  return {
    ...body,
    credentials: [...known, ...added],
    client_authentication_methods: { ...methods, private_key_jwt: { credentials: references } },
  }
}

function newCredential(entry: JsonObject, { random, clock }: ClientDeps): Credential {
  const { id: _id, ...members } = entry
  if (typeof members.pem !== 'string') throw invalidBody(missing('pem'))
  const checked = credentialList.safeParse([members])
  if (!checked.success) throw invalidBody({ ...problemOf(checked.error), path: 'pem' })
  const now = clock.now().toISOString()
  return {
    ...members,
    id: `cred_${alphanumeric(random, 16)}`,
    credential_type: 'public_key',
    created_at: now,
    updated_at: now,
  }
}

function presentCredential(credential: Credential): Credential {
  const { pem: _pem, parse_expiry_from_cert: _parse, ...shown } = credential
  return {
    credential_type: 'public_key',
    alg: 'RS256',
    ...describeCredential(credential),
    ...shown,
    id: credential.id,
  }
}

type CredentialCall = Pick<Call<ClientDeps>, 'params' | 'deps'>

async function existing({ params, deps }: CredentialCall): Promise<ClientResourceRow> {
  const row = await deps.managedClients.find(params.id ?? '')
  if (!row) throw inexistent('client')
  return row
}

function findCredential(row: ClientResourceRow, { params }: CredentialCall): Credential {
  const found = credentialsOf(row).find(({ id }) => id === params.credential_id)
  if (!found) throw inexistent('client_credential')
  return found
}

/** References to removed keys go with them. */
async function changeCredentials(
  { params, deps }: CredentialCall,
  alter: (known: Credential[]) => Credential[],
): Promise<void> {
  const changed = await deps.managedClients.change(
    params.id ?? '',
    (row) => {
      refuseGlobal(row)
      const credentials = alter(credentialsOf(row))
      const methods = objectIn(row.settings.client_authentication_methods)
      const jwt = methods.private_key_jwt
      const named = objectsIn(objectIn(jwt).credentials).map(idOfCredential)
      const references = named.filter((id) => credentials.some((each) => each.id === id)).map((id) => ({ id }))
      const method: JsonObject =
        jwt === undefined
          ? {}
          : { client_authentication_methods: { ...methods, private_key_jwt: { credentials: references } } }
      return { ...row, settings: { ...row.settings, credentials, ...method } }
    },
    deps.clock.now(),
  )
  if (changed === null) throw inexistent('client')
}

function refuseGlobal({ isGlobal }: ClientResourceRow): void {
  if (isGlobal) throw invalidBody('The global client has no credentials and cannot be deleted')
}

/** The given secret, or a new one for a client that needs one and has none. */
function secretOf(given: unknown, row: ClientResourceRow, deps: ClientDeps): Partial<ClientResourceRow> {
  if (row.isGlobal) return {}
  if (typeof given === 'string') return newSecret(given, deps)
  if (row.secretDigest !== null || !usesSecret(clientOf(row, deps))) return {}
  const made = deps.random.token(48)
  deps.announceSecret?.(made)
  return newSecret(made, deps)
}

const newSecret = (
  plain: string,
  { vault, random, announceSecret }: ClientDeps,
): Pick<ClientResourceRow, 'secretDigest' | 'sealedSecret' | keyof typeof NO_EARLIER_SECRET> => ({
  ...NO_EARLIER_SECRET,
  secretDigest: vault.mac(SECRET_PURPOSE, plain),
  sealedSecret: announceSecret ? null : vault.seal(SEAL_PURPOSE, plain, random),
})
