// Connections: sources of identities, with settings by strategy and the clients that may use them.
// - Secrets are write-only. They are sealed when they arrive; a mask that a tool sends back changes nothing.
// - `options` replace the stored ones as a whole, as at the vendor, but for secrets that are not sent again.
import * as z from 'zod'
import { isFederationMetadata } from '../../crypto/saml/federation-metadata'
import { isIdpMetadata } from '../../crypto/saml/idp-metadata'
import type { ClientPort } from '../../data/clients/client'
import { connectionName, isStrategy, settingsOf, toConnection } from '../../data/connections/connection'
import { configurationIn, configurationValues, unusedScripts } from '../../data/connections/custom-database'
import { DATABASE } from '../../data/connections/database-options'
import { requestHeaders, writtenOptions } from '../../data/connections/federated-options'
import { providerSetupOf, SETUP_NAMES } from '../../data/connections/upstream/provider-setup'
import {
  CONNECTION_SECRETS,
  openSecret,
  type SealedObject,
  sealSecret,
  sealValues,
} from '../../data/connections/upstream/secrets'
import { unusedOptions } from '../../data/connections/upstream/unused-options'
import { canonical, type UserPort } from '../../data/users/user'
import { scriptProblem, whyScriptNotRunnable } from '../../identity/tenant-code/scripts/script'
import { type BrokenScripts, refuseBroken } from '../../identity/tenant-code/scripts/script-build'
import { isJsonObject, type Json, type JsonObject, objectIn, textsIn } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import { openObject } from '../../kernel/schema'
import { MASK, type Vault } from '../../kernel/secret'
import { unknownMembers } from '../operations/effects'
import { inexistent, invalidBody } from '../operations/errors'
import { answerList, checkpointQuery, nextShape, type Page, pageQuery, type Window } from '../operations/list'
import { allMembers, changeMembers, checkWritten, newMembers, type StoredMembers } from '../operations/members'
import { emptyAnswer, operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import { defineResource, type ResourceStore } from '../operations/resource'
import { asksForIt, isOneOf, isSet, type UnsupportedProtections } from '../operations/unsupported-protections'
import { removeByScript, type ScriptedUserDeps } from './scripted-users'

export type ConnectionResourceRow = StoredMembers & { id: string; name: string; strategy: string }

export type ConnectionFilter = { name?: string | undefined; strategy?: string[] | undefined }

export type ConnectionDeps = ScriptedUserDeps &
  BrokenScripts & {
    users: Pick<UserPort, 'findAccount'>
    clock: { now(): Date }
    random: Random
    vault: Vault
    baseUrl: string
    /** Called after a commit that may have made packages to build. */
    wakeJobs(): void
    entityId: string
    clients: Pick<ClientPort, 'find'>
    managedConnections: ResourceStore<ConnectionResourceRow, ConnectionFilter> & {
      /** The ids of all clients that operators created: those of a connection without a list. */
      clientIds(): Promise<string[]>
      /** Whether a user of this database has the address; the user's accounts there are removed. */
      removeUser(connectionId: string, emailKey: string): Promise<boolean>
    }
  }

const operation = operationsWith<ConnectionDeps>()

const schemaOf = (strategy: string): z.ZodObject => {
  if (isStrategy(strategy)) return settingsOf(strategy)
  throw invalidBody({ path: 'strategy', message: `The strategy ${strategy} does not exist here` })
}

/** What holds here for every connection. */
const ALWAYS = {
  authentication: { active: true },
  connected_accounts: { active: false },
  options: { mfa: { active: true } },
}

const asksOfPasswords = (value: Json): boolean => {
  const { complexity = null, ...others } = objectIn(value)
  return isSet(complexity) || Object.values(others).some((each) => objectIn(each).active === true)
}

/** Of any strategy: the name of an option says what it is for. */
const PROTECTING: UnsupportedProtections = {
  'authentication.active': isOneOf(false),
  'options.non_persistent_attrs': isSet,
  'options.password_options': asksOfPasswords,
  'options.authentication_methods.password.signup_behavior': isOneOf('block'),
  'options.gateway_authentication': isSet,
  'options.assertion_decryption_settings': isSet,
  'options.dpop_signing_alg': isSet,
  'options.enable_pushed_authorization_requests': asksForIt,
  'options.id_token_session_expiry_supported': asksForIt,
}

const secretOptions = Object.fromEntries(CONNECTION_SECRETS.map((name) => [name, z.string().optional()]))

function notApplied(connection: JsonObject): string[] {
  const strategy = String(connection.strategy)
  if (!isStrategy(strategy)) return []
  const { options, ...settings } = settingsOf(strategy).shape
  const own = { id: z.string(), name: z.string(), strategy: z.string() }
  const schema = z.object({ ...settings, ...own, options: options.unwrap().extend(secretOptions) })
  return [...new Set([...unknownMembers(schema, connection, ALWAYS), ...withoutUse(connection)])]
}

/** The paths of options that the schema knows and that have no effect beside the others. */
export function withoutUse({ strategy, ...connection }: JsonObject): string[] {
  const options = objectIn(connection.options)
  const unused = [...unusedOptions(String(strategy), options), ...(strategy === DATABASE ? unusedScripts(options) : [])]
  return unused.map((name) => `options.${name}`)
}

const names = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())
const clientQuery = z.object({ ...pageQuery, ...checkpointQuery })
/** What a connection needs, by its strategy. */
const setup = z.partialRecord(z.enum(SETUP_NAMES), z.string())
const clientChanges = z
  .array(z.object({ client_id: z.string().min(1), status: z.boolean() }))
  .min(1)
  .max(50)

