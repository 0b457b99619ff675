import { describe, expect, it } from 'vitest'
import { EVENTS, type EventName, reasonOfEvent } from '../../../data/audit/events'
import { REASONS } from '../../../kernel/reasons'
import { OPERATIONS } from '../../../management'
import { LOG_ADVICE, LOG_EVENTS, LOG_VERBS } from '../../../text/console/log-events'
import { adviceOf, FAILURE_CODES, isBad, plainSentence, type ShownLogEntry, sentenceOf } from './log-sentences'

const record = (
  event: string,
  rest: Partial<ShownLogEntry> = {},
  details: Partial<ShownLogEntry['details']> = {},
): ShownLogEntry => ({
  log_id: '1',
  date: '2026-11-28T12:00:00.000Z',
  type: event in EVENTS ? EVENTS[event as EventName].code : 'x',
  ...rest,
  details: { event, ...details },
})

const ADA = { user_id: 'auth0|ada', user_name: 'ada@example.com' }
const SHOP = { client_id: 'shop', client_name: 'Shop' }
const change = (name: string, target: string, difference: Record<string, unknown>) =>
  record('changed', ADA, { change: name, target, difference })

const said = (entry: ShownLogEntry, names?: ReadonlyMap<string, string>) => plainSentence(sentenceOf(entry, names))

const NAMES = new Map([
  ['applications/shop', 'Shop'],
  ['users/samlp|staff|1', 'Grace Hopper'],
])

it('each event has a sentence, with and without what it names', () => {
  expect(Object.keys(LOG_EVENTS).toSorted()).toEqual(Object.keys(EVENTS).toSorted())
  for (const event of Object.keys(EVENTS)) {
    for (const rest of [{}, ADA, { ...ADA, ...SHOP }]) {
      const sentence = said(record(event, rest))
      expect(sentence, event).toMatch(/^\S.*\S$/)
      expect(sentence, event).not.toMatch(/[{}]|undefined|null/)
    }
  }
})

it('each event that warns or refuses says what to do', () => {
  for (const event of Object.keys(EVENTS) as EventName[]) {
    const reason = reasonOfEvent(event) ?? ('refusal' in EVENTS[event] ? 'access_denied' : undefined)
    const entry = record(event, {}, reason === undefined ? {} : { hint: REASONS[reason] })
    if (isBad(entry) || event in LOG_ADVICE) expect(adviceOf(entry), event).toMatch(/\.$/)
  }
})

it('the verb of each operation that changes something has a form of the past', () => {
  const verbs = OPERATIONS.filter(({ method, audited }) => method !== 'GET' && audited !== false).map(
    ({ summary }) => summary.split(' ')[0] ?? '',
  )
  expect(verbs.filter((verb) => /^(?!Not)\p{L}+$/u.test(verb) && !Object.hasOwn(LOG_VERBS, verb))).toEqual([])
})

describe('a sentence', () => {
  it.each([
    [record('login', { ...ADA, ...SHOP }), 'ada@example.com signed in to Shop'],
    [record('password_wrong', ADA), 'A login was refused: wrong password for ada@example.com'],
    [record('login', SHOP), 'Someone signed in to Shop'],
    [
      change('clients.update', 'shop', { callbacks: [[], ['https://shop.test']] }),
      'ada@example.com changed allowed callback URLs of Shop',
    ],
    [
      change('clients.update', 'shop', { updated_at: ['a', 'b'], name: ['A', 'Shop'] }),
      'ada@example.com changed name of Shop',
    ],
    [record('login', { user_id: 'samlp|staff|1', ...SHOP }), 'Grace Hopper signed in to Shop'],
    [change('roles.create', 'rol_1', { name: [null, 'Editors'] }), 'ada@example.com created a role: Editors'],
    [
      change('organizations.create', 'org_1', { name: [null, 'acme'] }),
      'ada@example.com created an organization: acme',
    ],
    [
      record('changed', {}, { change: 'became an administrator: user_support' }),
      'The operator: became an administrator: User support',
    ],
    [record('changed', {}, { change: 'administrator invited: owner' }), 'The operator: administrator invited: Owner'],
    [record('of_a_later_release', { description: 'Something new' }), 'Something new'],
  ])('says who did what to which object', (entry, sentence) => {
    expect(said(entry, NAMES)).toBe(sentence)
  })

  it('links to the objects that it names, with encoded addresses, and not to the console itself', () => {
    const parts = sentenceOf(
      record('login', { user_id: 'auth0|a/b', client_id: 'latchkey-console', client_name: 'Console' }),
    )
    expect(parts.map(({ href }) => href).filter(Boolean)).toEqual(['/console/users/auth0%7Ca%2Fb'])
  })
})

it('failures are few enough for one query', () => {
  expect(FAILURE_CODES.length).toBeLessThan(60)
})
