import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { invalidBody, invalidQuery, missing, placeOf, problemOf } from './errors'

describe('the place of a problem', () => {
  const atHost = { path: 'smtp_host', message: 'must be a host name' }

  it.each([
    [invalidBody({ path: 'max_attempts', message: 'must be a number' }), 'must be a number', 'max_attempts'],
    [invalidBody(missing('name')), 'This is needed.', 'name'],
    [invalidQuery({ ...atHost, within: 'credentials' }), 'must be a host name', 'credentials.smtp_host'],
    [invalidBody({ ...missing('smtp_host'), within: 'credentials' }), 'This is needed.', 'credentials.smtp_host'],
    [invalidBody({ path: null, message: 'x is unknown', within: 'settings' }), 'x is unknown', 'settings'],
    [invalidBody('PasswordHistoryError: Password has been used'), 'Password has been used', null],
    [invalidBody('The destination changes: send api_key again'), 'The destination changes: send api_key again', null],
  ])('of %s is the member that it is about', (error, message, place) => {
    expect(placeOf(error)).toEqual({ message, place })
  })
})

describe('a refusal says in words', () => {
  const shown = (schema: z.ZodType, value: unknown): string => {
    const { error } = schema.safeParse(value)
    return error ? placeOf(invalidBody(problemOf(error))).message : ''
  }

  it.each([
    [z.number().max(100), 101, 'At most 100.'],
    [z.number().min(0.5), 0, 'At least 0.5.'],
    [z.number().positive(), 0, 'More than 0.'],
    [z.number().lt(5), 5, 'Less than 5.'],
    [z.string().max(3), 'four', 'At most 3 characters.'],
    [z.string().min(1), '', 'At least 1 character.'],
    [z.array(z.string()).max(1), ['a', 'b'], 'At most 1 entry.'],
    [z.string().regex(/^a$/), 'b', 'This has not the form that is needed here.'],
    [z.number(), 'b', 'A number is needed here.'],
    [z.int(), 1.5, 'A whole number is needed here.'],
    [z.number().max(9, 'must be at most 9 seconds'), 10, 'must be at most 9 seconds'],
  ])('what its schema asks for', (schema, value, message) => {
    expect(shown(schema, value)).toBe(message)
  })
})

describe('the sentence of a problem is the vendor’s', () => {
  const schema = z.strictObject({ name: z.string(), age: z.number('must be a number').optional() })
  const sentence = (value: unknown): string => {
    const { error } = schema.safeParse(value, { reportInput: true })
    return error ? invalidBody(problemOf(error)).description : ''
  }

  it.each([
    [{}, "Payload validation error: 'Missing required property: name'."],
    [{ name: 'a', age: 'b' }, "Payload validation error: 'must be a number' on property 'age'."],
    [{ name: 'a', x: 1 }, "Payload validation error: 'Additional properties not allowed: x'."],
  ])('the vendor’s sentence is given for %j', (value, expected) => {
    expect(sentence(value)).toBe(expected)
  })

  it('names the part of the object last', () => {
    const { description } = invalidQuery({ path: 'host', message: 'must be one', within: 'credentials' })
    expect(description).toBe("Query validation error: 'must be one' on property 'host' in 'credentials'.")
  })
})
