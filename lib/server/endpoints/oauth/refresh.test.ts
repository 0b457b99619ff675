import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  userinfo,
  WEB,
  webCredentials,
} from '../../../testing/journey'
import { type Browser, type TestRequest, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const UNKNOWN = [403, { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' }]
const outcome = (answer: TestResponse) => [answer.status, answer.json()]

let server: TestServer
let browser: Browser

const spa = (clientId: string, refresh_token: Record<string, unknown>) => ({
  clientId,
  settings: { ...SPA.settings, refresh_token },
})

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(WEB)
  await server.addClient(spa('strict', { leeway: 0 }))
  await server.addClient(spa('short', { token_lifetime: 1000, idle_token_lifetime: 400 }))
  await server.addClient({
    ...WEB,
    clientId: 'fixed',
    settings: { ...WEB.settings, refresh_token: { rotation_type: 'non-rotating' } },
  })
  await server.addApi('https://api.test', {
    scopes: [{ value: 'read:things' }, { value: 'write:things' }],
    allow_offline_access: true,
  })
  await server.addApi('https://online.test', { scopes: [{ value: 'read:things' }] })
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim' } })
  browser = server.browser()
})
afterAll(() => server.close())

const tokensOf = async (client_id = 'spa', extra: Record<string, string> = {}): Promise<Record<string, unknown>> => {
  const code = (await signIn(server.browser(), 'kim@mail.test', { client_id, ...extra })).get('code') ?? ''
  return (await redeem(browser, code, { client_id })).json()
}
const webTokens = async (client_id = 'web'): Promise<Record<string, unknown>> => {
  const redirect_uri = 'https://web.test/cb'
  const code = (await signIn(server.browser(), 'kim@mail.test', { client_id, redirect_uri })).get('code') ?? ''
  return (await redeem(browser, code, { ...webCredentials(), client_id })).json()
}

describe('refreshing', () => {
  it.each([
    ['a form', (form: Record<string, string>): TestRequest => ({ form })],
    ['JSON', (json: Record<string, string>): TestRequest => ({ json })],
  ])('takes %s and gives a whole new set', async (_name, encode) => {
    const tokens = await tokensOf()
    const sent = {
      grant_type: 'refresh_token',
      client_id: 'spa',
      refresh_token: String(tokens.refresh_token),
      redirect_uri: 'x',
    }
    const again = (await browser.post('/oauth/token', encode(sent))).json()
    expect(again).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86400,
      scope: 'openid profile email offline_access',
    })
    for (const name of ['access_token', 'refresh_token']) expect(again[name]).not.toBe(tokens[name])
  })

  it('keeps user, session and authentication time, and drops the nonce', async () => {
    const tokens = await tokensOf('spa', { max_age: '1000' })
    server.clock.advance(60)
    const [before, after] = [tokens, (await refresh(browser, tokens.refresh_token)).json()].map(({ id_token }) =>
      payloadOf(id_token),
    )
    for (const name of ['sub', 'sid', 'aud', 'auth_time']) expect(after?.[name], name).toBe(before?.[name])
    expect(after?.iat).toBe(Number(before?.iat) + 60)
    expect(after).not.toHaveProperty('nonce')
  })

  it('returns the user’s current name', async () => {
    const tokens = await tokensOf()
    await server.database.pool.query(`UPDATE "user" SET name = 'Kim Renamed' WHERE id = 'auth0|kim'`)
    expect(payloadOf((await refresh(browser, tokens.refresh_token)).json().id_token).name).toBe('Kim Renamed')
  })

  it('may narrow the scope, for this once, and drops the claims with it', async () => {
    const tokens = await tokensOf()
    const narrow = (await refresh(browser, tokens.refresh_token, { scope: 'openid' })).json()
    expect(narrow.scope).toBe('openid')
    expect(payloadOf(narrow.id_token)).not.toHaveProperty('email')
    expect((await userinfo(browser, narrow.access_token)).json()).toEqual({ sub: 'auth0|kim' })
    expect((await refresh(browser, narrow.refresh_token)).json().scope).toBe('openid profile email offline_access')
  })

  it('may not widen it, and a refused attempt spends nothing (threat-model.md RT5)', async () => {
    const tokens = await tokensOf('spa', { audience: 'https://api.test', scope: 'openid offline_access read:things' })
    const answer = await refresh(browser, tokens.refresh_token, { scope: 'openid write:things' })
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_scope'])
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it.each<[string, Record<string, string>, string, string]>([
    ['without an API', {}, 'openid no:such', 'openid'],
    ['of another API', {}, 'openid read:things', 'openid'],
    [
      'with an API',
      { audience: 'https://api.test', scope: 'offline_access read:things' },
      'read:things no:such',
      'read:things',
    ],
  ])('drops a scope that does not exist, as /authorize does: %s', async (_name, extra, scope, given) => {
    const tokens = await tokensOf('spa', extra)
    const answer = await refresh(browser, tokens.refresh_token, { scope })
    expect([answer.status, answer.json().scope]).toEqual([200, given])
    const again = await refresh(browser, tokens.refresh_token, { scope })
    expect([again.status, again.json().refresh_token]).toEqual([200, answer.json().refresh_token])
    expect((await refresh(browser, answer.json().refresh_token)).json().scope).toBe(tokens.scope)
  })

  it('gives no scope where none of the requested ones exists', async () => {
    const tokens = await tokensOf()
    const answer = (await refresh(browser, tokens.refresh_token, { scope: 'no:such' })).json()
    expect(answer).not.toHaveProperty('id_token')
    expect((await userinfo(browser, answer.access_token)).status).toBe(403)
  })

  it('refuses a scope that exists beside one that does not, and spends nothing', async () => {
    const tokens = await tokensOf('spa', { audience: 'https://api.test', scope: 'openid offline_access read:things' })
    const answer = await refresh(browser, tokens.refresh_token, { scope: 'no:such write:things' })
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_scope'])
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it('keeps the audience', async () => {
    const tokens = await tokensOf('spa', { audience: 'https://api.test', scope: 'offline_access read:things' })
    const again = (await refresh(browser, tokens.refresh_token, { audience: 'https://online.test' })).json()
    expect(payloadOf(again.access_token).aud).toBe('https://api.test')
  })
})

describe('a refresh token is given', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['with offline_access', {}, true],
    ['not without it', { scope: 'openid' }, false],
    ['with an API that allows it', { audience: 'https://api.test' }, true],
    ['not with an API that does not', { audience: 'https://online.test' }, false],
  ])('a refresh token is issued %s: %o', async (_name, extra, given) => {
    expect('refresh_token' in (await tokensOf('spa', extra))).toBe(given)
  })
})

