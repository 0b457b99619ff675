// An action that links the account that was just proven, and says whom the login goes on as (threat-model.md AC19). Each action calls a
// service of the test, which links and does what else the test says before it answers.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutgoing } from '../../../adapters/channels/action-network'
import { createSandbox, type Sandbox } from '../../../identity/tenant-code/sandbox/sandbox'
import { createServices } from '../../../identity/tenant-code/services/index'
import { withoutTimeLimit } from '../../../testing/actions'
import { bindAction, bindActions, postLogin } from '../../../testing/bind-action'
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
import { addManager, type Manager } from '../../../testing/management'
import { codeOf, type EnrolledTestUser, enrollApp, MFA_GRANTS, MFA_WEB } from '../../../testing/mfa'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'
import { sandboxFiles } from '../../runtime/actions'

const CLAIM = 'https://acme.example/said'
const KIM = 'auth0|kim'
const ANA = 'ana@mail.test'
const tenant = { default_directory: 'Users' }
const FAILED = ['access_denied', 'An action of this tenant could not be run']
const OF_KIM = '/users/auth0%7Ckim'

let server: TestServer
let sandbox: Sandbox
let door: Server
let manager: Manager
let own = ''
/** What the service does when an action calls it. */
let serve: () => Promise<unknown> = async () => undefined

beforeAll(async () => {
  door = createServer(async (_request, response) => {
    const status = await serve().then(
      () => 200,
      () => 500,
    )
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  own = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const policy = { allowLoopback: false, allowPrivate: false }
  const reach = { inner: [], ownUrl: async () => own, customUrls: async () => [] }
  const services = createServices(createOutgoing({ policy, reach, mark: () => '' }))
  sandbox = createSandbox({ ...sandboxFiles(process.cwd()), services, threads: 2, queueLimit: 50 })
  server = await testServer({ sandbox: withoutTimeLimit(sandbox) })
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, grant_types: ['authorization_code', ...MFA_GRANTS] },
  })
  await server.addClient(MFA_WEB)
  manager = await addManager(server)
})
afterAll(async () => {
  sandbox.close()
  door.close()
  await server.close()
})
beforeEach(async () => {
  server.clock.advance(600)
  await server.setTenant({ tenant })
  await server.database.pool.query(`DELETE FROM "user" WHERE email LIKE '%@mail.test'`)
  await server.addUser({
    id: 'kim',
    email: 'kim@mail.test',
    data: { emailVerified: true, appMetadata: { plan: 'gold' } },
  })
  await server.addUser({ id: 'ana', email: ANA, data: { emailVerified: true, appMetadata: { plan: 'none' } } })
  await server.addUser({ id: 'eve', email: 'eve@mail.test' })
  serve = link
})

const link = async () => {
  const answer = await manager.post(`${OF_KIM}/identities`, { provider: 'auth0', user_id: 'ana' })
  if (answer.status !== 201) throw new Error(answer.text)
}
const unlink = () => manager.remove(`${OF_KIM}/identities/auth0/ana`)

/** Links Ana's account to Kim, and goes on as `id`; what follows is of whom the login is for then. */
const linking = (id = KIM, after = '') =>
  postLogin(`
    if (event.user.user_id === 'auth0|ana') { await fetch('${own}'); api.authentication.setPrimaryUser('${id}'); ${after} }
    api.idToken.setCustomClaim('${CLAIM}', [event.user.user_id, event.user.app_metadata.plan, event.user.identities.length])`)
const at = (code = linking(), settings = {}) => bindAction(server, 'post-login', code, { tenant, ...settings })
const errorOf = (answer: URLSearchParams) => [answer.get('error'), answer.get('error_description')]
const silently = async (browser = server.browser()) =>
  locationOf(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })).searchParams
const denied = async () => {
  const browser = server.browser()
  expect(errorOf(await signIn(browser, ANA))).toEqual(FAILED)
  expect(errorOf(await silently(browser))[0]).toBe('login_required')
  const { rows } = await server.database.pool.query(
    'SELECT 1 FROM session WHERE ended_at IS NULL AND created_at = $1',
    [server.clock.now()],
  )
  expect(rows).toEqual([])
}
const byPassword = () => {
  const form = { grant_type: 'password', client_id: 'spa', username: ANA, password: PASSWORD }
  return server.browser().post('/oauth/token', { form: { ...form, scope: 'openid offline_access' } })
}

