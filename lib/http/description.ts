// What an endpoint's literal states about its methods for the API reference: body, query, scopes and answers. It is a function,
// so that no schema is built before a document or a handler needs it.
import * as z from 'zod'
import { missingParameter } from '../kernel/errors'
import type { HttpMethod } from './endpoint'
import { textMember } from './message'

/** How a caller is authenticated, as the documents name it. */
export type Caller = 'client' | 'access_token' | 'mfa_token' | 'device_token' | 'registration_token'

export type DescribedAnswer = {
  says: string
  /** JSON of this shape, unless `type` is another media type; without both the answer has no body. */
  schema?: z.ZodType
  type?: string
  /** Another media type that some clients get, as text. */
  orType?: string
}

/** A request that a test sends. `<name>` stands for a value that the server has issued. */
export type Example = {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

export type MethodDescription = {
  summary: string
  /** Any of these; absent where anybody may call. */
  caller?: readonly Caller[]
  /** The access token needs one of these. */
  scopes?: readonly string[]
  query?: z.ZodObject
  body?: z.ZodType
  /** Where a body may not have both encodings. */
  encoding?: 'json' | 'form'
  /** Successful answers by status. */
  answers: Readonly<Record<number, DescribedAnswer>>
  /** By title. */
  examples: Readonly<Record<string, Example>>
}

export type Description = { tag: string } & { readonly [M in HttpMethod]?: MethodDescription }

/** What the members of a description depend on. */
export type DescriptionContext = { vendorHost: string; baseUrl: string }

export const text = (description: string): z.ZodString => z.string().meta({ description })

export const optional = (description: string): z.ZodOptional<z.ZodString> => text(description).optional()

export const CAPTCHA =
  'The solution of a captcha, where bot detection demands one: the token of its provider, or `session` and `number` of our own with a point between them'

/** Says that a member is allowed and has no effect. */
export const IGNORED = 'Accepted and ignored'

export const resource = () =>
  optional(
    'The API (RFC 8707), where the tenant has `resource_parameter_profile: compatibility` and there is no `audience`',
  )

/** The vendor's clients send it as an array, too. */
export const scope = () =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description: 'The requested scopes, separated by spaces' })

/**
 * Reads the members that the schema of a body lists, in its order, and refuses the first that is missing. Other members than
 * texts are not looked at.
 */
export function readMembers<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  members: Readonly<Record<string, unknown>>,
): z.output<z.ZodObject<Shape>> {
  const read: [string, unknown][] = []
  for (const [name, type] of Object.entries(shape)) {
    const isOptional = type instanceof z.ZodOptional
    const isText = (isOptional ? type.unwrap() : type) instanceof z.ZodString
    const value = isText ? textMember(members, name) : members[name]
    if (value === undefined && !isOptional) throw missingParameter(name)
    read.push([name, value])
  }
  return Object.fromEntries(read) as z.output<z.ZodObject<Shape>>
}
