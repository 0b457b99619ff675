// The vendor's rules: stored and answered, and run at each login before the actions.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import type { Effects } from '../../../identity/tenant-code/trigger'
import { loginEvent } from '../../../testing/actions'
import { bindAction, postLogin } from '../../../testing/bind-action'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const PLAIN = 'function (user, context, callback) { callback(null, user, context) }'

let server: TestServer
let manager: Manager
let runs: RunRecord[] = []

beforeAll(async () => {
  server = await testServer({ actionRuns: { note: (record) => void runs.push(record) } })
  manager = await addManager(server)
})
afterAll(() => server.close())
afterEach(async () => {
  runs = []
  await server.database.pool.query("DELETE FROM document WHERE kind IN ('rule', 'rules-config')")
  await server.database.pool.query('DELETE FROM action')
  await server.setTenant({})
})

const make = (name: string, script: string, more: object = {}) => manager.post('/rules', { name, script, ...more })

async function engine() {
  server.clock.advance(2)
  return (await server.runtime()).triggers
}

/** Runs these rules, in this order. */
async function logIn(...bodies: string[]): Promise<Effects> {
  for (const [index, body] of bodies.entries())
    expect((await make(`Rule ${index}`, `function (user, context, callback) { ${body} }`)).status).toBe(201)
  return (await engine()).run('post-login', EVENT)
}

const EVENT = loginEvent({
  transaction: {
    ...{ acr_values: [], locale: 'en', ui_locales: [], protocol: 'oidc-basic-profile' },
    requested_scopes: ['openid', 'email'],
  },
})

describe('rules', () => {
  it('are made, listed in their order, changed and removed', async () => {
    const first = (await make('First', PLAIN)).json()
    expect(first).toEqual({
      ...{ id: expect.stringMatching(/^rul_\w{16}$/), name: 'First', script: PLAIN },
      ...{ order: 1, enabled: true, stage: 'login_success' },
    })
    const second = (await make('Second', PLAIN, { order: 0, enabled: false, stage: 'login_success' })).json()
    expect((await manager.get('/rules')).json()).toEqual([second, first])
    expect((await manager.get('/rules', { query: { enabled: 'true', include_totals: 'true' } })).json()).toMatchObject({
      rules: [first],
      total: 1,
    })
    const path = `/rules/${first.id}`
    expect((await manager.patch(path, { order: 7, enabled: false })).json()).toEqual({
      ...first,
      order: 7,
      enabled: false,
    })
    expect((await manager.patch(path, { name: 'Second' })).json()).toMatchObject({ errorCode: 'rule_conflict' })
    expect((await make('Second', PLAIN)).json()).toMatchObject({ statusCode: 409, errorCode: 'rule_conflict' })
    expect((await manager.remove(path)).status).toBe(204)
    expect((await manager.get(path)).json()).toMatchObject({ errorCode: 'inexistent_rule' })
  })

  it.each([
    [{ script: 'function (' }, 'is no JavaScript'],
    [{ script: "function (u, c, cb) { require('fs'); cb() }" }, 'no file system'],
    [{ script: "function (u, c, cb) { require('argon2'); cb() }" }, 'bcryptjs'],
    [{ script: "function (u, c, cb) { require('../server'); cb() }" }, '../server'],
    [{ name: '-wrong' }, 'name'],
    [{ stage: 'pre_authorize' }, 'stage'],
  ])('are refused with %j', async (more, word) => {
    const answer = await manager.post('/rules', { name: 'Rule', script: PLAIN, ...more })
    expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(answer.text).toContain(word)
  })

  it('may need what is not here while they are disabled', async () => {
    const script = "function (u, c, cb) { require('fs'); cb() }"
    const { id } = (await make('Old', script, { enabled: false })).json()
    expect((await manager.patch(`/rules/${id}`, { enabled: true })).json()).toMatchObject({ statusCode: 400 })
    expect((await engine()).isBound('post-login')).toBe(false)
  })
})

