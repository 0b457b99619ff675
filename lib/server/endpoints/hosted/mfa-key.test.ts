// Security keys and devices as second factors on the hosted pages (threat-model.md MF9), with an authenticator in software.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthenticatorCall, softCredential } from '../../../testing/authenticator'
import type { FormFields } from '../../../testing/browser'
import { beginLogin, locationOf, payloadOf, redeem, SPA, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { associate, bearer, challenge, logIn, MFA_WEB } from '../../../testing/mfa'
import { addPasskey, ceremonyOn, HERE, offerPasskeys, submitPasskey } from '../../../testing/passkeys'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Key = ReturnType<typeof softCredential>
const KEY = 'webauthn-roaming'
const DEVICE = 'webauthn-platform'

let server: TestServer
let manager: Manager
let browser: Browser
let user: string
let userId: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(MFA_WEB)
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await demand()
  await newUser()
})

async function newUser(): Promise<void> {
  user = `${server.random.hex(8)}@mail.test`
  userId = await server.addUser({ email: user, data: { emailVerified: true } })
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
}

const demand = (factors = [KEY, DEVICE, 'recovery-code'], userVerification = 'discouraged'): Promise<void> =>
  server.setTenant({
    tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } },
    guardianPolicies: { policies: ['all-applications'] },
    guardianFactors: factors.map((name) => ({ name, enabled: true })),
    guardianWebauthnRoaming: { userVerification: userVerification as 'required' },
  })

