// The steps of an operation that both the Management API and the console take: scope, input, handler, audit event.
import type * as z from 'zod'
import type { Trail } from '../../data/audit/trail'
import { DomainError } from '../../kernel/errors'
import { isJsonObject, type JsonObject, objectIn } from '../../kernel/json'
import { maskedDifference } from './audit-difference'
import { firstName, leftOut } from './effects'
import { aboutOf, invalidBody, invalidQuery, lacksScope, problemOf } from './errors'
import { checkUnchanged } from './etag'
import {
  demandMembers,
  hideSecrets,
  mayUse,
  NEUTRAL,
  NO_SCOPES,
  scopesIn,
  secretNames,
  visibleOutcome,
} from './member-access'
import type { Actor, Call, Operation, OperationOutcome, ScopeRule } from './operation'
import { isRankRefusal, lacksRank, type RankDeps, withRank } from './rank'
import { membersThatDiffer } from './repeated'

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
type AnyOperation = Operation<any>

export function demandScope(actor: Actor, scopes: readonly ScopeRule[]): void {
  if (!mayUse({ scopes }, actor)) throw lacksScope(scopesIn(scopes))
}

/** Paging and `fields` are sent with every read by some tools, also where the answer is whole. */
export function validQuery(
  { query: schema, method }: AnyOperation,
  members: Readonly<Record<string, unknown>>,
): unknown {
  const isKnown = (name: string): boolean =>
    (schema && (Object.hasOwn(schema.shape, name) || schema.def.catchall !== undefined)) ||
    (method === 'GET' && NEUTRAL.has(name))
  const unknown = Object.keys(members).filter((name) => !isKnown(name))
  // An ignored filter would answer more than was asked for.
  if (unknown.length > 0)
    throw invalidQuery(`Additional properties not allowed: ${unknown.join(', ')}`, {
      reason: 'parameter_malformed',
      parameter: unknown.join(', '),
    })
  if (!schema) return {}
  const parsed = schema.safeParse(members, { reportInput: true })
  if (!parsed.success) throw invalidQuery(problemOf(parsed.error), aboutOf(parsed.error))
  return parsed.data
}

export function validBody({ body: schema }: AnyOperation, body: unknown): unknown {
  const parsed = (schema as z.ZodType).safeParse(body, { reportInput: true })
  if (!parsed.success) throw invalidBody(problemOf(parsed.error), aboutOf(parsed.error))
  return parsed.data
}

/** With valid input. Without a trail, the caller records what was done. */
export async function execute<Deps>(
  operation: Operation<Deps>,
  given: Call<Deps & RankDeps>,
  trail: Trail | null,
): Promise<OperationOutcome> {
  const call = await demandMembers(operation, given)
  const outcome = await act(operation, call)
  if (trail) record(operation, call, outcome, trail)
  return visibleOutcome(operation, outcome, call)
}

/** Refuses what `execute` would refuse, as far as the operation knows it before it does anything. */
export async function check<Deps>(operation: Operation<Deps>, given: Call<Deps & RankDeps>): Promise<void> {
  const call = await demandMembers(operation, given)
  demandRights(operation, call)
  await operation.check?.(call)
}

async function act<Deps>(operation: Operation<Deps>, call: Call<Deps & RankDeps>): Promise<OperationOutcome> {
  const { target } = operation
  const handle = async (): Promise<OperationOutcome> => operation.handle(call)
  if (operation.method === 'GET') return handle()
  demandRights(operation, call)
  if (target === 'tenant') return handle()
  // What does not say whom it acts on could act on anyone.
  if (!target) throw lacksRank()
  try {
    return await withRank(call.actor, await target(call), call.deps, handle)
  } catch (error) {
    const same = isRankRefusal(error) ? await outcomeOfNoAct(operation, call) : null
    if (same) return same
    throw error
  }
}

/**
 * The outcome of a call that changes nothing, for an actor without the rank to change anything; null if it would. It compares with what
 * such an actor may see, so a guessed secret is refused like any other.
 */
async function outcomeOfNoAct<Deps>(
  operation: Operation<Deps>,
  call: Call<Deps & RankDeps>,
): Promise<OperationOutcome | null> {
  const { secrets } = operation
  const current = await operation.current?.(call)
  if (!current) return (await operation.unchanged?.(call)) ?? null
  const body = hideSecrets(current, secrets, NO_SCOPES)
  const rest = membersThatDiffer(objectIn(call.body), body)
  const isSame = Object.keys(rest).length === 0 || (await operation.unchanged?.({ ...call, body: rest }))
  if (!isSame) return null
  checkUnchanged(call.ifMatch, body)
  return { body, before: body, after: body }
}

function demandRights<Deps>(operation: Operation<Deps>, call: Call<Deps>): void {
  if (call.actor.givesRights === false && givesRights(operation, call))
    throw new DomainError('access_denied', 'This role gives and takes no rights at applications.', {
      reason: 'rank_too_low',
    })
}

/** Whether the call gives or takes what people may do at applications. */
export const givesRights = <Deps>({ givesRights: rule }: Operation<Deps>, call: Call<Deps>): boolean =>
  typeof rule === 'function' ? rule(call) : rule === true

function record(operation: AnyOperation, call: Call<unknown>, outcome: OperationOutcome, trail: Trail): void {
  if (operation.method === 'GET' || operation.audited === false) return
  const { before = {}, after = {}, id } = outcome
  const difference = maskedDifference(before, after, secretNames(operation))
  trail.record('changed', {
    change: operation.name,
    target: id ?? Object.values(call.params).join(' '),
    difference,
    notApplied: notAppliedBy(operation, call, after, difference),
  })
}

/** What is kept without effect and changed, and what the body asked for and nothing keeps. */
function notAppliedBy(
  { notApplied, body, describedBody: described = body }: AnyOperation,
  { params, sent, deps }: Call<unknown>,
  after: JsonObject,
  difference: JsonObject,
): string[] {
  const kept = notApplied?.(after, params, deps).filter((path) => firstName(path) in difference) ?? []
  const dropped = described && (isJsonObject(sent) || Array.isArray(sent)) ? leftOut(described, sent, after) : []
  return [...new Set([...kept, ...dropped])]
}
