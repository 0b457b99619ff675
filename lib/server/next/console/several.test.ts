// One form over several operations: which of them it calls, what is saved where one is refused, and its way back.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { attackProtection } from '../../../management/resources/attack-protection'
import { roles } from '../../../management/resources/roles'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import type { ConsoleSession } from './entry'
import { controlId, fieldIn, shownValues } from './field'
import { fieldsOf } from './form'
import { changedMembers, textsFrom } from './form-values'
import { consoleOf } from './page'
import { type FormPart, type FormState, submitFormOf } from './submit'

let server: TestServer
let manager: Manager
let session: ConsoleSession

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const request = {
    ...{ id: 'test', method: 'POST', path: '/console', params: {}, query: new URLSearchParams(), search: '' },
    ...{ headers: {}, body: new Uint8Array(), ip: '198.51.100.7' },
  }
  const userId = await server.addUser({ email: 'owner@console.test' })
  const runtime = (await server.runtime()).within(request)
  await runtime.administrators.put(userId, 'owner', server.clock.now())
  const administrator = await runtime.administrators.find(userId)
  if (!administrator) throw new Error('There is no administrator')
  session = { runtime, request, administrator, authenticatedAt: server.clock.now() }
})
afterAll(() => server.close())

const GUESSES = 'brute_force_protection'
const BOTS = 'bot_detection'
const GUESSED = `${GUESSES}.update/max_attempts`
const [BOT, LEVEL] = [`${BOTS}.update/allowlist`, `${BOTS}.update/bot_detection_level`]

const OPERATIONS = [
  [attackProtection.bruteForce, ['max_attempts', 'enabled']],
  [attackProtection.botDetection, ['allowlist', 'bot_detection_level']],
] as const

type Sent = { parts: FormPart[]; was: Record<string, string[]> }

/** A form as its page has it. */
async function opened(): Promise<Sent> {
  const console = await consoleOf(session)
  const found = await Promise.all(
    OPERATIONS.map(async ([{ read, update }, members]) => {
      const { value, tag } = await console.readTagged(read)
      const fields = fieldsOf(update, members, value).map((field) => fieldIn(update.name, field))
      return { part: { operation: update.name, tag }, fields }
    }),
  )
  return { parts: found.map(({ part }) => part), was: textsFrom(shownValues(found.flatMap(({ fields }) => fields))) }
}

function post({ parts, was }: Sent, changed: Readonly<Record<string, string>> = {}): Promise<FormState> {
  const form = new FormData()
  form.set('_here', '/console/security')
  form.set('_done', 'saved')
  form.set('_parts', JSON.stringify(parts))
  form.set('_was', JSON.stringify(was))
  const texts = { ...was, ...Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, [text]])) }
  for (const [name, values] of Object.entries(texts)) for (const value of values) form.append(name, value)
  return submitFormOf(form, session)
}

const undo = (calls: string): Promise<FormState> => post({ parts: JSON.parse(calls) as FormPart[], was: {} })

const read = async (path: string) => (await manager.get(path)).json()
const guesses = () => read('/attack-protection/brute-force-protection')
const bots = () => read('/attack-protection/bot-detection')

/** The operations that changed something, as the audit log has them. */
async function changes(): Promise<unknown[]> {
  await session.runtime.trail.settled()
  return (await server.audited()).map(({ details }) => (details as { change?: string } | undefined)?.change)
}

beforeEach(async () => {
  await manager.patch('/attack-protection/brute-force-protection', { max_attempts: 10, enabled: true })
  await manager.patch('/attack-protection/bot-detection', { allowlist: [], bot_detection_level: 'medium' })
})

it('calls the operations alone whose members were changed', async () => {
  const form = await opened()
  const before = (await changes()).length
  expect(await post(form, { [`number:${GUESSED}`]: '7' })).toMatchObject({ status: 'left', says: 'saved' })
  expect((await changes()).slice(before)).toEqual([`${GUESSES}.update`])
  expect(await guesses()).toMatchObject({ max_attempts: 7 })
  expect(await post(await opened())).toMatchObject({ status: 'left', undo: '' })
  expect((await changes()).slice(before)).toHaveLength(1)
})

