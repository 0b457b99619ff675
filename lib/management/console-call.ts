// The console's way to the operations of the Management API: the same functions, scopes, validation and audit, without HTTP.
// What an administrator may do is what the role's scopes allow; whom it may act on is decided where all doors meet (rank.ts).
import type * as z from 'zod'
import type { Trail } from '../data/audit/trail'
import { DomainError } from '../kernel/errors'
import { unstorable } from '../kernel/json'
import { OPERATIONS } from '.'
import type { ManagementDeps } from './deps'
import { invalidBody } from './operations/errors'
import { check, demandScope, execute, givesRights, validBody, validQuery } from './operations/execute'
import { mayName, mayUse } from './operations/member-access'
import type { Actor, Call, Operation, OperationOutcome, ParamsOf } from './operations/operation'

const BY_NAME: ReadonlyMap<string, Operation<ManagementDeps>> = new Map(OPERATIONS.map((each) => [each.name, each]))

/** An operation, by what names it in code: `clients.update`. */
export type Reference = Operation<ManagementDeps>

type MemberOf<Of extends Reference, Name extends 'query' | 'body' | 'answer'> = Of extends {
  [Key in Name]?: infer Schema
}
  ? Extract<Schema, z.ZodType>
  : z.ZodType

/** What an operation answers; unknown of one without a body. */
export type AnswerOf<Of extends Reference> = z.output<MemberOf<Of, 'answer'>>

export type BodyOf<Of extends Reference> = z.input<MemberOf<Of, 'body'>>

/** Values of the `:name` segments of the operation's path. */
export type WithParams<Of extends Reference> = string extends Of['path']
  ? { params?: Readonly<Record<string, string>> | undefined }
  : [keyof ParamsOf<Of['path']>] extends [never]
    ? { params?: Readonly<Record<never, string>> | undefined }
    : { params: ParamsOf<Of['path']> }

export type ConsoleCall<Of extends Reference = Reference> = WithParams<Of> & {
  query?: { readonly [Name in keyof z.input<MemberOf<Of, 'query'>>]?: string | undefined }
  body?: BodyOf<Of>
  ifMatch?: string | null
}

/** The arguments after the operation: none are needed where its path names nothing. */
export type CallOf<Of extends Reference> =
  Record<never, never> extends WithParams<Of> ? [call?: ConsoleCall<Of>] : [call: ConsoleCall<Of>]

export type ConsoleContext = {
  actor: Actor
  deps: ManagementDeps
  trail: Trail
  ip: string
}

/** Null for a name of no operation, as records of other changes have. */
export const operationIn = (name: string): Reference | null => BY_NAME.get(name) ?? null

/** The operation of a form, which states its name. */
export function operationNamed(name: string): Reference {
  const operation = BY_NAME.get(name)
  if (!operation) throw new DomainError('not_found', 'There is no such operation')
  return operation
}

/** The operation that reads what this one changes, where there is one. */
export const readOf = ({ path }: Reference): Reference | undefined =>
  OPERATIONS.find((each) => each.method === 'GET' && each.path === path)

/** Whether the operation is of use to the actor; with a member, whether this member of its body or query is. */
export function mayCall(operation: Reference, actor: Pick<Actor, 'scopes' | 'givesRights'>, member?: string): boolean {
  if (!mayUse(operation, actor) || (member !== undefined && !mayName(operation, member, actor))) return false
  if (actor.givesRights !== false) return true
  const body = member === undefined ? {} : { [member]: {} }
  return !givesRights(operation, { body } as Call<ManagementDeps>)
}

export const callOperation = async <Of extends Reference>(
  operation: Of,
  call: ConsoleCall<Of>,
  context: ConsoleContext,
): Promise<OperationOutcome> => execute(operation, validCall(operation, call, context), context.trail)

/** Refuses what the call would be refused for, as far as that is known before anything is done. */
export const checkCall = async <Of extends Reference>(
  operation: Of,
  call: ConsoleCall<Of>,
  context: ConsoleContext,
): Promise<void> => check(operation, validCall(operation, call, context))

function validCall<Of extends Reference>(
  operation: Of,
  { query = {}, body, ifMatch = null, ...rest }: ConsoleCall<Of>,
  { actor, deps, ip }: ConsoleContext,
): Call<ManagementDeps> {
  const { params = {} } = rest as { params?: Readonly<Record<string, string>> }
  demandScope(actor, operation.scopes)
  demandParameters(operation.path, params)
  const reason = unstorable([params, query, body])
  if (reason !== null) throw invalidBody(reason)
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
  const input = {
    query: validQuery(operation, given),
    body: operation.body && (body !== undefined || !operation.bodyOptional) ? validBody(operation, body) : undefined,
  }
  return { params, actor, ifMatch, ip, deps, ...input, sent: body }
}

/** What a read answers, as its definition says. */
export const answerOf = async <Of extends Reference>(
  operation: Of,
  call: ConsoleCall<Of>,
  context: ConsoleContext,
): Promise<AnswerOf<Of>> => (await callOperation(operation, call, context)).body as AnswerOf<Of>

/** A call without a part of its path would be about another object. */
function demandParameters(path: string, params: Readonly<Record<string, string>>): void {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (names.length !== Object.keys(params).length || names.some((name) => !params[name]))
    throw new DomainError('not_found', `The call needs ${names.join(' and ')}`)
}