describe('a login whose action linked the account that was proven', () => {
  it('goes on as the user who has the account now, for whom all actions run', async () => {
    await at()
    const browser = server.browser()
    const tokens = await signInForTokens(browser, ANA)
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: KIM, [CLAIM]: [KIM, 'gold', 2] })
    const again = payloadOf((await redeem(browser, (await silently(browser)).get('code') ?? '')).json().id_token)
    expect(again.sub).toBe(KIM)
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(200)
  })

  it('keeps what the action set after that, and nothing of the former user', async () => {
    const code = linking(
      KIM,
      "api.user.setAppMetadata('linked', true); api.idToken.setCustomClaim('https://a.test/after', 1)",
    )
    const before = postLogin(
      "if (event.user.user_id === 'auth0|ana') { api.user.setAppMetadata('plan', 'lost'); api.idToken.setCustomClaim('https://a.test/before', 1) }",
    )
    await bindActions(server, 'post-login', [before, code], { tenant })
    const claims = payloadOf((await signInForTokens(server.browser(), ANA)).id_token)
    expect(claims).toMatchObject({ sub: KIM, 'https://a.test/after': 1 })
    expect(claims).not.toHaveProperty('https://a.test/before')
    expect((await manager.get(OF_KIM)).json().app_metadata).toEqual({ plan: 'gold', linked: true })
  })

  it('goes on after a redirect, for which it is stored', async () => {
    const away = postLogin(
      "if (event.user.user_id === 'auth0|ana') api.redirect.sendUserTo('https://link.test')",
      `exports.onContinuePostLogin = async (event, api) => { await fetch('${own}'); api.authentication.setPrimaryUser('${KIM}') }`,
    )
    await at(away)
    const browser = server.browser()
    const left = locationOf(await submitPassword(browser, await beginLogin(browser), ANA))
    const back = await browser.get('/continue', { query: { state: left.searchParams.get('state') ?? '' } })
    const answer = await redeem(browser, locationOf(back).searchParams.get('code') ?? '')
    expect(payloadOf(answer.json().id_token).sub).toBe(KIM)
    const late = await browser.get('/continue', { query: { state: left.searchParams.get('state') ?? '' } })
    expect(late.status).toBeGreaterThanOrEqual(400)
  })

  it('goes on by a password grant', async () => {
    await at()
    expect(payloadOf((await byPassword()).json().id_token)).toMatchObject({ sub: KIM, [CLAIM]: [KIM, 'gold', 2] })
  })

  it('asks for a new sign-in at single sign-on, where linking has ended the session', async () => {
    const browser = server.browser()
    await signIn(browser, ANA)
    await at()
    expect(errorOf(await silently(browser))[0]).toBe('login_required')
    expect(payloadOf((await signInForTokens(browser, ANA)).id_token).sub).toBe(KIM)
  })

  it('may name the user whom it is for already', async () => {
    await at(postLogin('api.authentication.setPrimaryUser(event.user.user_id)'))
    expect(payloadOf((await signInForTokens(server.browser(), ANA)).id_token).sub).toBe('auth0|ana')
  })
})

