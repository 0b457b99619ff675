// A resource of the Management API in one definition. Its five operations derive from it; `operations` adds those that are
// special.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { ManagementScope } from '../../data/apis/management-scopes'
import type { JsonObject } from '../../kernel/json'
import { describedLike } from '../../kernel/schema-meta'
import { conflict, inexistent } from './errors'
import { checkUnchanged } from './etag'
import {
  answerList,
  checkpointQuery,
  type FieldsQuery,
  fieldsQuery,
  type ListQuery,
  type Page,
  pageQuery,
  selectFields,
  type Window,
} from './list'
import { hideSecrets } from './member-access'
import {
  type Call,
  type MembersByScope,
  type Operation,
  type OperationOutcome,
  type Operations,
  operationsWith,
  type ScopeRule,
  type Secret,
  type SecretsOf,
  type TargetOf,
  type TypedOperation,
} from './operation'
import { refuseUnsupportedProtections, type UnsupportedProtections } from './unsupported-protections'

/** Where the rows of a resource are. Every method sees one tenant. */
export type ResourceStore<Row, Filter = unknown> = {
  find(id: string): Promise<Row | null>
  list(filter: Filter, window: Window): Promise<Page<Row>>
  /** False if another row has its id or its unique name. */
  insert(row: Row, at: Date): Promise<boolean>
  /** Changes a row under its lock. Null if it is absent, 'taken' if another row has the new name. */
  change(
    id: string,
    alter: (row: Row) => Row | Promise<Row>,
    at: Date,
  ): Promise<{ before: Row; after: Row } | 'taken' | null>
  /** The removed row, or null. `check` may throw while the row is locked. */
  remove(id: string, check: (row: Row) => void | Promise<void>): Promise<Row | null>
}

type Deps = { clock: { now(): Date } }

type Kind = 'list' | 'read' | 'create' | 'update' | 'delete'

/** A body, whose members are JSON. */
type Body = z.ZodType<JsonObject>

export type Resource<
  D extends Deps,
  Row,
  Filter extends z.ZodRawShape,
  Create extends Body = Body,
  Update extends Body = Body,
  Shown extends z.ZodObject = z.ZodObject,
  More extends Operations<never> = Record<never, Operation<never>>,
  Path extends string = string,
  Only extends Kind = Kind,
> = {
  /** Singular, with `_` between words: `resource_server`. */
  noun: string
  /** The member of a list's answer, and the scopes: `resource_servers`. */
  plural: string
  /** Below `/api/v2`. */
  path: Path
  scope?: string
  /** The console has forms for it. */
  console?: true
  /** The object as it is shown, with the members that have an effect. */
  shown: Shown
  /** The same with members that are shown and hold here for every object. */
  answer?: z.ZodObject
  create?: Create
  update?: Update
  /** Bodies that a test sends. */
  examples?: { create: JsonObject; update: JsonObject }
  /** Query parameters of the list, beside paging and fields. */
  filter?: Filter
  checkpoint?: boolean
  /** The members that `fields` cannot hide. */
  always?: readonly string[]
  /** The message and code of 409. */
  taken?: { message: string; errorCode: string }
  only?: readonly Only[]
  /** More scopes that open an operation. */
  also?: Partial<Record<Kind, readonly ScopeRule[]>>
  guarded?: Partial<Record<'create' | 'update', MembersByScope>>
  /** Secrets of the object. The answer that makes it shows them. */
  secrets?: Readonly<Record<string, Secret>>
  /** As in an operation. */
  secretsOf?: SecretsOf
  /** As in an operation; for all three, or for each. */
  target:
    | 'tenant'
    | {
        create?: TargetOf<Call<D, unknown, z.output<Create>>>
        update?: TargetOf<Call<D, unknown, z.output<Update>>>
        delete?: TargetOf<Call<D>>
      }
  store(deps: D): ResourceStore<Row, z.output<z.ZodObject<Filter>>>
  id(row: Row): string
  present(row: Row, call: Call<D>): JsonObject | Promise<JsonObject>
  /** What a row has beside what it shows; without it, a change that shows nothing changes nothing. */
  notShown?(row: Row): unknown
  /** The new row of a body; throws where the body is invalid. */
  make?(body: z.output<Create>, call: Call<D>): Row | Promise<Row>
  /** The answer to a create, where it shows more than a read. */
  presentNew?(row: Row, call: Call<D>): JsonObject | Promise<JsonObject>
  change?(row: Row, body: z.output<Update>, call: Call<D>): Row | Promise<Row>
  /** Runs before a row is removed, outside of its transaction. */
  removing?(id: string, call: Call<D>): Promise<void>
  /** Throws where a row must stay. */
  mayRemove?(row: Row, call: Call<D>): void
  /** As in an operation. */
  notApplied?: NonNullable<Operation<D>['notApplied']>
  /** What a body may not ask for. */
  protecting?: UnsupportedProtections
  /** Runs once a change is stored: caches, mails. */
  changed?(row: Row, call: Call<D>): void | Promise<void>
  operations?: More
}

