// What the sealed state of a test of a login permits, and when it does not (docs/adr/0072, threat-model.md AZ14).
import { beforeEach, expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { beginTest, makeTest, takeTest, testOfAnswer, testOfRequest } from './login-test'

const WISH = { clientId: 'spa', parameters: { scope: 'openid', prompt: 'login' } }

const depsOf = (tenantId: string, claimed: Set<string>) => ({
  tenantId,
  baseUrl: 'https://id.test',
  vault: createVault('the secret of this test, long enough'),
  random: seededRandom(),
  clock: fixedClock(),
  tickets: {
    claim: async ({ digest }: { digest: Uint8Array }) => {
      const name = Buffer.from(digest).toString('hex')
      return !claimed.has(name) && Boolean(claimed.add(name))
    },
  },
})

let deps: ReturnType<typeof depsOf>
beforeEach(() => {
  deps = depsOf('default', new Set())
})

async function startTest() {
  const made = makeTest(WISH, deps)
  const ticket = new URL(made.url).searchParams.get('ticket') ?? ''
  const test = await takeTest(ticket, deps)
  if (!test) throw new Error('the test did not begin')
  const started = beginTest(test, deps)
  return { made, ticket, sent: Object.fromEntries(new URL(started.to).searchParams), cookie: started.cookie.value }
}

it('permits its one request, once', async () => {
  const { made, sent } = await startTest()
  expect((await testOfRequest(sent, deps))?.login).toBe(made.login)
  expect(await testOfRequest(sent, deps)).toBeNull()
})

it('permits nothing at another tenant', async () => {
  const { ticket, sent, cookie } = await startTest()
  const other = depsOf('other', new Set())
  expect(await takeTest(ticket, other)).toBeNull()
  expect(await testOfRequest(sent, other)).toBeNull()
  expect(testOfAnswer(sent.state ?? '', cookie, other)).toBeNull()
})

it('permits nothing an hour after it began', async () => {
  const { sent, cookie } = await startTest()
  deps.clock.advance(3600)
  expect(await testOfRequest(sent, deps)).toBeNull()
  expect(testOfAnswer(sent.state ?? '', cookie, deps)).toBeNull()
})

it('lets its maker change parameters in the address, and not the application', async () => {
  const { sent } = await startTest()
  expect(await testOfRequest({ ...sent, client_id: 'other' }, deps)).toBeNull()
  expect(await testOfRequest({ ...sent, prompt: 'none' }, deps)).not.toBeNull()
})

it('belongs to the browser that began it', async () => {
  const [one, other] = [await startTest(), await startTest()]
  expect(testOfAnswer(one.sent.state ?? '', one.cookie, deps)).not.toBeNull()
  for (const cookie of [other.cookie, undefined, '', 'x', one.sent.state])
    expect(testOfAnswer(one.sent.state ?? '', cookie, deps)).toBeNull()
})

it('leaves every other address to its application, without a look at its state', async () => {
  const { sent } = await startTest()
  for (const redirect_uri of ['https://app.test/cb', 'https://id.test/login-test/callback/', undefined])
    expect(await testOfRequest({ ...sent, redirect_uri }, deps)).toBeNull()
  expect(await testOfRequest(sent, deps)).not.toBeNull()
})
