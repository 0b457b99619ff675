// One operation of the Management API as plain data: routing, authorization, validation, audit and OpenAPI derive from it.
// - `handle` gets validated input and returns plain data. It knows no HTTP.
// - Every operation that changes something returns the object before and after, for the audit log.
import * as z from 'zod'
import type { ManagementScope } from '../../data/apis/management-scopes'
import type { Json, JsonObject } from '../../kernel/json'
import type { ActedOn } from './rank'

export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who acts: a client for itself, or a person through a client. */
export type Actor = {
  clientId: string
  userId: string | null
  scopes: ReadonlySet<string>
  /** False for a role of the console that gives and takes no rights at applications. */
  givesRights?: false
}

type Params = Readonly<Record<string, string>>

/** The `:name` segments of a path. */
export type ParamsOf<Path extends string> = string extends Path
  ? Params
  : Path extends `${string}:${infer Name}/${infer Rest}`
    ? { readonly [Key in Name]: string } & ParamsOf<`/${Rest}`>
    : Path extends `${string}:${infer Name}`
      ? { readonly [Key in Name]: string }
      : Readonly<Record<never, string>>

export type Call<Deps, Query = unknown, Body = unknown, Of extends Params = Params> = {
  /** Decoded values of the `:name` segments of the path. */
  params: Of
  query: Query
  body: Body
  /** The body as it was sent: with members that its schema leaves out. */
  sent?: unknown
  actor: Actor
  /** The entity tag that the object must still have (RFC 9110 13.1.1). */
  ifMatch: string | null
  /** The address of the peer, for mails and rules. */
  ip: string
  deps: Deps
}

/** `body` is the answer; absent for an answer without a body. `before` and `after` are what a change did. */
export type OperationOutcome = {
  body?: Json
  before?: JsonObject
  after?: JsonObject
  /** The id of the object, where the path does not name it. */
  id?: string
  /** The answer is 204 without a body, in place of the operation's status. */
  empty?: true
  /** The body shows what an alternative scope opens. */
  isPart?: true
}

export type MembersByScope = { readonly [Scope in ManagementScope]?: readonly string[] }

/** A scope that opens an operation, or one that opens the members that it names, of the body, the query and the answer. */
export type ScopeRule = ManagementScope | MembersByScope

/** Shown to actors with one of the scopes: those that may make such a secret, or may read this one. */
export type Secret = { scopes: readonly ManagementScope[]; otherwise: 'absent' | 'masked' }

export type SecretsOf = { kind: 'users' | 'clients' | 'roles'; member: string }

/** A file of a form, taken in while it arrived. */
export type ReceivedFile = {
  /** What makes two files the same. */
  toJSON(): string
  /** Removes what was stored, unless the operation has made use of it. Never rejects. */
  discard(): Promise<void>
}

export type Form<Deps, File = ReceivedFile> = {
  files: Readonly<Record<string, (file: AsyncIterable<Uint8Array>, deps: Deps) => Promise<File>>>
  /** The largest form. */
  maxBytes(deps: Deps): number
}

/** An answer that says nothing, and that of an operation that always refuses. */
export const emptyAnswer = z.object({})

/** A function of a call as a method, so that each operation may narrow its call. */
type Of<Given, Result> = { of(call: Given): Result }['of']

export type TargetOf<Given> = 'tenant' | Of<Given, ActedOn | Promise<ActedOn>>

