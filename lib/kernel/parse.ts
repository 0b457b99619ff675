// The one wrapper around zod: untrusted input becomes a typed value, or an invalid_request that names
// the first parameter at fault. Values are never echoed.
import type { z } from 'zod'
import { invalidRequest, missingParameter } from './errors'

export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const name = issue?.path.join('.') || 'request'
  const absent = issue?.code === 'invalid_type' && issue.input === undefined && valueAt(input, issue.path) === undefined
  throw absent ? missingParameter(name) : invalidRequest(`Invalid parameter: ${name}`, { detail: issue?.message ?? '' })
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )
}
