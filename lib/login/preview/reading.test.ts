// What a preview of a login may do with the dependencies of a login: read what is listed, and nothing else.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PreviewQuestion } from '../../data/logins/preview'
import { sampleUser } from '../../testing/samples'
import { type TestServer, testServer } from '../../testing/server'
import type { LoginDeps } from '../deps'
import { readingDeps } from './reading'

let server: TestServer
let deps: LoginDeps

const question = (browser: PreviewQuestion['browser']): PreviewQuestion => ({
  ...{ user: sampleUser(), connections: [], accounts: [], clientId: 'app', connection: null, organization: null },
  ...{ audience: null, scope: 'openid', ip: '192.0.2.1', browser, protocol: null },
})

beforeAll(async () => {
  server = await testServer()
  deps = readingDeps(await server.runtime(), question('remembered'))
})
afterAll(() => server.close())

it.each([
  ['a session', () => deps.sessions],
  ['a transaction', () => deps.transactions],
  ['a ticket', () => deps.tickets],
  ['a mail', () => deps.mailer],
  ['a member', () => deps.organizations.join('org_1', 'user')],
  ['a counter', () => deps.attempts.run({ connectionIds: [], name: '', ip: '' }, async () => null)],
  ['a lifted block', () => deps.attempts.liftBlocks([])],
  ['a hash', () => deps.users.replacePasswordHash({} as never, '')],
  ['a factor', () => deps.authenticators.remove('user', [], null)],
  ['an action', () => deps.triggers.run('post-login', {} as never)],
  ['a known browser', () => deps.knownBrowsers.keep('user', {} as never, new Date())],
  ['a change of the dependencies', () => Object.assign(deps, { baseUrl: '' })],
])('%s is refused', (_what, act) => {
  expect(act).toThrow('a preview of a login has no effects')
})

it('reads go through, and events are lost', async () => {
  expect(await deps.connections.all()).not.toHaveLength(0)
  expect(await deps.organizations.isMember('org_1', 'user')).toBe(false)
  deps.trail.record('login', {})
  await server.loginLog.flush()
  expect(await server.audited()).toEqual([])
})

it.each([
  ['unknown', null],
  ['known', { rememberedUntil: null }],
  ['remembered', { rememberedUntil: expect.any(Date) }],
] as const)('a browser that is %s is what the question says', async (browser, expected) => {
  const { knownBrowsers } = readingDeps(await server.runtime(), question(browser))
  const found = await knownBrowsers.find('user', [new Uint8Array(32)], new Date(0))
  if (expected === null) expect(found).toBeNull()
  else expect(found).toMatchObject(expected)
})