export const connections = defineResource({
  noun: 'connection',
  plural: 'connections',
  console: true,
  examples: {
    create: { name: 'Customers', strategy: 'auth0', options: { disable_signup: true } },
    update: { display_name: 'Customers' },
  },
  path: '/connections',
  target: { create: 'tenant', update: 'tenant', delete: inPath('connections') },
  shown: z
    .looseObject({
      id: z.string(),
      name: connectionName,
      strategy: z.string().meta({ title: 'Kind', picker: 'strategies' }),
      display_name: z.string().optional().meta({ title: 'Name on the login page', group: 'basics', order: 11 }),
      options: z.looseObject({}).meta({ title: 'Options', group: 'options', order: 31 }),
      enabled_clients: z
        .array(z.string())
        .meta({ title: 'Applications', picker: 'applications', group: 'clients', order: 21 }),
      realms: z
        .array(z.string())
        .meta({ title: 'Realms', help: 'Further names of the connection in requests.', group: 'basics', order: 13 }),
      is_domain_connection: z.boolean().meta({ title: 'Open to applications of others', group: 'basics', order: 12 }),
    })
    .meta({ id: 'Connection' }),
  create: openObject({
    name: connectionName,
    strategy: z.string().min(1).max(64),
    options: openObject({}).nullish(),
  }),
  update: openObject({ options: openObject({}).nullish() }),
  filter: { name: z.string().optional(), strategy: names.optional() },
  checkpoint: true,
  always: ['id'],
  taken: { message: 'A connection with the same name already exists.', errorCode: 'connection_conflict' },
  store: ({ managedConnections }: ConnectionDeps) => managedConnections,
  id: (row: ConnectionResourceRow) => row.id,
  present: presentConnection,
  notApplied,
  protecting: PROTECTING,
  changed: (_row, { deps }) => deps.wakeJobs(),
  make: (body, { deps }) => newConnection({ enabled_clients: [], ...body }, deps),
  change: (row, body, { deps }) => changedConnection(row, body, deps),
  operations: {
    clientsList: operation({
      name: 'connections.clients.list',
      method: 'GET',
      path: '/connections/:id/clients',
      summary: 'List the clients that may use a connection',
      scopes: ['read:connections'],
      query: clientQuery,
      status: 200,
      answer: z.object({ clients: z.array(z.object({ client_id: z.string() })), ...nextShape }),
      async handle({ params, query, deps }) {
        const ids = [...(await enabledIn(await existing(params.id, deps), deps))].sort()
        const after = (window: Window): Page<string> => {
          const later = 'offset' in window ? ids.slice(window.offset) : ids.filter((id) => id > (window.after ?? ''))
          return { rows: later.slice(0, window.limit), total: ids.length }
        }
        const body = await answerList(
          { ...query, take: query.take ?? 50 },
          {
            key: 'clients',
            checkpoint: true,
            load: async (window) => after(window),
            present: (id) => ({ client_id: id }),
            id: (id) => id,
          },
        )
        return { body }
      },
    }),
    clientsUpdate: operation({
      name: 'connections.clients.update',
      console: true,
      example: [{ client_id: '<client>', status: true }],
      method: 'PATCH',
      path: '/connections/:id/clients',
      summary: 'Open a connection to clients, or close it',
      scopes: ['update:connections'],
      target: 'tenant',
      body: clientChanges,
      status: 204,
      async handle({ params, body, deps }) {
        for (const { client_id } of body) if (!(await deps.clients.find(client_id))) throw inexistent('client')
        const all = await deps.managedConnections.clientIds()
        const done = await deps.managedConnections.change(
          params.id ?? '',
          (row) => {
            const enabled = new Set(listIn(row.settings.enabled_clients) ?? all)
            for (const { client_id, status } of body) status ? enabled.add(client_id) : enabled.delete(client_id)
            return { ...row, settings: { ...row.settings, enabled_clients: [...enabled] } }
          },
          deps.clock.now(),
        )
        if (done === null || done === 'taken') throw inexistent('connection')
        return {
          before: { enabled_clients: done.before.settings.enabled_clients ?? null },
          after: { enabled_clients: done.after.settings.enabled_clients ?? null },
        }
      },
    }),
    status: operation({
      name: 'connections.status',
      method: 'GET',
      path: '/connections/:id/status',
      summary: 'Say whether a connection can be used',
      scopes: ['read:connections'],
      status: 200,
      answer: emptyAnswer,
      async handle({ params, deps }) {
        await existing(params.id, deps)
        return { body: {} }
      },
    }),
    setup: operation({
      name: 'connections.setup',
      method: 'GET',
      path: '/connections/:id/setup',
      summary: 'Show what to enter at the identity provider of a connection',
      scopes: ['read:connections'],
      status: 200,
      answer: setup,
      async handle({ params, deps }) {
        const { id, name, strategy, settings } = await existing(params.id, deps)
        const connection = toConnection({ id, name, strategy, settings })
        return { body: connection ? providerSetupOf(connection, deps) : {} }
      },
    }),
    usersDelete: operation({
      name: 'connections.users.delete',
      method: 'DELETE',
      path: '/connections/:id/users',
      summary: 'Delete the user of a database who has this address',
      scopes: ['delete:users'],
      target: ({ params, query }) => ({ accounts: [{ connectionId: params.id ?? '', name: canonical(query.email) }] }),
      query: z.object({ email: z.string().min(1).max(320) }),
      status: 204,
      async handle(call) {
        const { params, query, deps } = call
        const row = await existing(params.id, deps)
        if (row.strategy !== DATABASE) throw invalidBody('The connection is no database')
        const account = await deps.users.findAccount(row.id, canonical(query.email))
        if (account) await removeByScript(account.user.id, [account], call)
        await deps.managedConnections.removeUser(row.id, canonical(query.email))
        return { id: row.id }
      },
    }),
  },
})