describe('the values of rules', () => {
  it('are named, never shown, and sealed', async () => {
    const set = await manager.put('/rules-configs/API_KEY', { value: 'a hidden value' })
    expect([set.status, set.json()]).toEqual([200, { key: 'API_KEY', value: 'a hidden value' }])
    expect((await manager.get('/rules-configs')).json()).toEqual([{ key: 'API_KEY' }])
    const { rows } = await server.database.pool.query("SELECT body FROM document WHERE kind = 'rules-config'")
    expect(JSON.stringify([rows, await server.audited()])).not.toContain('a hidden value')
    expect((await manager.put('/rules-configs/a b', { value: 'x' })).json()).toMatchObject({ statusCode: 400 })
    expect((await manager.remove('/rules-configs/API_KEY')).status).toBe(204)
    expect((await manager.get('/rules-configs')).json()).toEqual([])
  })

  it('are the configuration of rules, and redacted in what they print', async () => {
    await manager.put('/rules-configs/API_KEY', { value: 'a hidden value' })
    const effects = await logIn(
      "console.log(configuration.API_KEY); context.idToken['https://a.test/size'] = configuration.API_KEY.length; callback(null, user, context)",
    )
    expect(effects.idTokenClaims).toEqual({ 'https://a.test/size': 14 })
    expect(runs).toMatchObject([{ action: 'Rules', outcome: 'ok', lines: [{ level: 'log', text: '***' }] }])
  })
})

