// A singleton of the Management API: one object of the tenant with GET and PATCH, stored in the tenant's row.
// - Members of the schema are settings that the domain applies; other members are kept and shown again (members.ts).
// - The row is locked during a change, so concurrent changes of different singletons lose nothing.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { ManagementScope } from '../../data/apis/management-scopes'
import { isJsonObject, type JsonObject, objectIn } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { withOthers } from '../../kernel/schema'
import { describedLike } from '../../kernel/schema-meta'
import type { Vault } from '../../kernel/secret'
import { unknownMembers } from './effects'
import { checkUnchanged } from './etag'
import { fieldsQuery, selectFields } from './list'
import { allMembers, changeMembers, type StoredMembers } from './members'
import { operationsWith } from './operation'
import type { ActedOn } from './rank'
import { refuseUnsupportedProtections, type UnsupportedProtections } from './unsupported-protections'

export type TenantRecord = { name: string; settings: JsonObject; kept: JsonObject }

export type TenantRecordStore = {
  read(): Promise<TenantRecord>
  /** Changes the record under a lock. */
  change(
    alter: (record: TenantRecord) => TenantRecord,
    at: Date,
  ): Promise<{ before: TenantRecord; after: TenantRecord }>
}

export type SingletonDeps = {
  clock: { now(): Date }
  vault: Vault
  random: Random
  tenantRecord: TenantRecordStore
  /** Those of the pages; all of them are enabled where a tenant names none. */
  languages: readonly string[]
}

type Shaping = Pick<SingletonDeps, 'vault' | 'random' | 'languages'>

export type Singleton<Schema extends z.ZodObject = z.ZodObject> = {
  /** Unique, for the names of the operations: `brute_force_protection`. */
  name: string
  /** The console has a form for it. */
  console?: true
  /** For people: `brute-force protection`. */
  title: string
  path: string
  /** The noun of the scopes. */
  scope: 'tenant_settings' | 'attack_protection' | 'branding' | 'prompts' | 'guardian_factors'
  method?: 'PATCH' | 'PUT'
  /** Where the object is in the tenant's settings and in the kept members. */
  at: readonly string[]
  /** The members that are applied. */
  schema: Schema
  /** A body that a test sends. */
  example?: JsonObject
  /** Constraints on the body beyond the schema; a member that is known but cannot be applied is refused here. */
  body?: z.ZodType<JsonObject>
  /** The members that merge with the stored ones instead of replacing them. */
  deep?: readonly string[]
  /** Translates a body into the members of the schema; throws where it asks for what does not exist here. */
  accept?(body: JsonObject, before: JsonObject, deps: Shaping): JsonObject
  /** The object as it is shown, where that is not as the schema. */
  answer?: z.ZodObject
  /** What a read shows of the stored members. */
  present?(members: JsonObject, deps: Shaping): JsonObject
  /** Members that protect administrators: only an actor with the scope over administrators changes them. */
  protective?: readonly string[]
  /** What a body may not ask for. */
  protecting?: UnsupportedProtections
  /** Members that the schema does not know, with the value that holds here for every tenant. */
  always?: JsonObject
  /** The name of the tenant, where a member sets it. */
  nameIn?(settings: JsonObject): string | undefined
}

type Changing = { body: JsonObject; ifMatch: string | null; deps: SingletonDeps }

const anyBody: z.ZodType<JsonObject> = z.record(z.string(), z.json())

const verbs = (scope: Singleton['scope']): { read: ManagementScope; update: ManagementScope } => ({
  read: `read:${scope}`,
  update: `update:${scope}`,
})

