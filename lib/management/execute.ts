// The steps of an operation that both the Management API and the console take: scope, input, handler, audit event.
import type * as z from 'zod'
import type { Trail } from '../audit/trail'
import { demandMembers, mayUse, scopesIn, secretNames, visibleOutcome } from './access'
import { invalidBody, invalidQuery, lacksScope, problemOf } from './errors'
import { maskedDifference } from './mask'
import type { Actor, Call, Operation, Outcome, ScopeRule } from './operation'

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

export function demandScope(actor: Actor, scopes: readonly ScopeRule[]): void {
  if (!mayUse({ scopes }, actor)) throw lacksScope(scopesIn(scopes))
}

export function validQuery({ query: schema }: AnyOperation, members: Readonly<Record<string, unknown>>): unknown {
  if (!schema) return {}
  const parsed = schema.safeParse(members, { reportInput: true })
  if (!parsed.success) throw invalidQuery(problemOf(parsed.error))
  return parsed.data
}

export function validBody({ body: schema }: AnyOperation, body: unknown): unknown {
  const parsed = (schema as z.ZodType).safeParse(body, { reportInput: true })
  if (!parsed.success) throw invalidBody(problemOf(parsed.error))
  return parsed.data
}

/** With valid input. */
export async function execute<Deps>(operation: Operation<Deps>, call: Call<Deps>, trail: Trail): Promise<Outcome> {
  demandMembers(operation, call)
  const outcome = await operation.handle(call as Call<Deps, never, never>)
  record(operation, call.params, outcome, trail)
  return visibleOutcome(operation, outcome, call.actor)
}

function record(
  operation: AnyOperation,
  params: Readonly<Record<string, string>>,
  { before = {}, after = {}, id }: Outcome,
  trail: Trail,
): void {
  if (operation.method === 'GET' || operation.audited === false) return
  trail.record('changed', {
    change: operation.name,
    target: id ?? Object.values(params).join(' '),
    difference: maskedDifference(before, after, secretNames(operation)),
  })
}