describe('the requirements of the user whom the login goes on as', () => {
  it('include that user’s second factor, which one of the former user is not', async () => {
    const factors = {
      guardianFactors: [{ name: 'otp', enabled: true }],
      guardianPolicies: { policies: ['all-applications'] },
    }
    await server.setTenant({ tenant, ...factors })
    const apps = {
      kim: await enrollApp(server, server.browser(), 'kim@mail.test'),
      ana: await enrollApp(server, server.browser(), ANA),
    }
    await at(linking(), factors)
    const browser = server.browser()
    const state = await beginLogin(browser)
    const prove = async (app: EnrolledTestUser) =>
      locationOf(
        await browser.post('/u/submit', { form: { state, action: 'mfa-verify', code: codeOf(server, app.secret) } }),
      )
    expect(locationOf(await submitPassword(browser, state, ANA)).href).toContain('/u/mfa-challenge')
    expect((await prove(apps.ana)).pathname).toBe('/u/mfa-challenge')
    expect(errorOf(await silently(browser))[0]).toBe('login_required')
    server.clock.advance(60)
    expect((await prove(apps.ana)).pathname).toBe('/u/mfa-challenge')
    const code = (await prove(apps.kim)).searchParams.get('code') ?? ''
    expect(payloadOf((await redeem(browser, code)).json().id_token)).toMatchObject({
      sub: KIM,
      [CLAIM]: [KIM, 'gold', 2],
    })
  })

  it('include the actions before the one that linked', async () => {
    await bindActions(
      server,
      'post-login',
      [postLogin("if (event.user.app_metadata.plan === 'gold') api.access.deny('Not with gold')"), linking()],
      { tenant },
    )
    expect(errorOf(await signIn(server.browser(), ANA))).toEqual(['access_denied', 'Not with gold'])
  })
})

describe('no login goes on as another user', () => {
  it.each([
    ['who has not the account', 'auth0|eve', async () => undefined],
    ['who has not the account, after it was linked to a third one', 'auth0|eve', () => link()],
    ['who does not exist', 'auth0|nobody', () => link()],
    ['whose link was removed meanwhile', KIM, () => link().then(unlink)],
    ['who is blocked', KIM, () => link().then(() => manager.patch(OF_KIM, { blocked: true }))],
    [
      'who was signed out everywhere meanwhile',
      KIM,
      () => link().then(() => manager.post(`${OF_KIM}/revoke-access`, {})),
    ],
    ['who was deleted meanwhile', KIM, () => link().then(() => manager.remove(OF_KIM))],
  ])('a user is refused: %s', async (_who, id, does) => {
    serve = async () => {
      server.clock.advance(1)
      await does()
    }
    await at(linking(id))
    await denied()
    serve = async () => undefined
  })

  it('a second change of the primary user fails the login', async () => {
    await at(
      postLogin(`
        if (event.user.user_id === 'auth0|ana') { await fetch('${own}'); api.authentication.setPrimaryUser('${KIM}') }
        else api.authentication.setPrimaryUser('auth0|eve')`),
    )
    await denied()
  })

  it.each([
    'api.authentication.setPrimaryUser()',
    'api.authentication.setPrimaryUser(1)',
    "api.authentication.setPrimaryUser('auth0|eve').authentication.setPrimaryUser('auth0|kim')",
    "api.authentication.setPrimaryUser('auth0|kim').redirect.sendUserTo('https://link.test')",
    "api.redirect.sendUserTo('https://link.test').authentication.setPrimaryUser('auth0|kim')",
  ])('the login fails after %s', async (call) => {
    await at(postLogin(call))
    expect(errorOf(await signIn(server.browser(), ANA))).toEqual(FAILED)
  })

  it('a refresh fails after a change of the primary user', async () => {
    const { refresh_token } = (await byPassword()).json()
    await at()
    expect((await refresh(server.browser(), refresh_token)).json().error).toBe('access_denied')
  })

  it.each([
    ['then', () => linking(KIM, "api.access.deny('No')")],
    ['before that', () => linking().replace('api.authentication', "api.access.deny('No'); api.authentication")],
  ])('the login fails where the action denies %s', async (_when, code) => {
    await at(code())
    expect(errorOf(await signIn(server.browser(), ANA))).toEqual(['access_denied', 'No'])
  })
})

describe('while the link is removed', () => {
  it('either the login is refused, or its code is worth nothing', async () => {
    let removed: ReturnType<typeof unlink> | undefined
    serve = async () => {
      await link()
      server.clock.advance(1)
      removed = unlink()
    }
    await at()
    const browser = server.browser()
    const answer = await signIn(browser, ANA)
    expect((await removed)?.status).toBe(200)
    const code = answer.get('code')
    if (code !== null) expect((await redeem(browser, code)).json().error).toBe('invalid_grant')
    expect(errorOf(await silently(browser))[0]).toBe('login_required')
  })
})
