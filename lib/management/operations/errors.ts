// Refusals of the Management API, with the vendor's messages and codes.
import type * as z from 'zod'
import { DomainError, type ErrorOptions, invalidRequest, type MemberProblem } from '../../kernel/errors'

/** `inexistent_role`: tools recognise an absent object by the status; the code tells people which. */
export const inexistent = (noun: string): DomainError =>
  new DomainError('not_found', `The ${noun.replaceAll('_', ' ')} does not exist.`, {
    members: { errorCode: `inexistent_${noun}` },
  })

export const conflict = (message: string, errorCode: string): DomainError =>
  new DomainError('conflict', message, { members: { errorCode } })

type About = Pick<ErrorOptions, 'reason' | 'parameter'>

/** A problem at a member of the body or the query, or with all of it. */
export type Invalid = string | MemberProblem

const invalid = (where: 'Payload' | 'Query', given: Invalid, options: ErrorOptions): DomainError => {
  const problem = typeof given === 'string' ? { path: null, message: given } : given
  return invalidRequest(`${where} validation error: '${sentenceOf(problem)}'.`, { ...options, problem })
}

export const missing = (path: string): MemberProblem => ({ path, message: 'must be there', isMissing: true })

export const invalidBody = (problem: Invalid, about: About = {}): DomainError => invalid('Payload', problem, about)

export const invalidQuery = (problem: Invalid, about: About = {}): DomainError =>
  invalid('Query', problem, { ...about, members: { errorCode: 'invalid_query_string' } })

/** In the vendor's words. */
function sentenceOf({ path, message, isMissing, within }: MemberProblem): string {
  const sentence =
    path === null ? message : isMissing ? `Missing required property: ${path}` : `${message}' on property '${path}`
  return within === undefined ? sentence : `${sentence}' in '${within}`
}

/** The member that the first problem of a value is about. */
export function aboutOf({ issues: [issue] }: z.ZodError): About {
  const parameter = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.map(String).join('.')
  if (!parameter) return {}
  const isMissing = issue?.code === 'invalid_type' && issue.input === undefined
  return { reason: isMissing ? 'parameter_missing' : 'parameter_malformed', parameter }
}

/** Tools look for this sentence and split it at `expected any of: `. */
export const lacksScope = (scopes: readonly string[]): DomainError =>
  new DomainError('insufficient_scope', `Insufficient scope, expected any of: ${scopes.join(',')}`)

/** The object changed since the caller read it. */
export const stale = (): DomainError =>
  new DomainError('precondition_failed', 'The object was changed since it was read. Read it again.')

/** The first problem of a value. */
export function problemOf({ issues: [issue] }: z.ZodError): MemberProblem {
  const path = issue?.path.map(String).join('.') || null
  if (!issue) return { path, message: 'Invalid value' }
  if (issue.code === 'unrecognized_keys')
    return { path: null, message: `Additional properties not allowed: ${issue.keys.join(', ')}` }
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined && path !== null
  return { path, message: issue.message, ...(isMissing && { isMissing }) }
}

/** A refusal as a page shows it beside its field. */
export function placeOf({ problem, description }: DomainError): { message: string; place: string | null } {
  if (!problem) return { message: description, place: null }
  const place = [problem.within, problem.path].filter((part) => part != null).join('.') || null
  // The vendor's name of an error is for programs.
  return {
    message: problem.isMissing ? 'This is needed.' : inWords(problem.message.replace(/^[A-Z]\w+Error: /, '')),
    place,
  }
}

const LIMITS: Readonly<Record<string, string>> = {
  '<': 'Less than',
  '<=': 'At most',
  '>': 'More than',
  '>=': 'At least',
}

/** What the library of schemas says of limits, patterns and types, for a person. */
function inWords(message: string): string {
  const [, limit = '', amount = '', unit] =
    /^Too (?:big|small): expected .*?([<>]=?)(-?[\d.]+)(?: (\w+))?$/.exec(message) ?? []
  if (limit in LIMITS)
    return `${LIMITS[limit]} ${amount}${unit === undefined ? '' : ` ${(UNITS[unit] ?? [unit, unit])[amount === '1' ? 0 : 1]}`}.`
  if (message.startsWith('Invalid string: must match pattern')) return 'This has not the form that is needed here.'
  const [, type] = /^Invalid input: expected (\w+), received/.exec(message) ?? []
  return TYPES[type ?? ''] ?? message
}

const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  characters: ['character', 'characters'],
  items: ['entry', 'entries'],
}

const TYPES: Readonly<Record<string, string>> = {
  number: 'A number is needed here.',
  int: 'A whole number is needed here.',
  string: 'A text is needed here.',
}