const send = (state: string, action: string, fields: FormFields = {}): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action, ...fields } })
const at = (answer: TestResponse): [string, string | null] => {
  const url = locationOf(answer)
  return [url.pathname, url.searchParams.get('notice')]
}
const REFUSED = ['/u/mfa-challenge', 'key_failed']
const pageOf = (state: string, page = 'mfa-challenge') => browser.get(`/u/${page}`, { query: { state } })
const amrOf = async (answer: TestResponse) =>
  payloadOf((await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json().id_token).amr
const offeredIn = (page: TestResponse) =>
  [...page.text.matchAll(/name="factor" value="([^"]+)"/g)].map(([, name]) => name)

/** Signs in with the password, up to the page of the second factor. */
async function toFactor(): Promise<string> {
  const state = await beginLogin(browser, { prompt: 'login' })
  await submitPassword(browser, state, user)
  return state
}

type Ceremonial = Partial<AuthenticatorCall>

function created(page: TestResponse, key: Key, change: Ceremonial = {}): FormFields {
  const { challenge, session, options } = ceremonyOn(page.text, 'create')
  const response = key.create({ ...HERE, challenge, handle: options.user?.id ?? '', ...change })
  return { passkey_session: session, passkey_response: JSON.stringify(response) }
}

function used(page: TestResponse, key: Key, change: Ceremonial = {}): FormFields {
  const { challenge, session } = ceremonyOn(page.text, 'get')
  return {
    passkey_session: session,
    passkey_response: JSON.stringify(key.use({ ...HERE, challenge, uv: false, ...change })),
  }
}

/** The page that asks for a new key. */
async function toAdding(factor = KEY): Promise<{ state: string; page: TestResponse }> {
  const state = await toFactor()
  await send(state, 'mfa-enroll', { factor })
  return { state, page: await pageOf(state, 'mfa-enroll') }
}

async function enrol(key: Key, change: Ceremonial = {}): Promise<void> {
  const { state, page } = await toAdding()
  const added = await send(state, 'mfa-confirm', created(page, key, change))
  expect(at(added)).toEqual(['/u/mfa-recovery-code', null])
  await send(state, 'mfa-saved')
}

const methods = async (): Promise<Record<string, unknown>[]> =>
  JSON.parse((await manager.get(`/users/${encodeURIComponent(userId)}/authentication-methods`)).text)

describe('a security key', () => {
  it('is added at the first login that needs a factor, named after its model, and asked for at the next', async () => {
    const state = await toFactor()
    expect(offeredIn(await pageOf(state, 'mfa-enroll'))).toEqual([KEY])
    const key = softCredential()
    const { page } = await toAdding()
    expect(ceremonyOn(page.text, 'create').options).toMatchObject({
      rp: { id: 'id.test' },
      user: { name: user },
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'discouraged',
        userVerification: 'discouraged',
        authenticatorAttachment: 'cross-platform',
      },
    })
    await enrol(key)
    expect(await methods()).toMatchObject([
      { type: KEY, name: 'Apple Passwords', confirmed: true },
      { type: 'recovery-code' },
    ])
    const again = await toFactor()
    const challengePage = await pageOf(again)
    expect(ceremonyOn(challengePage.text, 'get').options).toMatchObject({
      rpId: 'id.test',
      userVerification: 'discouraged',
      allowCredentials: [{ id: key.id, type: 'public-key' }],
    })
    expect(await amrOf(await send(again, 'mfa-verify', used(challengePage, key)))).toEqual(['pwd', 'mfa'])
    const events = (await server.audited()).map(({ type }) => type)
    expect(events).toEqual(expect.arrayContaining(['gd_enrollment_complete', 'gd_auth_succeed']))
  })

  it('may be one of several, each of which is accepted, and is not added twice', async () => {
    const [first, second] = [softCredential(), softCredential()]
    await enrol(first)
    const path = `/guardian/enrollments/ticket`
    const made = await manager.post(path, { user_id: userId, factor: KEY, allow_multiple_enrollments: true })
    const ticket = String(made.json().ticket_id)
    const open = await browser.get('/u/enroll', { query: { ticket } })
    const stateIn = (page: TestResponse) => /name="state" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const post = (page: TestResponse, action: string, fields: FormFields) =>
      browser.post('/u/enroll', {
        form: { state: stateIn(page), action, ...fields },
        headers: { origin: 'https://id.test' },
      })
    const adding = await browser.get(locationOf(await post(open, 'mfa-enroll', { factor: KEY })).href)
    expect(ceremonyOn(adding.text, 'create').options.excludeCredentials).toMatchObject([{ id: first.id }])
    const known = await post(adding, 'mfa-confirm', created(adding, first))
    expect([known.status, known.text.includes('That didn’t work')]).toEqual([400, true])
    const done = await post(known, 'mfa-confirm', created(known, second))
    expect(done.text).toContain('Your second step is set up')
    for (const key of [first, second]) {
      const state = await toFactor()
      expect(await amrOf(await send(state, 'mfa-verify', used(await pageOf(state), key)))).toContain('mfa')
    }
  })

  it('is removed by a manager, and then no longer asked for', async () => {
    await enrol(softCredential())
    const [{ id } = {}] = await methods()
    const path = `/users/${encodeURIComponent(userId)}/authentication-methods/${encodeURIComponent(String(id))}`
    expect((await manager.remove(path)).status).toBe(204)
    const { rows } = await server.database.pool.query('SELECT 1 FROM webauthn_credential WHERE id = $1', [id])
    expect(rows).toEqual([])
    expect(offeredIn(await pageOf(await toFactor(), 'mfa-enroll'))).toEqual([KEY])
  })

  it('signs in to nothing by itself, and the browser does not forget it', async () => {
    const [key, passkey] = [softCredential(), softCredential()]
    await offerPasskeys(server)
    await enrol(key)
    await addPasskey(server, userId, passkey)
    const stranger = server.browser({ ip: '2001:db8:f::1' })
    const answer = await submitPasskey(stranger, await beginLogin(stranger), key)
    expect(at(answer)).toEqual(['/u/login', 'passkey_failed'])
    expect((await stranger.get(locationOf(answer).href)).text).not.toContain('data-stray')
    const state = await toFactor()
    expect(at(await send(state, 'mfa-verify', used(await pageOf(state), passkey)))).toEqual(REFUSED)
  })

  it('a security key whose counter did not increase is refused and reported', async () => {
    const key = softCredential()
    await enrol(key, { counter: 7, multiDevice: false })
    const state = await toFactor()
    const proof = async (counter: number) =>
      send(state, 'mfa-verify', used(await pageOf(state), key, { counter, multiDevice: false }))
    expect(at(await proof(7))).toEqual(REFUSED)
    expect((await server.audited()).map(({ type }) => type)).toContain('latchkey_passkey_copied')
    expect(await amrOf(await proof(8))).toContain('mfa')
  })

  it('a security key that may be backed up is accepted without an increased counter, and reported', async () => {
    const key = softCredential()
    await enrol(key, { counter: 7 })
    const state = await toFactor()
    expect(await amrOf(await send(state, 'mfa-verify', used(await pageOf(state), key, { counter: 7 })))).toContain(
      'mfa',
    )
    expect((await server.audited()).map(({ type }) => type)).toContain('latchkey_passkey_uncounted')
  })

  it('is asked for a PIN or a fingerprint if the tenant requires it', async () => {
    await demand([KEY, 'recovery-code'], 'required')
    const key = softCredential()
    const { state, page } = await toAdding()
    const unverified = await send(state, 'mfa-confirm', created(page, key, { uv: false }))
    expect(at(unverified)).toEqual(['/u/mfa-enroll', 'key_failed'])
    await enrol(key)
    const next = await toFactor()
    const challengePage = await pageOf(next)
    expect(ceremonyOn(challengePage.text, 'get').options.userVerification).toBe('required')
    expect(at(await send(next, 'mfa-verify', used(challengePage, key, { uv: false })))).toEqual(REFUSED)
    expect(await amrOf(await send(next, 'mfa-verify', used(await pageOf(next), key, { uv: true })))).toContain('mfa')
  })
})