type MakingDeps = Pick<ConnectionDeps, 'vault' | 'random' | 'keepBroken'>

/** The row of a body; throws where the body is invalid. */
export function newConnection(
  body: JsonObject & { name: string; strategy: string },
  deps: MakingDeps,
): ConnectionResourceRow {
  const { strategy } = body
  const { given, sealed } = sealOptions(strategy, membersOf(body, deps), {}, deps)
  const { settings, kept } = newMembers(schemaOf(strategy), given)
  return {
    id: `con_${alphanumeric(deps.random, 16)}`,
    name: body.name,
    strategy,
    settings: { ...settings, ...sealed },
    kept,
  }
}

export function changedConnection(
  row: ConnectionResourceRow,
  body: JsonObject,
  deps: MakingDeps,
): ConnectionResourceRow {
  const { sealed: before, ...settings } = row.settings
  const { given, sealed } = sealOptions(row.strategy, membersOf(body, deps), objectIn(before), deps)
  const changed = changeMembers(schemaOf(row.strategy), { settings, kept: row.kept }, given)
  return { ...row, kept: changed.kept, settings: { ...changed.settings, ...sealed } }
}

async function existing(
  id: string | undefined,
  { managedConnections }: ConnectionDeps,
): Promise<ConnectionResourceRow> {
  const row = await managedConnections.find(id ?? '')
  if (!row) throw inexistent('connection')
  return row
}

async function enabledIn(
  { settings }: ConnectionResourceRow,
  { managedConnections }: ConnectionDeps,
): Promise<string[]> {
  return listIn(settings.enabled_clients) ?? managedConnections.clientIds()
}

const listIn = (value: unknown): string[] | undefined => (Array.isArray(value) ? textsIn(value) : undefined)

const isOrEmpty =
  (describes: (xml: string) => boolean) =>
  (text: string | undefined): boolean =>
    !text || describes(text)

