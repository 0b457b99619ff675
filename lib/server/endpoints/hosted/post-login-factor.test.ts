// A second factor required by a tenant's action: proven on the pages and over the API, with the action run once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindAction, postLogin } from '../../../testing/bind-action'
import { authorizeQuery, locationOf, payloadOf, submitPassword } from '../../../testing/journey'
import {
  codeOf,
  type EnrolledTestUser,
  enrollApp,
  MFA_WEB,
  mfaToken,
  OTP,
  token,
  WEB_SECRET,
} from '../../../testing/mfa'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

const CLAIM = 'https://acme.example/methods'
const SETTINGS = {
  tenant: { default_directory: 'Users' },
  guardianFactors: ['otp', 'recovery-code'].map((name) => ({ name, enabled: true })),
}
const SAYS = `api.idToken.setCustomClaim('${CLAIM}', event.authentication.methods.map((each) => each.name))`

let server: TestServer
let app: EnrolledTestUser

const at = (body: string) => bindAction(server, 'post-login', postLogin(body), SETTINGS)

beforeAll(async () => {
  server = await testServer()
  await server.addClient(MFA_WEB)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  await at(`api.multifactor.enable('any')`)
  app = await enrollApp(server, server.browser(), 'kim@mail.test')
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(120))

const query = { client_id: 'web', redirect_uri: 'https://web.test/cb', scope: 'openid', code_challenge: undefined }

/** On the pages, up to the response to the code. */
async function throughPages(code = codeOf(server, app.secret)) {
  const browser = server.browser()
  const started = await browser.get('/authorize', {
    query: authorizeQuery({ ...query, code_challenge_method: undefined }),
  })
  const state = locationOf(started).searchParams.get('state') ?? ''
  const challengeUrl = locationOf(await submitPassword(browser, state, 'kim@mail.test'))
  const answer = await browser.post('/u/submit', { form: { state, action: 'mfa-verify', code } })
  return { browser, path: challengeUrl.pathname, answer: locationOf(answer) }
}

const tokensFor = async (browser: ReturnType<TestServer['browser']>, code: string | null) =>
  (
    await browser.post('/oauth/token', {
      form: { ...WEB_SECRET, grant_type: 'authorization_code', redirect_uri: 'https://web.test/cb', code: code ?? '' },
    })
  ).json()

describe.each([
  ['multifactor.enable', `${SAYS}; api.multifactor.enable('any')`],
  ['authentication.challengeWith', `${SAYS}; api.authentication.challengeWith({ type: 'otp' })`],
])('%s', (_, body) => {
  it('is answered on the pages; what the action said before is kept', async () => {
    await at(body)
    const { browser, path, answer } = await throughPages()
    expect(path).toBe('/u/mfa-challenge')
    const tokens = await tokensFor(browser, answer.searchParams.get('code'))
    expect(payloadOf(tokens.id_token)).toMatchObject({ [CLAIM]: ['pwd'], amr: expect.arrayContaining(['mfa']) })
  })

  it('is not passed by a wrong answer', async () => {
    await at(body)
    const { answer } = await throughPages('000000')
    expect(answer.pathname).toBe('/u/mfa-challenge')
  })

  it('is answered over the API', async () => {
    await at(body)
    const browser = server.browser()
    const mfa_token = await mfaToken(browser, 'kim@mail.test')
    expect((await token(browser, { grant_type: OTP, mfa_token, otp: '000000' })).json().error).toBe('invalid_grant')
    const tokens = (await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, app.secret) })).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ [CLAIM]: ['pwd'], amr: expect.arrayContaining(['mfa']) })
  })

  it('is not required of a session that has proven one', async () => {
    await at(body)
    const { browser } = await throughPages()
    const again = locationOf(
      await browser.get('/authorize', { query: authorizeQuery({ ...query, code_challenge_method: undefined }) }),
    )
    const tokens = await tokensFor(browser, again.searchParams.get('code'))
    expect(payloadOf(tokens.id_token)).toHaveProperty([CLAIM], ['pwd', 'mfa'])
  })
})

it('runs once, even if the login continues over several pages, and writes metadata once', async () => {
  await at(`api.user.setAppMetadata('runs', (event.user.app_metadata.runs ?? 0) + 1); api.multifactor.enable('any')`)
  const { answer } = await throughPages()
  expect(answer.searchParams.has('code')).toBe(true)
  const { rows } = await server.database.pool.query(`SELECT app_metadata FROM "user" WHERE id = 'auth0|kim'`)
  expect(rows[0].app_metadata).toEqual({ runs: 1 })
})

describe('a challenge by a factor that the user does not have', () => {
  const refusalOf = async (user: string) => {
    const browser = server.browser()
    const started = await browser.get('/authorize', {
      query: authorizeQuery({ ...query, code_challenge_method: undefined }),
    })
    const state = locationOf(started).searchParams.get('state') ?? ''
    return locationOf(await submitPassword(browser, state, user)).searchParams.get('error')
  }

  it('is refused, without an offer to enrol one with the password alone', async () => {
    await at(`api.authentication.challengeWith({ type: 'otp' })`)
    expect(await refusalOf('lee@mail.test')).toBe('access_denied')
    const form = { ...WEB_SECRET, grant_type: 'password', username: 'lee@mail.test', password: PASSWORD }
    const answer = (await server.browser().post('/oauth/token', { form })).json()
    expect([answer.error, answer.mfa_token]).toEqual(['access_denied', undefined])
  })

  it('is not met by having another', async () => {
    await at(`api.authentication.challengeWithAny([{ type: 'phone' }, { type: 'email' }])`)
    expect(await refusalOf('kim@mail.test')).toBe('access_denied')
    await at(`api.authentication.challengeWithAny([{ type: 'phone' }, { type: 'otp' }])`)
    expect(await refusalOf('kim@mail.test')).toBeNull()
  })
})
