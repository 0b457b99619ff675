// Objects that a form names by what a person typed.

import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import { DomainError } from '../../../kernel/errors'
import { placeOf } from '../../../management/operations/errors'
import { mayPick, pickObjects } from './find'
import type { Console } from './page'
import { resolveReferences } from './references'

const PEOPLE = [
  { user_id: 'auth0|1', name: 'Ada', email: 'ada@harbour.example' },
  { user_id: 'auth0|2', name: 'Ada', email: 'ada.b@harbour.example' },
  { user_id: 'auth0|3', name: 'Grace', email: 'grace@harbour.example' },
]

const schema = z.object({
  members: z.array(z.string()).meta({ picker: 'users' }),
  rows: z.array(z.object({ who: z.string().meta({ picker: 'users' }), what: z.string() })).optional(),
  name: z.string().optional(),
})

function console(may = true): Console {
  const read = vi.fn(async (operation: { name: string }, call: { query?: { q?: string }; params?: { id: string } }) => {
    if (operation.name !== 'users.read') {
      const words = (call.query?.q ?? '').toLowerCase()
      return PEOPLE.filter(
        ({ name, email }) => words.includes(name.toLowerCase()) || words.includes(email.split('@')[0] ?? ''),
      )
    }
    const found = PEOPLE.find(({ user_id }) => user_id === call.params?.id)
    if (!found) throw new DomainError('not_found', 'No such user')
    return found
  })
  return { may: () => may, read } as unknown as Console
}

const resolved = (body: Record<string, unknown>, known: readonly string[] = [], may = true) =>
  resolveReferences(schema, body as never, new Set(known), console(may))

it('takes an id, an address and a name that one object has, whatever their case, and leaves other members', async () => {
  expect(await resolved({ members: ['auth0|1', 'GRACE@harbour.example'], name: 'Ada' })).toEqual({
    members: ['auth0|1', 'auth0|3'],
    name: 'Ada',
  })
  expect(await resolved({ members: ['grace'] })).toEqual({ members: ['auth0|3'] })
  expect(await resolved({ rows: [{ who: 'Grace', what: 'Grace' }] })).toEqual({
    rows: [{ who: 'auth0|3', what: 'Grace' }],
  })
})

it('refuses a name that several have, with all of them, and says where', async () => {
  const refusal = await resolved({ members: ['auth0|3', 'Ada'] }).catch((error: DomainError) => error)
  const { message, place } = placeOf(refusal as DomainError)
  expect(place).toBe('members.1')
  for (const one of ['Ada, ada@harbour.example, auth0|1', 'Ada, ada.b@harbour.example, auth0|2'])
    expect(message).toContain(one)
})

it('refuses a name that is of no object, and takes nothing that only begins so', async () => {
  await expect(resolved({ members: ['Charles'] })).rejects.toThrow('Nothing here is called “Charles”')
  await expect(resolved({ members: ['grace@'] })).rejects.toThrow('Grace')
})

it('looks for nothing that the form showed, nor for a person who may not read it', async () => {
  expect(await resolved({ members: ['Ada'] }, ['Ada'])).toEqual({ members: ['Ada'] })
  expect(await resolved({ members: ['Ada'] }, [], false)).toEqual({ members: ['Ada'] })
  expect(mayPick('users', console(false))).toBe(false)
  expect(await pickObjects('users', 'Ada', console(false))).toEqual([])
})