const writtenScripts = z.record(z.string(), z.string().nullable()).optional()

/** Metadata is read where it is written: a login could only fail by it. */
const WRITTEN = z.looseObject({
  ...writtenOptions,
  customScripts: writtenScripts,
  scripts: writtenScripts,
  metadataXml: writtenOptions.metadataXml.refine(isOrEmpty(isIdpMetadata), 'must describe one identity provider'),
  fedMetadataXml: writtenOptions.fedMetadataXml.refine(
    isOrEmpty(isFederationMetadata),
    'must describe one token service',
  ),
})

function membersOf(
  { id: _id, name: _name, strategy: _strategy, ...members }: JsonObject,
  deps: BrokenScripts,
): JsonObject {
  checkWritten({ options: WRITTEN }, members)
  checkScripts(objectIn(members.options), deps)
  return members
}

/** A script is compiled where it is written, and its packages are named. */
function checkScripts(options: JsonObject, deps: BrokenScripts): void {
  for (const member of ['customScripts', 'scripts']) {
    for (const [name, script] of Object.entries(objectIn(options[member]))) {
      const why = script ? (scriptProblem(String(script)) ?? whyScriptNotRunnable(String(script))) : null
      const path = `options.${member}.${name}`
      if (why !== null) refuseBroken(deps, why, path, invalidBody({ path, message: why }))
    }
  }
}

async function presentConnection(row: ConnectionResourceRow, { deps }: { deps: ConnectionDeps }): Promise<JsonObject> {
  const { sealed, ...settings } = row.settings
  const members = allMembers({ settings, kept: row.kept })
  const secrets = CONNECTION_SECRETS.filter((name) => Object.hasOwn(objectIn(sealed), name)).map((name) => [name, MASK])
  return {
    is_domain_connection: false,
    realms: [row.name],
    ...members,
    options: { ...objectIn(members.options), ...Object.fromEntries(secrets) },
    enabled_clients: await enabledIn(row, deps),
    id: row.id,
    name: row.name,
    strategy: row.strategy,
  }
}

type Sealed = {
  name: SealedObject
  schema: z.ZodType<Readonly<Record<string, string>> | undefined>
  /** Its values in the options of a body. */
  given(options: JsonObject): Json | undefined
}

const HEADERS: Sealed = {
  name: 'customHeaders',
  schema: requestHeaders,
  given: ({ customHeaders }) => customHeaders,
}
const CONFIGURATION: Sealed = { name: 'configuration', schema: configurationValues, given: configurationIn }

/** Values for scripts of a connection that has none: they are secrets, and are not stored. */
const maskedConfiguration = (options: JsonObject): JsonObject => {
  const values = configurationIn(options)
  return isJsonObject(values)
    ? { configuration: Object.fromEntries(Object.keys(values).map((name) => [name, MASK])) }
    : {}
}

/** Takes the secrets out of the options of a body. A mask, or no secret at all, keeps the stored one. */
function sealOptions(
  strategy: string,
  body: JsonObject,
  before: JsonObject,
  { vault, random }: MakingDeps,
): { given: JsonObject; sealed: JsonObject } {
  if (!isJsonObject(body.options))
    return { given: body, sealed: Object.keys(before).length > 0 ? { sealed: before } : {} }
  const { bareConfiguration: _bare, ...others } = body.options
  const options = strategy === DATABASE ? others : { ...others, ...maskedConfiguration(body.options) }
  const sealed: JsonObject = { ...before }
  for (const name of CONNECTION_SECRETS) {
    const plain = options[name]
    delete options[name]
    if (plain === '' || plain === null) delete sealed[name]
    if (typeof plain !== 'string' || plain === '' || plain === MASK) continue
    const unchanged = openSecret(name, before as Record<string, string>, vault) === plain
    if (!unchanged) sealed[name] = sealSecret(name, plain, vault, random)
  }
  for (const { name, schema, given } of strategy === DATABASE ? [HEADERS, CONFIGURATION] : [HEADERS]) {
    delete sealed[name]
    const values = given(body.options)
    // What is invalid stays as it is, for the schema to refuse.
    const valid = schema.safeParse(values).data
    if (values !== undefined) options[name] = values
    if (valid === undefined) continue
    const { shown, sealed: own } = sealValues(name, valid, before, vault, random)
    Object.assign(sealed, own)
    options[name] = shown
  }
  return { given: { ...body, options }, sealed: Object.keys(sealed).length > 0 ? { sealed } : {} }
}
