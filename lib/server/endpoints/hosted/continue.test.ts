// A rule's redirect to another site and the return to /continue (threat-model.md RU5).
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../identity/tenant-code/sandbox/sandbox'
import { testServices, withoutTimeLimit } from '../../../testing/actions'
import { bindAction, postLogin } from '../../../testing/bind-action'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
} from '../../../testing/journey'
import { type Browser, PASSWORD, type TestServer, testServer } from '../../../testing/server'
import { sandboxFiles } from '../../runtime/actions'

const CLAIM = 'https://acme.example/terms'
const tenant = { default_directory: 'Users' }

const TERMS = postLogin(
  `if (event.user.app_metadata.terms) return;
  api.accessToken.setCustomClaim('ran', true); api.idToken.setCustomClaim('${CLAIM}', 'asked');
  api.redirect.sendUserTo('https://terms.example/show', { query: { lang: 'de', state: 'mine' } })`,
  `exports.onContinuePostLogin = async (event, api) => {
    const { agreed } = { ...event.request.query, ...event.request.body };
    if (agreed !== 'yes') return api.access.deny('Terms were not accepted');
    api.user.setAppMetadata('terms', agreed); api.idToken.setCustomClaim('${CLAIM}', JSON.stringify(event.request));
  }`,
)

/** Runs once while a returned response is being judged. */
let meanwhile: (() => Promise<void>) | undefined
const threads = createSandbox({ ...sandboxFiles(process.cwd()), services: testServices(), threads: 2, queueLimit: 64 })
const sandbox = withoutTimeLimit({
  ...threads,
  async run(tenantId, job) {
    const happens = job.handler === 'onContinuePostLogin' ? meanwhile : undefined
    if (happens) meanwhile = undefined
    await happens?.()
    return threads.run(tenantId, job)
  },
})

