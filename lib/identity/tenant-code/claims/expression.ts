// The language of claim rules: CEL, the Common Expression Language (docs/adr/0016). Expressions are parsed once, when rules
// change. Parsing type-checks them against the fields of facts.ts, so a misspelt field is found when the file is applied.
// - No expression runs long, regardless of a user's metadata: no nested loops, no regular expressions, no operation that grows
//   text or lists by itself, and facts of bounded size (threat-model.md RU2).
// - An expression reaches only the facts: values are looked up by own keys only, and no function has side effects.
import { Environment } from '@marcbachmann/cel-js'
import type { ClaimRuleFacts } from './facts'

const LIMITS = { maxAstNodes: 200, maxDepth: 24, maxListElements: 100, maxMapEntries: 50, maxCallArguments: 5 }

const FUNCTIONS = new Set(
  `size string int double bool has type timestamp duration dyn
  startsWith endsWith contains lowerAscii upperAscii trim indexOf lastIndexOf substring join
  all exists exists_one map filter optional of none ofNonZeroValue or orValue hasValue value
  getFullYear getMonth getDate getDayOfMonth getDayOfWeek getDayOfYear getHours getMinutes getSeconds`.split(/\s+/),
)

const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

const environment = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true, limits: LIMITS })
  .registerVariable({
    name: 'user',
    schema: {
      user_id: 'string',
      email: 'string',
      email_verified: 'bool',
      username: 'string',
      phone_number: 'string',
      phone_verified: 'bool',
      name: 'string',
      given_name: 'string',
      family_name: 'string',
      nickname: 'string',
      picture: 'string',
      updated_at: 'google.protobuf.Timestamp',
      profile: 'map<string, dyn>',
      user_metadata: 'map<string, dyn>',
      app_metadata: 'map<string, dyn>',
      roles: 'list<string>',
    },
  })
  .registerVariable({
    name: 'client',
    schema: {
      client_id: 'string',
      name: 'string',
      app_type: 'string',
      is_first_party: 'bool',
      metadata: 'map<string, dyn>',
    },
  })
  .registerVariable({
    name: 'organization',
    schema: { id: 'string', name: 'string', display_name: 'string', metadata: 'map<string, dyn>' },
  })
  .registerVariable({
    name: 'request',
    schema: {
      ip: 'string',
      protocol: 'string',
      audience: 'string',
      scopes: 'list<string>',
      methods: 'list<string>',
    },
  })

/** The error of an expression and its position, in characters from 1. */
export class ExpressionError extends Error {
  constructor(reason: string, position: number | undefined) {
    super(position === undefined ? reason : `${reason} (at character ${position + 1})`)
    this.name = 'ExpressionError'
  }
}

export type ClaimExpression = {
  /** Throws if it has no value for these facts; the error's `code` says why, without repeating a value. */
  evaluate(facts: ClaimRuleFacts): unknown
  /** The names it uses, fields included. */
  names: ReadonlySet<string>
}

/** Throws an `ExpressionError`. */
export function readExpression(source: string, kind: 'value' | 'condition'): ClaimExpression {
  const parsed = parse(source)
  const names = new Set<string>()
  look(parsed.ast, 0, names)
  const { valid, type, error } = parsed.check()
  if (!valid) throw asExpressionError(error)
  if (kind === 'condition' && type !== 'bool' && type !== 'dyn') {
    throw new ExpressionError(`must be true or false, not ${type}`, undefined)
  }
  return { evaluate: (facts) => parsed(facts), names }
}

function parse(source: string) {
  try {
    return environment.parse(source)
  } catch (error) {
    throw asExpressionError(error)
  }
}

function asExpressionError(error: unknown): ExpressionError {
  const { summary, node } = error as { summary?: string; node?: { pos?: number } }
  return new ExpressionError(summary ?? 'is no expression', node?.pos)
}

type Node = { op: string; args: unknown; pos: number }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value

/** Checks the expression before it is typed or expanded. */
function look(node: Node, loops: number, names: Set<string>): void {
  if (node.op === 'call' || node.op === 'rcall') lookAtCall(node, loops, names)
  else for (const part of [node.args].flat(2)) lookAtPart(part, node, loops, names)
}

function lookAtPart(part: unknown, { op }: Node, loops: number, names: Set<string>): void {
  if (isNode(part)) look(part, loops, names)
  else if (typeof part === 'string' && op !== 'value') names.add(part)
}

function lookAtCall({ op, args, pos }: Node, loops: number, names: Set<string>): void {
  const [name, ...rest] = args as [string, ...unknown[]]
  if (!FUNCTIONS.has(name)) throw new ExpressionError(`there is no function ${name}`, pos)
  const [receiver, given] = op === 'rcall' ? rest : [undefined, rest[0]]
  if (isNode(receiver)) look(receiver, loops, names)
  const inside = op === 'rcall' && LOOPS.has(name) ? loops + 1 : loops
  if (inside > 1) throw new ExpressionError(`${name} must not be within another loop`, pos)
  for (const part of given as unknown[]) if (isNode(part)) look(part, inside, names)
}
