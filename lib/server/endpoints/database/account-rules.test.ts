// The tenant's actions for accounts: before and after creation, after a password change, before a message.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindAction } from '../../../testing/bind-action'
import { beginLogin, locationOf, SPA } from '../../../testing/journey'
import { messagesTo } from '../../../testing/passwordless'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  const grant_types = ['authorization_code', 'http://auth0.com/oauth/grant-type/passwordless/otp']
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types } })
  await server.addConnection('email', {}, 'con_email', 'email')
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(600))

const atRegistration = (body: string) =>
  bindAction(
    server,
    'pre-user-registration',
    `exports.onExecutePreUserRegistration = async (event, api) => { ${body} }`,
  )
const signUp = (email: string) =>
  server.browser().post('/dbconnections/signup', {
    json: { client_id: 'spa', connection: 'Users', email, password: PASSWORD, user_metadata: { plan: 'free' } },
  })
const userOf = async (email: string) =>
  (await server.database.pool.query('SELECT user_metadata, app_metadata FROM "user" WHERE email = $1', [email])).rows[0]

describe('pre-user-registration', () => {
  it('gives a newcomer metadata', async () => {
    await atRegistration(`
      api.user.setUserMetadata('seen', event.user.email); api.user.setAppMetadata('by', event.client.client_id);
      api.user.setAppMetadata('given', Object.keys(event.user).join())`)
    expect((await signUp('new@mail.test')).status).toBe(200)
    expect(await userOf('new@mail.test')).toEqual({
      user_metadata: { plan: 'free', seen: 'new@mail.test' },
      app_metadata: { by: 'spa', given: expect.not.stringMatching(/password|user_id/) },
    })
  })

  it('refuses a sign-up, with messages for the application and for the user', async () => {
    await atRegistration(`api.access.deny('not_invited', 'Only by invitation')`)
    expect((await signUp('other@mail.test')).json()).toMatchObject({
      code: 'extensibility_error',
      description: 'not_invited',
      friendly_message: 'Only by invitation',
      statusCode: 400,
    })
    const browser = server.browser()
    const state = await beginLogin(browser)
    await browser.get('/u/signup', { query: { state } })
    const form = { state, action: 'sign-up', email: 'other@mail.test', password: PASSWORD }
    const page = await browser.get(locationOf(await browser.post('/u/submit', { form })).href)
    expect(page.text).toContain('Only by invitation')
    expect(await userOf('other@mail.test')).toBeUndefined()
  })

  it('says the same of an address that is taken', async () => {
    await atRegistration(`api.access.deny('not_invited', 'Only by invitation')`)
    const [taken, free] = [await signUp('kim@mail.test'), await signUp('free@mail.test')]
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
  })

  it('refuses where it fails', async () => {
    await atRegistration(`throw new Error('broken')`)
    expect((await signUp('third@mail.test')).json().code).toBe('extensibility_error')
    expect(await userOf('third@mail.test')).toBeUndefined()
  })
})

describe('pre-user-registration at a first login by code', () => {
  const send = async (email: string) => {
    const browser = server.browser()
    await browser.post('/passwordless/start', { json: { client_id: 'spa', connection: 'email', email, send: 'code' } })
    return (await messagesTo(server, email))[0]?.code ?? ''
  }
  const redeem = (username: string, otp: string) =>
    server.browser().post('/oauth/token', {
      form: {
        grant_type: 'http://auth0.com/oauth/grant-type/passwordless/otp',
        client_id: 'spa',
        realm: 'email',
        username,
        otp,
        scope: 'openid',
      },
    })

  it('refuses only after the address is proven, reveals nothing before, and leaves the code unused', async () => {
    await atRegistration(`api.access.deny('not_invited', 'Only by invitation')`)
    const code = await send('code@mail.test')
    const wrong = await redeem('code@mail.test', code === '000000' ? '111111' : '000000')
    expect(wrong.json().error).toBe('invalid_grant')
    expect((await redeem('code@mail.test', code)).json()).toEqual({
      error: 'access_denied',
      error_description: 'Only by invitation',
    })
    expect(await userOf('code@mail.test')).toBeUndefined()
    await server.setTenant({})
    expect((await redeem('code@mail.test', code)).status).toBe(200)
  })

  it('sets metadata of a new user, and is skipped for a known one', async () => {
    await atRegistration(`api.user.setAppMetadata('by', event.connection.strategy)`)
    expect((await redeem('met@mail.test', await send('met@mail.test'))).status).toBe(200)
    expect(await userOf('met@mail.test')).toMatchObject({ app_metadata: { by: 'email' } })
    await atRegistration(`api.access.deny('no')`)
    server.clock.advance(600)
    expect((await redeem('met@mail.test', await send('met@mail.test'))).status).toBe(200)
  })
})

describe('post-user-registration', () => {
  it('runs afterwards, and its result changes nothing', async () => {
    const code = `exports.onExecutePostUserRegistration = async (event) => { console.log('made ' + event.user.email); throw new Error('x') }`
    await bindAction(server, 'post-user-registration', code)
    expect((await signUp('after@mail.test')).status).toBe(200)
    const runs = async () => JSON.stringify((await server.database.pool.query('SELECT lines FROM action_run')).rows)
    await expect.poll(runs).toContain('made after@mail.test')
  })
})