/** The operations that a resource has by itself. */
export type ResourceOperations<D, Path extends string, Create, Update, Shown extends z.ZodObject> = {
  list: TypedOperation<D, Path, z.ZodObject, z.ZodType, z.ZodArray<Shown>>
  read: TypedOperation<D, `${Path}/:id`, z.ZodObject, z.ZodType, Shown>
  create: TypedOperation<D, Path, z.ZodObject, Create, Shown>
  update: TypedOperation<D, `${Path}/:id`, z.ZodObject, Update, Shown>
  delete: TypedOperation<D, `${Path}/:id`, z.ZodObject, z.ZodType, z.ZodType>
}

/** The operations of a resource. */
export function defineResource<
  D extends Deps,
  Row,
  Shown extends z.ZodObject,
  const Path extends string,
  Filter extends z.ZodRawShape = Record<never, never>,
  Create extends Body = Body,
  Update extends Body = Body,
  More extends Operations<never> = Record<never, Operation<never>>,
  const Only extends Kind = Kind,
>(
  resource: Resource<D, Row, Filter, Create, Update, Shown, More, Path, Only>,
): More & Pick<ResourceOperations<D, Path, Create, Update, Shown>, Only> {
  const only: readonly Kind[] = resource.only ?? ['list', 'read', 'create', 'update', 'delete']
  const all = { list: listOf, read: readOf, create: createOf, update: updateOf, delete: deleteOf }
  // One cast: which of the five there are is known by their names alone.
  const five = Object.fromEntries(only.map((kind) => [kind, all[kind](resource)]))
  return { ...resource.operations, ...five } as More & Pick<ResourceOperations<D, Path, Create, Update, Shown>, Only>
}

type Scoped = Pick<Resource<Deps, never, never>, 'scope' | 'plural' | 'also'>

/** The list of scopes has a scope for each verb of a resource. */
const scopeFor = (verb: 'read' | 'create' | 'update' | 'delete', { scope, plural }: Scoped): ManagementScope =>
  `${verb}:${scope ?? plural}` as ManagementScope

const scopesFor = (verb: 'read' | 'create' | 'update' | 'delete', kind: Kind, resource: Scoped): ScopeRule[] => [
  scopeFor(verb, resource),
  ...(resource.also?.[kind] ?? []),
]

const withMaker = (secrets: Readonly<Record<string, Secret>>, maker: ManagementScope): Record<string, Secret> =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => [name, { ...secret, scopes: [...secret.scopes, maker] }]),
  )

const secretsIn = <D extends Deps>({ secrets, secretsOf }: Pick<Resource<D, never, never>, 'secrets' | 'secretsOf'>) =>
  secrets && { secrets, ...(secretsOf && { secretsOf }) }
const guardsIn = <D extends Deps>({ guarded }: Pick<Resource<D, never, never>, 'guarded'>, kind: 'create' | 'update') =>
  guarded?.[kind] && { guarded: guarded[kind] }

const effectsIn = <D extends Deps>({ notApplied }: Pick<Resource<D, never, never>, 'notApplied'>) =>
  notApplied && { notApplied }