describe('a response of a key', () => {
  it.each<[string, Ceremonial]>([
    ['for another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['on a page of another origin', { origin: 'https://id.test.evil.test' }],
    ['in a frame of another origin', { crossOrigin: true }],
    ['for another host', { rpId: 'evil.test' }],
    ['without the user present', { up: false }],
    ['as a creation', { type: 'webauthn.create' }],
  ])('is refused if made %s', async (_how, change) => {
    const key = softCredential()
    await enrol(key)
    const state = await toFactor()
    expect(at(await send(state, 'mfa-verify', used(await pageOf(state), key, change)))).toEqual(REFUSED)
  })

  it.each<[string, Ceremonial]>([
    ['on a page of another origin', { origin: 'https://evil.test' }],
    ['for another host', { rpId: 'evil.test' }],
    ['without the user present', { up: false }],
    ['as an assertion', { type: 'webauthn.get' }],
  ])('adds nothing if made %s', async (_how, change) => {
    const { state, page } = await toAdding()
    const answer = await send(state, 'mfa-confirm', created(page, softCredential(), change))
    expect(at(answer)).toEqual(['/u/mfa-enroll', 'key_failed'])
    expect((await methods()).every(({ confirmed }) => confirmed === false)).toBe(true)
  })

  it('is refused a second time, in another login, and for another person', async () => {
    const key = softCredential()
    await enrol(key)
    const state = await toFactor()
    const answer = used(await pageOf(state), key)
    const other = await toFactor()
    expect(at(await send(other, 'mfa-verify', answer))).toEqual(REFUSED)
    expect(at(await send(state, 'mfa-verify', answer))).toEqual(REFUSED)
    const own = used(await pageOf(state), key)
    await send(state, 'mfa-verify', own)
    const later = await toFactor()
    expect(at(await send(later, 'mfa-verify', own))).toEqual(REFUSED)
    await newUser()
    await enrol(softCredential())
    const theirs = await toFactor()
    expect(at(await send(theirs, 'mfa-verify', used(await pageOf(theirs), key)))).toEqual(REFUSED)
  })

  it.each<[string, FormFields]>([
    ['nothing', {}],
    ['a code', { code: '123456' }],
    ['no session', { passkey_response: '{}' }],
    ['no JSON', { passkey_session: 'x', passkey_response: '{' }],
    ['a list', { passkey_session: 'x', passkey_response: '[]' }],
  ])('is refused if it is %s', async (_what, fields) => {
    await enrol(softCredential())
    expect(at(await send(await toFactor(), 'mfa-verify', fields))).toEqual(REFUSED)
  })

  it('a malformed response of a key is refused with a valid session', async () => {
    await enrol(softCredential())
    const state = await toFactor()
    const { session } = ceremonyOn((await pageOf(state)).text, 'get')
    const fields = { passkey_session: session, passkey_response: '{"id":1}' }
    expect(at(await send(state, 'mfa-verify', fields))).toEqual(REFUSED)
  })

  it('is counted, so that too many wrong ones stop the next', async () => {
    const key = softCredential()
    await enrol(key)
    const state = await toFactor()
    for (let i = 0; i < 10; i++) {
      const wrong = used(await pageOf(state), key, { up: false })
      expect(at(await send(state, 'mfa-verify', wrong))).toEqual(REFUSED)
    }
    const blocked = await send(state, 'mfa-verify', used(await pageOf(state), key))
    expect(at(blocked)).toEqual(['/u/mfa-challenge', 'too_many_codes'])
  })
})

describe('callers at once', () => {
  it('use one challenge once', async () => {
    const key = softCredential()
    await enrol(key)
    const state = await toFactor()
    const answer = used(await pageOf(state), key)
    const all = await Promise.all(Array.from({ length: 6 }, () => send(state, 'mfa-verify', answer)))
    expect(all.filter((each) => locationOf(each).pathname === '/cb')).toHaveLength(1)
  })

  it('store one counter, for responses of two challenges with the same one', async () => {
    const key = softCredential()
    await enrol(key, { counter: 1, multiDevice: false })
    const states = [await toFactor(), await toFactor(), await toFactor()]
    const answers = await Promise.all(
      states.map(async (state) => used(await pageOf(state), key, { counter: 2, multiDevice: false })),
    )
    const all = await Promise.all(answers.map((answer, i) => send(states[i] ?? '', 'mfa-verify', answer)))
    expect(all.filter((each) => locationOf(each).pathname === '/cb')).toHaveLength(1)
  })

  it('give one key to an authenticator, and one credential to one of them', async () => {
    const { state } = await toAdding()
    const pages = await Promise.all([1, 2, 3].map(() => pageOf(state, 'mfa-enroll')))
    const keys = pages.map(() => softCredential())
    await Promise.all(pages.map((page, i) => send(state, 'mfa-confirm', created(page, keys[i] as Key))))
    const { rows } = await server.database.pool.query(
      'SELECT c.credential_id FROM webauthn_credential c JOIN authenticator a ON a.id = c.authenticator_id WHERE a.user_id = $1',
      [userId],
    )
    expect(rows).toHaveLength(1)
    expect(keys.map(({ id }) => id)).toContain(rows[0].credential_id)
  })
})

describe('a device that recognizes the person', () => {
  it('is offered beside another factor, or where the tenant has no other', async () => {
    await demand([KEY, DEVICE, 'otp'])
    expect(offeredIn(await pageOf(await toFactor(), 'mfa-enroll'))).toEqual(['otp', KEY])
    await demand([DEVICE])
    expect(offeredIn(await pageOf(await toFactor(), 'mfa-enroll'))).toEqual([DEVICE])
  })

  it('has to recognize the person, and is asked before a key', async () => {
    await demand([DEVICE, 'recovery-code'])
    const device = softCredential()
    const { state, page } = await toAdding(DEVICE)
    expect(ceremonyOn(page.text, 'create').options.authenticatorSelection).toMatchObject({
      userVerification: 'required',
      authenticatorAttachment: 'platform',
    })
    const unverified = await send(state, 'mfa-confirm', created(page, device, { uv: false }))
    expect(at(unverified)).toEqual(['/u/mfa-enroll', 'key_failed'])
    await send(state, 'mfa-confirm', created(await pageOf(state, 'mfa-enroll'), device))
    await send(state, 'mfa-saved')
    const next = await toFactor()
    expect(at(await send(next, 'mfa-verify', used(await pageOf(next), device)))).toEqual(REFUSED)
    expect(await amrOf(await send(next, 'mfa-verify', used(await pageOf(next), device, { uv: true })))).toContain('mfa')
  })
})

describe('the APIs', () => {
  it('list a key, and neither add nor challenge one', async () => {
    const required = await logIn(browser, user)
    expect(required.json()).toMatchObject({ error: 'mfa_required', mfa_requirements: { enroll: [] } })
    const body = { authenticator_types: [KEY] }
    expect((await associate(browser, required.json().mfa_token, body)).json().error).toBe('invalid_request')
    await enrol(softCredential())
    const again = (await logIn(browser, user)).json()
    expect(again.mfa_requirements).toEqual({ challenge: [{ type: KEY }, { type: 'recovery-code' }] })
    const listed = await browser.get('/mfa/authenticators', { headers: bearer(again.mfa_token) })
    expect(JSON.parse(listed.text)).toContainEqual(
      expect.objectContaining({ authenticator_type: KEY, type: KEY, active: true, name: 'Apple Passwords' }),
    )
    expect((await challenge(browser, String(again.mfa_token))).json().error).toBe('unsupported_challenge_type')
  })
})

it('is impossible on a host without TLS: nothing is offered', async () => {
  const { listFactors } = await import('../../../identity/mfa/enrolled')
  const deps = await server.runtime()
  const found = await deps.users.find(userId)
  if (!found) throw new Error('the user is missing')
  expect((await listFactors(found, deps)).enrollable).toEqual([KEY])
  expect((await listFactors(found, { ...deps, baseUrl: 'http://192.0.2.1' })).enrollable).toEqual([])
})