export type Operation<Deps> = {
  /** `roles.create`: unique, for the audit log and as the OpenAPI operation id. */
  name: string
  method: OperationMethod
  /** Below `/api/v2`: `/roles/:id/permissions`. */
  path: string
  /** One line for the reference. */
  summary: string
  /** The token needs one of these. */
  scopes: readonly ScopeRule[]
  /** And one of these, because it also does what another operation guards with them. */
  needs?: readonly ManagementScope[]
  /** Members of the body that also need this scope, or one of the scopes that name them. */
  guarded?: MembersByScope
  /** Members of the answer that are secrets, by their path: `identities.access_token`. The audit log masks them. */
  secrets?: Readonly<Record<string, Secret>>
  /** What the secrets belong to, named by this member of an entry: they are hidden where that is above the actor (rank.ts). */
  secretsOf?: SecretsOf
  /** The member of the answer that has the entries of a list. Where `answer` is an array, a query chooses the shape (list.ts). */
  list?: string
  query?: z.ZodObject
  body?: z.ZodType
  /** The body as the reference shows it, where `body` only checks what must hold before the handler does. */
  describedBody?: z.ZodType
  /** A body that a test sends. */
  example?: Json
  /** The values of the path in that request, where they are not the id of an example. */
  examplePath?: Readonly<Record<string, string>>
  /** A body may be left out. */
  bodyOptional?: true
  /** The body is a multipart form. */
  form?: Form<Deps>
  /** The console has a form for it: a form calls no other operation. */
  console?: true
  /** It destroys, replaces or reveals something: a form of the console calls it soon after a login alone. */
  danger?: true
  status: 200 | 201 | 202 | 204
  /** The whole answer, as those see it who may see all of it. A test holds answers to it. */
  answer?: z.ZodType
  /** The answer is one whole object, which gets an entity tag. */
  tagged?: true
  /**
   * The people, applications and roles that the call is about, as the request names them: the actor must have the rank over each
   * (rank.ts). 'tenant': it is about settings of the tenant, so its scope alone decides. Every operation that changes something
   * has one.
   */
  target?: TargetOf<Call<Deps>>
  /** It gives or takes what people may do at applications. */
  givesRights?: true | Of<Call<Deps>, boolean>
  /** The object that the body changes, as a read shows it with all secrets; null if it is absent. Members sent as shown change nothing. */
  current?(call: Call<Deps>): Promise<JsonObject | null>
  /** The outcome of a call that would change nothing, and so needs no rank; null if it would change something. */
  unchanged?(call: Call<Deps>): Promise<OperationOutcome | null>
  /**
   * The members of the object, as it is shown, that are kept without effect, by their paths (`options.icon_url`). The audit log and the
   * console's page of the object report them (effects.ts).
   */
  notApplied?(object: JsonObject, params: Readonly<Record<string, string>>, deps: Deps): string[]
  /** False for a request that changes nothing although its method says so, or whose change has an audit event of its own. */
  audited?: false
  /** Refuses what `handle` would refuse, and does nothing: a form of several operations asks all before it calls one. */
  check?(call: Call<Deps>): Promise<void>
  handle(call: Call<Deps>): Promise<OperationOutcome> | OperationOutcome
}

/** Operations by what a caller names them: `clients.rotateSecret`. */
export type Operations<Deps> = Readonly<Record<string, Operation<Deps>>>

/** The operations of an area: by name, in groups, or as a list where nothing names them. */
export type Area<Deps> = Operation<Deps> | readonly Area<Deps>[] | { readonly [Name in string]: Area<Deps> }

const isOperation = <Deps>(area: Area<Deps>): area is Operation<Deps> =>
  'handle' in area && typeof area.handle === 'function'

/** All operations of an area. */
export const operationsIn = <Deps>(area: Area<Deps>): Operation<Deps>[] =>
  isOperation(area) ? [area] : Object.values(area).flatMap((part) => operationsIn<Deps>(part))

/** An operation with the types of its path, query, body and answer. */
export type TypedOperation<Deps, Path extends string, Query, Body, Answer> = Operation<Deps> & {
  path: Path
  query?: Query
  body?: Body
  answer?: Answer
}

type Definition<Deps, Path extends string, Query, Body, Answer, Given> = Omit<
  Operation<Deps>,
  'path' | 'query' | 'body' | 'answer' | 'check' | 'handle' | 'target' | 'givesRights' | 'current' | 'unchanged'
> & {
  path: Path
  query?: Query
  body?: Body
  answer?: Answer
  target?: TargetOf<Given>
  givesRights?: true | Of<Given, boolean>
  current?(call: Given): Promise<JsonObject | null>
  unchanged?(call: Given): Promise<OperationOutcome | null>
  check?(call: Given): Promise<void>
  handle(call: Given): Promise<OperationOutcome> | OperationOutcome
}

/** Defines operations on these dependencies; their functions get the types of path, query and body. */
export const operationsWith =
  <Deps>() =>
  <
    const Path extends string,
    Query extends z.ZodObject = z.ZodObject,
    Body extends z.ZodType = z.ZodType,
    Answer extends z.ZodType = z.ZodType,
  >(
    definition: Definition<
      Deps,
      Path,
      Query,
      Body,
      Answer,
      Call<Deps, z.output<Query>, z.output<Body>, ParamsOf<Path>>
    >,
  ): TypedOperation<Deps, Path, Query, Body, Answer> =>
    definition