const targetIn = <D extends Deps>(
  { target }: { target: 'tenant' | Partial<Record<string, TargetOf<Call<D, never, never>>>> },
  kind: 'create' | 'update' | 'delete',
): { target?: TargetOf<Call<D, never, never>> } => {
  const own = target === 'tenant' ? target : target[kind]
  return own ? { target: own } : {}
}

const answerOf = ({ answer, shown }: { answer?: z.ZodObject; shown: z.ZodObject }) => answer ?? shown
const idOf = (params: Readonly<Record<string, string>>): string => Object.values(params).at(-1) ?? ''
const pathOf = ({ path }: { path: string }): string => `${path}/:id`
const spoken = (name: string): string => name.replaceAll('_', ' ')

/** "a user", "an organization". */
export const withArticle = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${spoken(noun)}`

function listOf<D extends Deps, Row, F extends z.ZodRawShape, C extends Body, U extends Body>(
  resource: Resource<D, Row, F, C, U>,
): Operation<D> {
  const { plural, path, filter, checkpoint = false, always } = resource
  const query = z.object({ ...pageQuery, ...(checkpoint ? checkpointQuery : {}), ...fieldsQuery, ...filter })
  return operationsWith<D>()({
    name: `${plural}.list`,
    method: 'GET',
    path,
    summary: `List ${spoken(plural)}`,
    scopes: scopesFor('read', 'list', resource),
    ...secretsIn(resource),
    list: plural,
    query,
    status: 200,
    answer: z.array(answerOf(resource)),
    async handle(call) {
      // The compiler cannot follow the spread of a shape that a resource chooses.
      const query = call.query as ListQuery & FieldsQuery & z.output<z.ZodObject<F>>
      const body = await answerList(query, {
        key: plural,
        checkpoint,
        load: (window) => resource.store(call.deps).list(query, window),
        present: async (row) => selectFields(await resource.present(row, call), query, always),
        id: resource.id,
      })
      return { body }
    },
  })
}

function readOf<D extends Deps, Row, F extends z.ZodRawShape, C extends Body, U extends Body>(
  resource: Resource<D, Row, F, C, U>,
): Operation<D> {
  return operationsWith<D>()({
    name: `${resource.plural}.read`,
    method: 'GET',
    path: pathOf(resource),
    summary: `Read ${withArticle(resource.noun)}`,
    scopes: scopesFor('read', 'read', resource),
    ...secretsIn(resource),
    query: z.object(fieldsQuery),
    ...effectsIn(resource),
    status: 200,
    tagged: true,
    answer: answerOf(resource),
    async handle(call) {
      const row = await resource.store(call.deps).find(idOf(call.params))
      if (!row) throw inexistent(resource.noun)
      return { body: selectFields(await resource.present(row, call), call.query, resource.always) }
    },
  })
}

function createOf<D extends Deps, Row, F extends z.ZodRawShape, C extends Body, U extends Body>(
  resource: Resource<D, Row, F, C, U>,
): Operation<D> {
  const { make, present, presentNew, create, protecting = {} } = resource
  if (!make || !create) throw new Error(`${resource.noun} lacks make or create`)
  return operationsWith<D>()({
    name: `${resource.plural}.create`,
    ...(resource.console && { console: true }),
    method: 'POST',
    path: resource.path,
    summary: `Create ${withArticle(resource.noun)}`,
    scopes: scopesFor('create', 'create', resource),
    ...guardsIn(resource, 'create'),
    ...(resource.secrets && { secrets: withMaker(resource.secrets, scopeFor('create', resource)) }),
    ...targetIn(resource, 'create'),
    ...effectsIn(resource),
    body: create,
    describedBody: describedBy(resource.shown, create),
    ...(resource.examples && { example: resource.examples.create }),
    status: 201,
    answer: answerOf(resource),
    async handle(call): Promise<OperationOutcome> {
      refuseUnsupportedProtections(protecting, call.body)
      const row = await make(call.body, call)
      if (!(await resource.store(call.deps).insert(row, call.deps.clock.now()))) throw takenBy(resource)
      await resource.changed?.(row, call)
      const after = await present(row, call)
      return { body: presentNew ? await presentNew(row, call) : after, before: {}, after, id: resource.id(row) }
    },
  })
}

function updateOf<D extends Deps, Row, F extends z.ZodRawShape, C extends Body, U extends Body>(
  resource: Resource<D, Row, F, C, U>,
): Operation<D> {
  const { change, present, update, protecting = {} } = resource
  if (!change || !update) throw new Error(`${resource.noun} lacks change or update`)
  return operationsWith<D>()({
    name: `${resource.plural}.update`,
    ...(resource.console && { console: true }),
    method: 'PATCH',
    path: pathOf(resource),
    summary: `Change ${withArticle(resource.noun)}`,
    scopes: scopesFor('update', 'update', resource),
    ...guardsIn(resource, 'update'),
    ...secretsIn(resource),
    ...targetIn(resource, 'update'),
    ...effectsIn(resource),
    body: update,
    describedBody: describedBy(resource.shown, update),
    ...(resource.examples && { example: resource.examples.update }),
    status: 200,
    tagged: true,
    answer: answerOf(resource),
    async current(call) {
      const row = await resource.store(call.deps).find(idOf(call.params))
      return row && present(row, call)
    },
    async unchanged(call) {
      const row = await resource.store(call.deps).find(idOf(call.params))
      if (!row) return null
      const all = async (each: Row) => [await present(each, call), resource.notShown?.(each)]
      const next = await change(row, call.body, call)
      return isDeepStrictEqual(await all(next), await all(row)) ? {} : null
    },
    async handle(call): Promise<OperationOutcome> {
      refuseUnsupportedProtections(protecting, call.body)
      let before: JsonObject | null = null
      const done = await resource.store(call.deps).change(
        idOf(call.params),
        async (row) => {
          before = await shownIfMatched(resource, row, call)
          return change(row, call.body, call)
        },
        call.deps.clock.now(),
      )
      if (done === null) throw inexistent(resource.noun)
      if (done === 'taken') throw takenBy(resource)
      await resource.changed?.(done.after, call)
      const after = await present(done.after, call)
      return { body: after, before: before ?? (await present(done.before, call)), after, id: resource.id(done.after) }
    },
  })
}

/** An absent object is gone already: the vendor answers 204. */
function deleteOf<D extends Deps, Row, F extends z.ZodRawShape, C extends Body, U extends Body>(
  resource: Resource<D, Row, F, C, U>,
): Operation<D> {
  return operationsWith<D>()({
    name: `${resource.plural}.delete`,
    ...(resource.console && { console: true }),
    danger: true,
    method: 'DELETE',
    path: pathOf(resource),
    summary: `Delete ${withArticle(resource.noun)}`,
    scopes: scopesFor('delete', 'delete', resource),
    ...targetIn(resource, 'delete'),
    status: 204,
    async handle(call): Promise<OperationOutcome> {
      let before: JsonObject | null = null
      await resource.removing?.(idOf(call.params), call)
      const row = await resource.store(call.deps).remove(idOf(call.params), async (found) => {
        before = await shownIfMatched(resource, found, call)
        resource.mayRemove?.(found, call)
      })
      if (!row) return {}
      await resource.changed?.(row, call)
      return { before: before ?? (await resource.present(row, call)), after: {} }
    },
  })
}

/** The row as it is shown, which must be what the caller knows; null if the request sets no condition. */
async function shownIfMatched<D extends Deps, Row, F extends z.ZodRawShape>(
  { present, secrets }: Resource<D, Row, F>,
  row: Row,
  call: Call<D>,
): Promise<JsonObject | null> {
  if (call.ifMatch === null) return null
  const shown = await present(row, call)
  checkUnchanged(call.ifMatch, hideSecrets(shown, secrets, call.actor))
  return shown
}

/** The members that a body may have: all that are shown, and what the body itself demands. */
const describedBy = (shown: z.ZodObject, body: z.ZodType): z.ZodType =>
  body instanceof z.ZodObject ? describedLike(shown.partial().shape, body) : body

const takenBy = ({ noun, taken }: { noun: string; taken?: { message: string; errorCode: string } }) =>
  conflict(taken?.message ?? `The ${spoken(noun)} already exists.`, taken?.errorCode ?? `${noun}_already_exists`)
