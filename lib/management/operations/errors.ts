// Refusals of the Management API, with the vendor's messages and codes.
import type * as z from 'zod'
import { DomainError, type ErrorOptions, invalidRequest } from '../../kernel/errors'

/** `inexistent_role`: tools recognise an absent object by the status; the code tells people which. */
export const inexistent = (noun: string): DomainError =>
  new DomainError('not_found', `The ${noun.replaceAll('_', ' ')} does not exist.`, {
    members: { errorCode: `inexistent_${noun}` },
  })

export const conflict = (message: string, errorCode: string): DomainError =>
  new DomainError('conflict', message, { members: { errorCode } })

type About = Pick<ErrorOptions, 'reason' | 'parameter'>

export const invalidBody = (message: string, about: About = {}): DomainError =>
  invalidRequest(`Payload validation error: '${message}'.`, about)

export const invalidQuery = (message: string, about: About = {}): DomainError =>
  invalidRequest(`Query validation error: '${message}'.`, { ...about, members: { errorCode: 'invalid_query_string' } })

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

/** The first problem of a value, in the vendor's words. */
export function problemOf({ issues }: z.ZodError): string {
  const [issue] = issues
  const place = issue?.path.map(String).join('.') ?? ''
  if (!issue) return 'Invalid value'
  if (issue.code === 'unrecognized_keys') return `Additional properties not allowed: ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_type' && issue.input === undefined && place !== '')
    return `Missing required property: ${place}`
  return place === '' ? issue.message : `${issue.message}' on property '${place}`
}

/** The reverse of `problemOf`, for a page that shows a problem beside its field. */
export function placeOf({ description }: DomainError): { message: string; place: string | null } {
  const [, inner = description] = /^(?:Payload|Query) validation error: '(.*)'\.$/s.exec(description) ?? []
  const [, problem = inner, within] = /^(.*)' in '(\w+)$/s.exec(inner) ?? []
  const [, missing] = /^Missing required property: (\S+)$/.exec(problem) ?? []
  const [, message = problem, place = missing] = /^(.*)' on property '(.*)$/s.exec(problem) ?? []
  // The vendor's name of an error is for programs.
  const sentence = message.replace(/^[A-Z]\w+Error: /, '')
  const path = [within, place].filter((part) => part !== undefined).join('.')
  return { message: missing === undefined ? sentence : 'This is needed.', place: path === '' ? null : path }
}