describe('a login', () => {
  it('gets the claims and scopes of rules, which see what earlier ones set', async () => {
    const effects = await logIn(
      "context.idToken['https://a.test/plan'] = user.app_metadata.plan; user.app_metadata.plan = 'new'; global.seen = 1; callback(null, user, context)",
      `context.accessToken['https://a.test/client'] = [context.clientID, context.protocol, context.connection, user.app_metadata.plan, global.seen]
       context.accessToken.scope = ['openid', 'extra']; callback(null, user, context)`,
    )
    expect(effects).toMatchObject({
      denied: null,
      idTokenClaims: { 'https://a.test/plan': 'gold' },
      accessTokenClaims: { 'https://a.test/client': ['web', 'oidc-basic-profile', 'Users', 'new', 1] },
      addScopes: ['extra'],
      removeScopes: ['email'],
      appMetadata: {},
    })
  })

  it('shows the place of the address and the risk under the names that rules have', async () => {
    const riskAssessment = { confidence: 'low', version: '1', assessments: {} }
    await make(
      'Places',
      `function (user, context, callback) {
        context.idToken['https://a.test/at'] = [context.request.geoip, context.riskAssessment.confidence]
        callback(null, user, context)
      }`,
    )
    const { request } = EVENT
    const event = {
      ...EVENT,
      authentication: { methods: [], riskAssessment },
      request: { ...request, geoip: { countryCode: 'DE', timeZone: 'Europe/Berlin' } },
    }
    expect((await (await engine()).run('post-login', event)).idTokenClaims).toEqual({
      'https://a.test/at': [{ country_code: 'DE', time_zone: 'Europe/Berlin' }, 'low'],
    })
  })

  it('runs rules before the actions, which hear of those that ran', async () => {
    const ran = (await make('Ran', PLAIN)).json().id
    const off = (await make('Off', PLAIN, { enabled: false })).json().id
    const code = `api.idToken.setCustomClaim('https://a.test/by', 'action')
      api.idToken.setCustomClaim('https://a.test/ran', ['${ran}', '${off}', 1].map((id) => api.rules.wasExecuted(id)))`
    await bindAction(server, 'post-login', postLogin(code))
    const set = "context.idToken['https://a.test/by'] = 'rule'; callback(null, user, context)"
    expect((await logIn(set)).idTokenClaims).toEqual({
      'https://a.test/by': 'action',
      'https://a.test/ran': [true, false, false],
    })
    expect(runs.map(({ action }) => action)).toEqual(['Rules', 'At post-login'])
  })

  it('is refused by an UnauthorizedError, with its reason', async () => {
    const effects = await logIn("callback(new UnauthorizedError('Not today'))", 'throw new Error()')
    expect(effects.denied).toMatchObject({ code: 'access_denied', reason: 'Not today', failed: false })
  })

  it('gets the SAML settings and attributes of rules, and keeps what the profile has', async () => {
    const { denied, saml } = await logIn(
      "user.awsRole = ['a', 'b']; context.samlConfiguration.audience = 'https://aws.example'; callback(null, user, context)",
      `context.samlConfiguration.mappings = {
        'https://aws.example/Role': 'awsRole', 'https://aws.example/None': 'none',
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier': 'user_id',
      }
      callback(null, user, context)`,
    )
    expect(denied).toBeNull()
    expect(saml).toEqual({
      attributes: { 'https://aws.example/Role': ['a', 'b'] },
      settings: { audience: 'https://aws.example' },
    })
  })

  it('goes on as the primary user that a rule names, with what it sets then', async () => {
    const effects = await logIn(
      "context.primaryUser = 'auth0|2'; context.idToken['https://a.test/b'] = 1; callback(null, user, context)",
    )
    expect(effects).toMatchObject({
      ...{ primaryUser: 'auth0|2', suspended: { awaits: 'user' }, denied: null },
      idTokenClaims: { 'https://a.test/b': 1 },
    })
  })

  it.each([
    ['an error', "callback(new Error('broken'))"],
    ['an exception', "throw new Error('broken')"],
    ['a rule that never calls back', 'user.done = true'],
    ['a SAML setting that does not exist here', "context.samlConfiguration.key = 'x'; callback(null, user, context)"],
    ['an invalid SAML setting', 'context.samlConfiguration.lifetimeInSeconds = -1; callback(null, user, context)'],
    ['no primary user', 'context.primaryUser = 1; callback(null, user, context)'],
    ['a factor that does not exist here', "context.multifactor = { provider: 'duo' }; callback(null, user, context)"],
    [
      'metadata of another user',
      "auth0.users.updateAppMetadata('auth0|2', { a: 1 }).then(() => callback(null, user, context), callback)",
    ],
  ])('is refused after %s', async (_what, body) => {
    expect((await logIn(body)).denied).toMatchObject({ code: 'access_denied', failed: true })
  })

  it('is refused after a rejected promise of a rule', async () => {
    expect((await make('Async', "async function (user, context, callback) { throw new Error('x') }")).status).toBe(201)
    expect((await (await engine()).run('post-login', EVENT)).denied).toMatchObject({ failed: true })
    expect(runs[0]?.reason).toContain('the rule "Async" failed: x')
  })

  it('keeps the metadata that rules store', async () => {
    const effects = await logIn(
      `auth0.users.updateAppMetadata(user.user_id, { seen: true })
        .then(() => auth0.users.updateUserMetadata(user.user_id, { colour: 'red' }))
        .then(() => callback(null, user, context)).catch(callback)`,
    )
    expect(effects).toMatchObject({ appMetadata: { seen: true }, userMetadata: { colour: 'red' } })
  })

  it('asks for a factor', async () => {
    const effects = await logIn(
      "context.multifactor = { provider: 'any', allowRememberBrowser: false }; callback(null, user, context)",
    )
    expect(effects.multifactor).toMatchObject({ kind: 'enable', allowRememberBrowser: false })
  })

  it('redirects, and runs rules again when the browser is back', async () => {
    const waits = await logIn(
      `if (context.protocol === 'redirect-callback') context.idToken['https://a.test/back'] = context.request.query.answer
       else context.redirect = { url: 'https://survey.test/' }
       callback(null, user, context)`,
    )
    expect(waits).toMatchObject({ redirect: { url: 'https://survey.test/' }, suspended: { action: 'Rules' } })
    const back = { ...EVENT, request: { ...EVENT.request, query: { answer: 'yes' } } }
    const effects = await (await engine()).run('post-login', back, waits)
    expect(effects).toMatchObject({ redirect: null, suspended: null, idTokenClaims: { 'https://a.test/back': 'yes' } })
  })
})