let server: TestServer
beforeAll(async () => {
  server = await testServer({ sandbox })
  const grants = ['authorization_code', 'refresh_token', 'password']
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: grants } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(async () => {
  threads.close()
  await server.close()
})
beforeEach(async () => {
  server.clock.advance(600)
  await server.database.pool.query(`UPDATE "user" SET app_metadata = '{}'`)
  await bindAction(server, 'post-login', TERMS, { tenant })
})

/** The URL at the other site after the password. */
async function leave(browser: Browser): Promise<URL> {
  return locationOf(await submitPassword(browser, await beginLogin(browser), 'kim@mail.test'))
}
const back = (browser: Browser, state: string | null, extra = {}) =>
  browser.get('/continue', { query: { state: state ?? '', agreed: 'yes', ...extra } })
const stateOf = (url: URL) => url.searchParams.get('state')

describe('a redirect', () => {
  it('redirects with the server’s state, returns, and the login continues with the earlier data', async () => {
    const browser = server.browser()
    const away = await leave(browser)
    expect(away.origin + away.pathname).toBe('https://terms.example/show')
    expect([away.searchParams.get('lang'), away.searchParams.getAll('state')]).toEqual(['de', [stateOf(away)]])
    expect(stateOf(away)).not.toBe('mine')
    const answer = locationOf(await back(browser, stateOf(away), { session_token: 'brought' })).searchParams
    const tokens = (await redeem(browser, answer.get('code') ?? '')).json()
    const expected = String(payloadOf(tokens.id_token)[CLAIM])
    expect(expected).toContain('"agreed":"yes"')
    expect(expected).toContain('"session_token":"brought"')
    const { rows } = await server.database.pool.query('SELECT app_metadata, logins_count FROM "user"')
    expect(rows[0].app_metadata).toEqual({ terms: 'yes' })
  })

  it('comes back by POST too, and by a form of the other site', async () => {
    const browser = server.browser()
    const state = stateOf(await leave(browser)) ?? ''
    const answer = await browser.post('/continue', {
      form: { state, agreed: 'yes' },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    const own = locationOf(answer)
    expect([answer.status, own.pathname, own.searchParams.get('agreed')]).toEqual([303, '/continue', 'yes'])
    const posted = await browser.post('/continue', { form: { state, agreed: 'yes' } })
    expect(locationOf(posted).searchParams.has('code')).toBe(true)
  })

  it('is one that the session leaves by as well', async () => {
    await server.setTenant({ tenant })
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test')
    await bindAction(server, 'post-login', TERMS, { tenant })
    const away = locationOf(await browser.get('/authorize', { query: authorizeQuery() }))
    expect(away.hostname).toBe('terms.example')
    expect(locationOf(await back(browser, stateOf(away))).searchParams.has('code')).toBe(true)
  })

  it('can end in a refusal, which the application receives', async () => {
    const browser = server.browser()
    const answer = await back(browser, stateOf(await leave(browser)), { agreed: 'no' })
    expect(locationOf(answer).searchParams.get('error_description')).toBe('Terms were not accepted')
  })
})

describe('a token of the other site', () => {
  const SIGNED = postLogin(
    `api.redirect.sendUserTo('https://terms.example/show', { query: {
      session_token: api.redirect.encodeToken({ secret: 'shared', payload: {} }) } })`,
    `exports.onContinuePostLogin = async (event, api) => {
      try { const { answer } = api.redirect.validateToken({ secret: 'shared', tokenParameterName: 'answer' });
        api.idToken.setCustomClaim('${CLAIM}', answer) } catch (error) { api.access.deny(error.message) }
    }`,
  )
  const sign = (claims: object, secret: string) => {
    const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const mac = createHmac('sha256', secret).update(signed.join('.')).digest('base64url')
    return [...signed, mac].join('.')
  }
  const bring = async (claims: object, secret = 'shared') => {
    await bindAction(server, 'post-login', SIGNED, { tenant })
    const browser = server.browser()
    const state = stateOf(await leave(browser))
    const exp = Math.floor(server.clock.now().getTime() / 1000) + 60
    const answer = sign({ sub: 'auth0|kim', state, exp, ...claims }, secret)
    return { browser, sent: locationOf(await back(browser, state, { answer })).searchParams }
  }

  it('is believed where it is signed for this user and this login', async () => {
    const { browser, sent } = await bring({ answer: 42 })
    const tokens = (await redeem(browser, sent.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toHaveProperty([CLAIM], 42)
  })

  it.each([
    ['another secret', {}, 'other'],
    ['another user', { sub: 'auth0|eve' }, 'shared'],
    ['another login', { state: 'x' }, 'shared'],
  ])('is not with %s', async (_, claims, secret) => {
    const { sent } = await bring(claims, secret)
    expect(sent.get('error')).toBe('access_denied')
  })
})

describe('a state', () => {
  const refused = (answer: { status: number; text: string; header(name: string): string | undefined | null }) => {
    expect(answer.status).toBe(400)
    expect(answer.header('location')).toBeFalsy()
  }

  it('is good once', async () => {
    const browser = server.browser()
    const state = stateOf(await leave(browser))
    expect(locationOf(await back(browser, state)).searchParams.has('code')).toBe(true)
    refused(await back(browser, state))
  })

  it('is good once, of several at the same time', async () => {
    const browser = server.browser()
    const state = stateOf(await leave(browser))
    const answers = await Promise.all(Array.from({ length: 5 }, () => back(browser, state)))
    const codes = answers.filter((answer) => locationOf(answer).searchParams.has('code'))
    expect(codes).toHaveLength(1)
  })

  it('is judged before the login continues: a concurrent request is redirected again', async () => {
    const slow = postLogin(
      "api.redirect.sendUserTo('https://terms.example/show')",
      'exports.onContinuePostLogin = async () => {}',
    )
    await bindAction(server, 'post-login', slow, { tenant })
    const browser = server.browser()
    const handle = await beginLogin(browser)
    const away = locationOf(await submitPassword(browser, handle, 'kim@mail.test'))
    const urls: URL[] = []
    meanwhile = async () => void urls.push(locationOf(await browser.post('/u/submit', { form: { state: handle } })))
    expect(locationOf(await back(browser, stateOf(away))).searchParams.has('code')).toBe(true)
    const [again = away] = urls
    expect(again.hostname).toBe('terms.example')
    expect(stateOf(again)).not.toBe(stateOf(away))
    refused(await back(browser, stateOf(again)))
  })

  it('is good in the browser that left alone', async () => {
    const state = stateOf(await leave(server.browser()))
    const other = server.browser()
    await beginLogin(other)
    const answer = await back(other, state)
    expect(answer.status).toBe(403)
    expect(answer.header('location')).toBeFalsy()
  })

  it.each(['', 'AAAA', 'x'.repeat(5000)])('an unknown state is refused: %.10s', async (state) => {
    refused(await back(server.browser(), state))
  })

  it('of a page opens nothing here, nor does one of another login', async () => {
    const browser = server.browser()
    refused(await back(browser, await beginLogin(browser)))
  })

  it('is worth nothing once the login is over', async () => {
    const browser = server.browser()
    const state = stateOf(await leave(browser))
    server.clock.advance(3601)
    refused(await back(browser, state))
  })
})

describe('when no browser can be redirected', () => {
  it('prompt=none, a password grant and a refresh get interaction_required', async () => {
    await server.setTenant({ tenant })
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test')
    await bindAction(server, 'post-login', TERMS, { tenant })
    const silent = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(locationOf(silent).searchParams.get('error')).toBe('interaction_required')
    expect((await refresh(browser, tokens.refresh_token)).json().error).toBe('interaction_required')
    const form = { grant_type: 'password', client_id: 'spa', username: 'kim@mail.test', password: PASSWORD }
    expect((await browser.post('/oauth/token', { form })).json().error).toBe('interaction_required')
    await server.setTenant({ tenant })
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it.each(['http://terms.example/', 'javascript:alert(1)', 'https://user@terms.example/', 'https://terms.example/#x'])(
    'to %s is refused',
    async (url) => {
      await bindAction(server, 'post-login', postLogin(`api.redirect.sendUserTo('${url}')`), { tenant })
      const answer = await signIn(server.browser(), 'kim@mail.test')
      expect(answer.get('error')).toBe('access_denied')
    },
  )
})

describe('a method that an action records after the return', () => {
  const METHOD = 'https://terms.example/checked'
  const RECORDS = postLogin(
    `const names = event.authentication.methods.map(({ name }) => name);
    api.idToken.setCustomClaim('${CLAIM}', names);
    if (!names.includes('${METHOD}')) api.redirect.sendUserTo('https://terms.example/show')`,
    `exports.onContinuePostLogin = async (event, api) => api.authentication.recordMethod('${METHOD}')`,
  )

  it('belongs to the session and its tokens, is asked for once, and is no amr', async () => {
    await bindAction(server, 'post-login', RECORDS, { tenant })
    const browser = server.browser()
    const code = locationOf(await back(browser, stateOf(await leave(browser)))).searchParams.get('code') ?? ''
    const first = (await redeem(browser, code)).json()
    expect(payloadOf(first.id_token)[CLAIM]).toEqual(['pwd'])
    const { rows } = await server.database.pool.query(
      'SELECT evidence FROM session WHERE ended_at IS NULL ORDER BY created_at DESC LIMIT 1',
    )
    expect(rows[0].evidence).toMatchObject([{ method: 'pwd', recorded: [{ url: METHOD }] }])
    const again = await browser.get('/authorize', { query: { ...authorizeQuery(), prompt: 'none' } })
    const next = (await redeem(browser, locationOf(again).searchParams.get('code') ?? '')).json()
    expect(payloadOf(next.id_token)[CLAIM]).toEqual(['pwd', METHOD])
    expect(payloadOf(next.id_token).amr).toBeUndefined()
  })

  it('is known at a refresh', async () => {
    await bindAction(server, 'post-login', RECORDS, { tenant })
    const browser = server.browser()
    const away = locationOf(
      await submitPassword(browser, await beginLogin(browser, { scope: 'openid offline_access' }), 'kim@mail.test'),
    )
    const code = locationOf(await back(browser, stateOf(away))).searchParams.get('code') ?? ''
    const { refresh_token } = (await redeem(browser, code)).json()
    const renewed = await refresh(browser, refresh_token)
    expect(payloadOf(renewed.json().id_token)[CLAIM]).toEqual(['pwd', METHOD])
  })
})