describe('an invalid refresh token', () => {
  it.each(['x', 'v1.AAAA', 'v1.', 'at1.AAAA', 'eyJhbGciOiJub25lIn0.e30.', "' OR 1=1"])(
    'the invalid refresh token %s gets the common answer',
    async (token) => {
      expect(outcome(await refresh(browser, token))).toEqual(UNKNOWN)
    },
  )

  it('an access token, an ID token and a code get the common answer', async () => {
    const tokens = await tokensOf()
    const code = (await signIn(server.browser(), 'kim@mail.test')).get('code')
    for (const token of [tokens.access_token, tokens.id_token, code])
      expect(outcome(await refresh(browser, token))).toEqual(UNKNOWN)
  })

  it('one of another client, which it does not end', async () => {
    const tokens = await tokensOf()
    expect(outcome(await refresh(browser, tokens.refresh_token, { client_id: 'strict' }))).toEqual(UNKNOWN)
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it('one of a confidential client that does not prove itself', async () => {
    const { refresh_token } = await webTokens()
    for (const credentials of [{ client_id: 'web' }, webCredentials('wrong')]) {
      expect((await refresh(browser, refresh_token, credentials)).status).toBe(401)
    }
    expect((await refresh(browser, refresh_token, webCredentials())).status).toBe(200)
  })

  it('a token whose user is deleted gets the common answer', async () => {
    await server.addUser({ id: 'gone', email: 'gone@mail.test' })
    const tokens = await signInForTokens(server.browser(), 'gone@mail.test')
    await server.database.pool.query(`DELETE FROM "user" WHERE id = 'auth0|gone'`)
    const answer = await refresh(browser, tokens.refresh_token)
    const sentence = "The refresh_token was generated for a user who doesn't exist anymore."
    expect(outcome(answer)).toEqual([403, { error: 'invalid_grant', error_description: sentence }])
    expect(outcome(await refresh(browser, tokens.refresh_token, { client_id: 'strict' }))).toEqual(UNKNOWN)
    expect((await userinfo(browser, tokens.access_token)).status).toBe(401)
  })

  it('a token whose user is blocked says so', async () => {
    await server.addUser({ id: 'ann', email: 'ann@mail.test' })
    const tokens = await signInForTokens(server.browser(), 'ann@mail.test')
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE id = 'auth0|ann'`)
    expect((await refresh(browser, tokens.refresh_token)).json()).toEqual({
      error: 'invalid_grant',
      error_description: 'user is blocked',
    })
    expect((await userinfo(browser, tokens.access_token)).status).toBe(401)
    server.clock.advance(3600)
    await server.database.pool.query(`UPDATE "user" SET blocked = false WHERE id = 'auth0|ann'`)
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it('a missing refresh token is named', async () => {
    const answer = await browser.post('/oauth/token', { form: { grant_type: 'refresh_token', client_id: 'spa' } })
    expect(outcome(answer)).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Missing required parameter: refresh_token' },
    ])
  })
})

describe('reuse (threat-model.md RT2, RE2)', () => {
  it('within the leeway gives the same successor: a racing tab or a lost answer breaks nothing', async () => {
    const tokens = await tokensOf()
    const first = (await refresh(browser, tokens.refresh_token)).json()
    server.clock.advance(14)
    const second = (await refresh(browser, tokens.refresh_token)).json()
    expect(second.refresh_token).toBe(first.refresh_token)
    expect((await refresh(browser, first.refresh_token)).status).toBe(200)
  })

  it('a reuse after the leeway ends the family, access tokens included', async () => {
    const tokens = await tokensOf()
    const next = (await refresh(browser, tokens.refresh_token)).json()
    server.clock.advance(15)
    expect(outcome(await refresh(browser, tokens.refresh_token))).toEqual(UNKNOWN)
    expect(outcome(await refresh(browser, next.refresh_token))).toEqual(UNKNOWN)
    for (const { access_token } of [tokens, next]) expect((await userinfo(browser, access_token)).status).toBe(401)
  })

  it('a reuse within the leeway, after the successor was used, refuses that token alone', async () => {
    const tokens = await tokensOf()
    const second = (await refresh(browser, tokens.refresh_token)).json()
    server.clock.advance(5)
    const third = (await refresh(browser, second.refresh_token)).json()
    server.clock.advance(5)
    const fourth = (await refresh(browser, third.refresh_token)).json()
    expect(outcome(await refresh(browser, tokens.refresh_token))).toEqual(UNKNOWN)
    expect(outcome(await refresh(browser, second.refresh_token))).toEqual(UNKNOWN)
    expect((await refresh(browser, third.refresh_token)).json().refresh_token).toBe(fourth.refresh_token)
    expect((await userinfo(browser, tokens.access_token)).status).toBe(200)
    expect((await refresh(browser, fourth.refresh_token)).status).toBe(200)
  })

  it('counts the leeway of each token from its own rotation', async () => {
    const tokens = await tokensOf()
    const second = (await refresh(browser, tokens.refresh_token)).json()
    server.clock.advance(10)
    const third = (await refresh(browser, second.refresh_token)).json()
    server.clock.advance(5)
    expect(outcome(await refresh(browser, tokens.refresh_token))).toEqual(UNKNOWN)
    for (const { refresh_token } of [second, third])
      expect(outcome(await refresh(browser, refresh_token))).toEqual(UNKNOWN)
    expect((await userinfo(browser, third.access_token)).status).toBe(401)
  })

  it('ends the family where too many rotations followed within the leeway', async () => {
    const tokens = await tokensOf()
    let newest = tokens
    for (let i = 0; i < 19; i++) newest = (await refresh(browser, newest.refresh_token)).json()
    expect(outcome(await refresh(browser, tokens.refresh_token))).toEqual(UNKNOWN)
    expect(outcome(await refresh(browser, newest.refresh_token))).toEqual(UNKNOWN)
  })

  it('refuses an older token of a client that does not rotate any more, and gives no successor', async () => {
    await server.addClient({ ...WEB, clientId: 'changing' })
    const credentials = { ...webCredentials(), client_id: 'changing' }
    const tokens = await webTokens('changing')
    const next = (await refresh(browser, tokens.refresh_token, credentials)).json()
    await server.addClient({
      ...WEB,
      clientId: 'changing',
      settings: { ...WEB.settings, refresh_token: { rotation_type: 'non-rotating' } },
    })
    expect(outcome(await refresh(browser, tokens.refresh_token, credentials))).toEqual(UNKNOWN)
    expect((await refresh(browser, next.refresh_token, credentials)).status).toBe(200)
  })

  it('a reuse with leeway 0 ends the family at once', async () => {
    const tokens = await tokensOf('strict')
    const next = (await refresh(browser, tokens.refresh_token, { client_id: 'strict' })).json()
    expect(outcome(await refresh(browser, tokens.refresh_token, { client_id: 'strict' }))).toEqual(UNKNOWN)
    expect(outcome(await refresh(browser, next.refresh_token, { client_id: 'strict' }))).toEqual(UNKNOWN)
  })

  it('is not hidden by asking for too much', async () => {
    const tokens = await tokensOf()
    const next = (await refresh(browser, tokens.refresh_token)).json()
    server.clock.advance(20)
    expect(outcome(await refresh(browser, tokens.refresh_token, { scope: 'admin' }))).toEqual(UNKNOWN)
    expect(outcome(await refresh(browser, next.refresh_token))).toEqual(UNKNOWN)
  })

  it('ends no other family of the same user', async () => {
    const [stolen, other] = [await tokensOf(), await tokensOf()]
    await refresh(browser, stolen.refresh_token)
    server.clock.advance(20)
    await refresh(browser, stolen.refresh_token)
    expect((await refresh(browser, other.refresh_token)).status).toBe(200)
  })
})

describe('lifetimes (threat-model.md RT1)', () => {
  const again = (token: unknown) => refresh(browser, token, { client_id: 'short' })

  it('idle: a token that was not used in time is worth nothing', async () => {
    const { refresh_token } = await tokensOf('short')
    server.clock.advance(400)
    expect(outcome(await again(refresh_token))).toEqual(UNKNOWN)
  })

  it('absolute: rotating does not extend it', async () => {
    let { refresh_token } = await tokensOf('short')
    for (const wait of [399, 399]) {
      server.clock.advance(wait)
      refresh_token = (await again(refresh_token)).json().refresh_token
    }
    server.clock.advance(202)
    expect(outcome(await again(refresh_token))).toEqual(UNKNOWN)
  })
})

it('keeps one token for a confidential client that does not rotate, and gives none back', async () => {
  const { refresh_token } = await webTokens('fixed')
  const credentials = { ...webCredentials(), client_id: 'fixed' }
  for (let i = 0; i < 3; i++) {
    server.clock.advance(60)
    const answer = await refresh(browser, refresh_token, credentials)
    expect(answer.status).toBe(200)
    expect(answer.json()).not.toHaveProperty('refresh_token')
  }
})

describe('POST /oauth/revoke (RFC 7009)', () => {
  const revoke = (ask: TestRequest) => browser.post('/oauth/revoke', ask)
  const sent = (token: unknown, extra: Record<string, string> = {}) => ({
    client_id: 'spa',
    token: String(token),
    ...extra,
  })

  it.each([
    ['a form', (form: Record<string, string>): TestRequest => ({ form })],
    ['JSON', (json: Record<string, string>): TestRequest => ({ json })],
  ])('takes %s, answers 200 without a body and ends everything (threat-model.md RT6)', async (_name, encode) => {
    const tokens = await tokensOf()
    const next = (await refresh(browser, tokens.refresh_token)).json()
    const answer = await revoke(encode(sent(next.refresh_token, { token_type_hint: 'refresh_token' })))
    expect([answer.status, answer.text, answer.header('cache-control')]).toEqual([200, '', 'no-store'])
    expect(outcome(await refresh(browser, next.refresh_token))).toEqual(UNKNOWN)
    for (const { access_token } of [tokens, next]) expect((await userinfo(browser, access_token)).status).toBe(401)
  })

  it('ends the whole grant: every token of the same user, client and audience, and no other', async () => {
    const [one, two, api, other] = [
      await tokensOf(),
      await tokensOf(),
      await tokensOf('spa', { audience: 'https://api.test' }),
      await tokensOf('strict'),
    ]
    await revoke({ form: sent(one.refresh_token) })
    expect(outcome(await refresh(browser, two.refresh_token))).toEqual(UNKNOWN)
    expect((await refresh(browser, api.refresh_token)).status).toBe(200)
    expect((await refresh(browser, other.refresh_token, { client_id: 'strict' })).status).toBe(200)
  })

  it('works with a token that was rotated away', async () => {
    const tokens = await tokensOf()
    const next = (await refresh(browser, tokens.refresh_token)).json()
    await revoke({ form: sent(tokens.refresh_token) })
    expect(outcome(await refresh(browser, next.refresh_token))).toEqual(UNKNOWN)
  })

  it.each(['unknown', 'v1.AAAA', 'at1.AAAA', 'a.b.c'])('answers 200 to %s, which is no token', async (token) => {
    expect((await revoke({ form: sent(token) })).status).toBe(200)
  })

  it('answers 200 to a token of another client, and ends nothing', async () => {
    const tokens = await tokensOf()
    expect((await revoke({ form: sent(tokens.refresh_token, { client_id: 'strict' }) })).status).toBe(200)
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it('requires client authentication, and otherwise ends nothing', async () => {
    const { refresh_token } = await webTokens()
    for (const credentials of [
      { client_id: 'web' },
      webCredentials('wrong'),
      { client_id: 'nobody' },
      { client_id: '' },
    ]) {
      const answer = await revoke({ form: sent(refresh_token, credentials) })
      expect(outcome(answer)).toEqual([401, { error: 'invalid_client', error_description: 'Unauthorized' }])
    }
    expect((await refresh(browser, refresh_token, webCredentials())).status).toBe(200)
  })

  it('names a missing token', async () => {
    const answer = await revoke({ form: { client_id: 'spa' } })
    expect(outcome(answer)).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Missing required parameter: token' },
    ])
  })
})

it('leaves nothing alive that was minted while its grant was being revoked (threat-model.md RT4)', async () => {
  for (let round = 0; round < 10; round++) {
    const { refresh_token: token } = await signInForTokens(browser, 'kim@mail.test')
    const racing = [refresh(browser, token), refresh(browser, token), refresh(browser, token)]
    const revoked = browser.post('/oauth/revoke', { form: { client_id: 'spa', token: String(token) } })
    const minted = (await Promise.all(racing)).filter((answer) => answer.status === 200).map((answer) => answer.json())
    expect((await revoked).status).toBe(200)
    for (const tokens of minted) {
      expect(outcome(await refresh(browser, tokens.refresh_token))).toEqual(UNKNOWN)
      expect((await userinfo(browser, tokens.access_token)).status).toBe(401)
    }
  }
})
