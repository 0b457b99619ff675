// Reads the body of a request: a JSON object of the schema's members and no others. A refusal names each fault.
import type * as z from 'zod'
import { type DomainError, type ErrorOptions, invalidRequest, malformedParameter } from '../../kernel/errors'
import { unstorable } from '../../kernel/json'

export type BodyMembers = Readonly<Record<string, unknown>>

export function readBody<Schema extends z.ZodType>(schema: Schema, members: BodyMembers): z.output<Schema> {
  const body = { ...members }
  const fault = unstorable(body)
  if (fault !== null) throw invalidBody([{ detail: fault }])
  const read = schema.safeParse(body)
  if (read.success) return read.data
  throw invalidBody(read.error.issues.map(({ message, path }) => faultAt(path, message)))
}

type Fault = { detail: string; field?: string; pointer?: string; source?: string }

const faultAt = (path: readonly PropertyKey[], detail: string): Fault =>
  path.length === 0
    ? { detail, source: 'body' }
    : { detail, field: path.map(String).join('.'), pointer: `/${path.map(String).join('/')}`, source: 'body' }

const invalidBody = (validation_errors: readonly Fault[]): DomainError =>
  invalidRequest('The request body is invalid', { members: { validation_errors }, ...aboutOf(validation_errors[0]) })

const aboutOf = (fault: Fault | undefined): Pick<ErrorOptions, 'reason' | 'parameter'> =>
  fault?.field === undefined ? {} : { reason: 'parameter_malformed', parameter: fault.field }

/** A refusal for the value of one member. */
export const invalidMember = (name: string, detail: string): DomainError =>
  malformedParameter(name, detail, { members: { validation_errors: [faultAt([name], detail)] } })

/** The session is unknown, over or used, or of another person, client or method. */
export const sessionOver = (): DomainError =>
  invalidMember('auth_session', 'The auth_session is invalid or has expired')