export function defineSingleton<Schema extends z.ZodObject>(singleton: Singleton<Schema>) {
  const { name, title, path, scope, method = 'PATCH', body = anyBody, schema } = singleton
  const answer = withOthers(singleton.answer ?? schema) as unknown as Schema
  const operation = operationsWith<SingletonDeps>()
  const show = (record: TenantRecord, deps: Shaping): JsonObject => presentOf(singleton, record, deps)
  const alter = (record: TenantRecord, { body, ifMatch, deps }: Changing): TenantRecord => {
    refuseUnsupportedProtections(singleton.protecting ?? {}, body)
    if (ifMatch !== null) checkUnchanged(ifMatch, show(record, deps))
    return changed(singleton, record, body, deps)
  }
  const notApplied = (object: JsonObject): string[] => unknownMembers(singleton.schema, object, singleton.always)
  return {
    read: operation({
      name: `${name}.read`,
      method: 'GET',
      path,
      summary: `Read the ${title}`,
      scopes: [verbs(scope).read],
      notApplied,
      query: z.object(fieldsQuery),
      status: 200,
      tagged: true,
      answer,
      async handle({ query, deps }) {
        return { body: selectFields(show(await deps.tenantRecord.read(), deps), query) }
      },
    }),
    update: operation({
      name: `${name}.update`,
      ...(singleton.console && { console: true }),
      ...(singleton.example && { example: singleton.example }),
      method,
      path,
      summary: `Change the ${title}`,
      scopes: [verbs(scope).update],
      notApplied,
      target: singleton.protective ? (call) => targetOf(singleton, call) : 'tenant',
      body,
      describedBody: describedBy(singleton),
      status: 200,
      tagged: true,
      answer,
      async check(call) {
        alter(await call.deps.tenantRecord.read(), call)
      },
      async handle(call) {
        const { deps } = call
        const { before, after } = await deps.tenantRecord.change((record) => alter(record, call), deps.clock.now())
        const shown = show(after, deps)
        return { body: shown, before: show(before, deps), after: shown, id: path }
      },
    }),
  }
}

async function targetOf(
  { at, protective = [], schema }: Singleton,
  { body, deps }: { body: JsonObject; deps: SingletonDeps },
): Promise<ActedOn> {
  const stored = objectIn(schema.parse(membersIn(await deps.tenantRecord.read(), at).settings))
  const changes = protective.filter((name) => body[name] !== undefined && !isDeepStrictEqual(body[name], stored[name]))
  return changes.length > 0 ? { protectsAdministrators: true } : {}
}

/** The members that are applied, and what the body itself demands; others are kept. */
const describedBy = ({ schema, body }: Singleton): z.ZodType =>
  describedLike(schema.shape, body instanceof z.ZodObject ? body : z.looseObject({}))

function presentOf(
  { at, schema, present = (members) => members }: Singleton,
  record: TenantRecord,
  deps: Shaping,
): JsonObject {
  const { settings, kept } = membersIn(record, at)
  return present(allMembers({ settings: objectIn(schema.parse(settings)), kept }), deps)
}

function changed(singleton: Singleton, record: TenantRecord, body: JsonObject, deps: SingletonDeps): TenantRecord {
  const { at, schema, deep = [], accept = (given) => given, nameIn } = singleton
  const before = membersIn(record, at)
  const given = accept(body, presentOf(singleton, record, deps), deps)
  const after = changeMembers(schema, before, given, { deep })
  return {
    name: nameIn?.(after.settings) ?? record.name,
    settings: placed(record.settings, at, after.settings),
    kept: placed(record.kept, at, after.kept),
  }
}

const membersIn = ({ settings, kept }: TenantRecord, at: readonly string[]): StoredMembers => ({
  settings: memberAt(settings, at),
  kept: memberAt(kept, at),
})

const memberAt = (value: JsonObject, at: readonly string[]): JsonObject =>
  at.reduce<JsonObject>((inner, name) => {
    const member = inner[name]
    return isJsonObject(member) ? member : {}
  }, value)

/** An empty object is left out, so that what was never set looks like a new tenant's. */
function placed(value: JsonObject, [name, ...rest]: readonly string[], member: JsonObject): JsonObject {
  if (name === undefined) return member
  const inner = placed(memberAt(value, [name]), rest, member)
  const { [name]: _before, ...others } = value
  return Object.keys(inner).length === 0 ? others : { ...others, [name]: inner }
}