it('saves several with one form, and takes all of them back', async () => {
  const changed = { [`number:${GUESSED}`]: '7', [`lines:${BOT}`]: '192.0.2.7' }
  const saved = await post(await opened(), changed)
  if (saved.status !== 'left') throw new Error(JSON.stringify(saved))
  expect(await guesses()).toMatchObject({ max_attempts: 7 })
  expect(await bots()).toMatchObject({ allowlist: ['192.0.2.7'] })
  expect(await undo(saved.undo)).toMatchObject({ status: 'left' })
  expect(await guesses()).toMatchObject({ max_attempts: 10 })
  expect(await bots()).toMatchObject({ allowlist: [] })
})

it('an undo of several is refused as a whole once one of them was changed', async () => {
  const saved = await post(await opened(), { [`number:${GUESSED}`]: '7', [`lines:${BOT}`]: '192.0.2.7' })
  if (saved.status !== 'left') throw new Error(JSON.stringify(saved))
  await manager.patch('/attack-protection/bot-detection', { bot_detection_level: 'high' })
  expect(await undo(saved.undo)).toMatchObject({ status: 'stale' })
  expect(await guesses()).toMatchObject({ max_attempts: 7 })
})

describe('where one operation is refused', () => {
  it('nothing is saved if that is known before, and the member is named within its operation', async () => {
    const refused = await post(await opened(), { [`number:${GUESSED}`]: '7', [`choice:${LEVEL}`]: 'none at all' })
    expect(refused).toMatchObject({ status: 'refused', field: LEVEL })
    expect(refused).not.toHaveProperty('saved')
    expect(await guesses()).toMatchObject({ max_attempts: 10 })
  })

  it('nothing is saved if another person changed one of them, and a change of the others does not matter', async () => {
    const form = await opened()
    await manager.patch('/attack-protection/bot-detection', { bot_detection_level: 'high' })
    const both = { [`number:${GUESSED}`]: '7', [`lines:${BOT}`]: '192.0.2.7' }
    expect(await post(form, both)).toMatchObject({ status: 'stale' })
    expect(await guesses()).toMatchObject({ max_attempts: 10 })
    expect(await post(form, { [`number:${GUESSED}`]: '7' })).toMatchObject({ status: 'left' })
  })

  it('what was saved before is named and can be taken back', async () => {
    const form = await opened()
    const missing = { operation: roles.update.name, params: { id: 'rol_missing' }, body: { name: 'Keepers' } }
    const refused = await post(
      { ...form, parts: [...form.parts, missing] },
      { [`number:${GUESSED}`]: '7', [`lines:${BOT}`]: '192.0.2.7' },
    )
    if (refused.status !== 'refused') throw new Error(JSON.stringify(refused))
    expect(refused).toMatchObject({
      field: `${roles.update.name}/`,
      saved: `${GUESSES}.update ${BOTS}.update`,
      sent: expect.stringContaining('192.0.2.7'),
    })
    expect(await guesses()).toMatchObject({ max_attempts: 7 })
    expect(await undo(refused.undo ?? '')).toMatchObject({ status: 'left' })
    expect(await guesses()).toMatchObject({ max_attempts: 10 })
    expect(await bots()).toMatchObject({ allowlist: [] })
  })
})

it('a form that someone has changed calls no operation without a form, and no more than a page has', async () => {
  const form = await opened()
  const changed = { [`number:${GUESSED}`]: '7' }
  const all = { operation: 'users.import', body: {} }
  expect(await post({ ...form, parts: [...form.parts, all] }, changed)).toMatchObject({ status: 'refused' })
  const many = Array.from({ length: 21 }, () => form.parts[0] as FormPart)
  expect(await post({ ...form, parts: many }, changed)).toMatchObject({ status: 'refused' })
  for (const parts of ['{', 'null', '[null, 1]'])
    expect(await post({ ...form, parts: parts as unknown as FormPart[] }, changed)).toMatchObject({ status: 'left' })
  expect(await guesses()).toMatchObject({ max_attempts: 10 })
})

it('a control has the id that links lead to, and its member is changed by itself', async () => {
  expect(controlId('any', GUESSED)).toBe(controlId(attackProtection.bruteForce.update.name, 'max_attempts'))
  const { was } = await opened()
  expect(changedMembers({ ...was, [`number:${GUESSED}`]: ['7'] }, was)).toEqual([GUESSED])
})
