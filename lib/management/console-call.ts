// The console's way to the operations of the Management API: the same functions, scopes, validation and audit, without HTTP.
// What an administrator may do is what the role's scopes allow; whom it may act on is decided where all doors meet (rank.ts).
import type { Trail } from '../data/audit/trail'
import { DomainError } from '../kernel/errors'
import { unstorable } from '../kernel/json'
import { OPERATIONS } from '.'
import type { ManagementDeps } from './deps'
import { mayName, mayUse } from './operations/access'
import { invalidBody } from './operations/errors'
import { demandScope, execute, givesRights, validBody, validQuery } from './operations/execute'
import type { Actor, Call, Operation, Outcome } from './operations/operation'

const BY_NAME: ReadonlyMap<string, Operation<ManagementDeps>> = new Map(OPERATIONS.map((each) => [each.name, each]))

export type ConsoleCall = {
  /** Values of the `:name` segments of the operation's path. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  ifMatch?: string | null
}

export type ConsoleContext = {
  actor: Actor
  deps: ManagementDeps
  trail: Trail
  ip: string
}

export function operationNamed(name: string): Operation<ManagementDeps> {
  const operation = BY_NAME.get(name)
  if (!operation) throw new DomainError('not_found', 'There is no such operation')
  return operation
}

/** Whether the operation is of use to the actor; with a member, whether this member of its body or query is. */
export function mayCall(name: string, actor: Pick<Actor, 'scopes' | 'givesRights'>, member?: string): boolean {
  const operation = operationNamed(name)
  if (!mayUse(operation, actor) || (member !== undefined && !mayName(operation, member, actor))) return false
  if (actor.givesRights !== false) return true
  const body = member === undefined ? {} : { [member]: {} }
  return !givesRights(operation, { body } as Call<ManagementDeps>)
}

export async function callOperation(
  name: string,
  { params = {}, query = {}, body, ifMatch = null }: ConsoleCall,
  { actor, deps, trail, ip }: ConsoleContext,
): Promise<Outcome> {
  const operation = operationNamed(name)
  demandScope(actor, operation.scopes)
  demandParameters(operation.path, params)
  const reason = unstorable([params, query, body])
  if (reason !== null) throw invalidBody(reason)
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
  const input = {
    query: validQuery(operation, given),
    body: operation.body && (body !== undefined || !operation.bodyOptional) ? validBody(operation, body) : undefined,
  }
  return execute(operation, { params, actor, ifMatch, ip, deps, ...input, sent: body }, trail)
}

/** A call without a part of its path would be about another object. */
function demandParameters(path: string, params: Readonly<Record<string, string>>): void {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (names.length !== Object.keys(params).length || names.some((name) => !params[name]))
    throw new DomainError('not_found', `The call needs ${names.join(' and ')}`)
}
