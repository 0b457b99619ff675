// The console's way to the operations of the Management API: the same functions, scopes, validation and audit, without HTTP.
// - What an administrator may do is what the role's scopes allow, and nothing that would raise the role: accounts, applications and roles
//   that allow more than the role itself are out of its reach (threat-model.md MG52).
import type { Trail } from '../audit/trail'
import { DomainError } from '../kernel/errors'
import { unstorable } from '../kernel/json'
import { mayUse } from './access'
import type { ManagementDeps } from './deps'
import { invalidBody } from './errors'
import { demandScope, execute, validBody, validQuery } from './execute'
import type { Actor, Operation, Outcome } from './operation'
import { OPERATIONS } from './resources'

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
  /** Names of what only a higher role may change: ids and addresses of users, ids of applications and roles, audiences. */
  outOfReach(): Promise<ReadonlySet<string>>
}

export function operationNamed(name: string): Operation<ManagementDeps> {
  const operation = BY_NAME.get(name)
  if (!operation) throw new DomainError('not_found', 'There is no such operation')
  return operation
}

export const mayCall = (name: string, actor: Pick<Actor, 'scopes'>): boolean => mayUse(operationNamed(name), actor)

export async function callOperation(
  name: string,
  { params = {}, query = {}, body, ifMatch = null }: ConsoleCall,
  { actor, deps, trail, ip, outOfReach }: ConsoleContext,
): Promise<Outcome> {
  const operation = operationNamed(name)
  demandScope(actor, operation.scopes)
  demandParameters(operation.path, params)
  if (operation.method !== 'GET') await demandReach([params, query, body], outOfReach)
  const reason = unstorable([params, query, body])
  if (reason !== null) throw invalidBody(reason)
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
  const input = {
    query: validQuery(operation, given),
    body: operation.body && (body !== undefined || !operation.bodyOptional) ? validBody(operation, body) : undefined,
  }
  return execute(operation, { params, actor, ifMatch, ip, deps, ...input }, trail)
}

/** A call without a part of its path would be about another object. */
function demandParameters(path: string, params: Readonly<Record<string, string>>): void {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (names.length !== Object.keys(params).length || names.some((name) => !params[name]))
    throw new DomainError('not_found', `The call needs ${names.join(' and ')}`)
}

async function demandReach(input: unknown, outOfReach: ConsoleContext['outOfReach']): Promise<void> {
  const names = await outOfReach()
  if (names.size > 0 && mentions(input, names))
    throw new DomainError('access_denied', 'Only an administrator with a higher role may change this.')
}

function mentions(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return names.has(value) || names.has(value.toLowerCase())
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((each) => mentions(each, names))
}
