// The tenant's claim rules, from its settings to every token that they affect.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  locationOf,
  payloadOf,
  refresh,
  SPA,
  signInForTokens,
  submitPassword,
  userinfo,
  WEB,
} from '../../../testing/journey'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

const API = 'https://orders.test'
const TEAM = 'https://acme.example/team'
const ROLES = 'https://acme.example/roles'
const GRANT = 'https://acme.example/protocol'

const RULES = [
  { name: 'Team', claim: TEAM, value: 'user.app_metadata.team', tokens: ['id_token', 'access_token'] },
  {
    name: 'Roles',
    claim: ROLES,
    value: 'user.roles',
    when: `request.?audience.orValue("") == "${API}"`,
    tokens: ['access_token'],
  },
  { name: 'Protocol', claim: GRANT, value: 'request.protocol + " " + request.ip', tokens: ['access_token'] },
  { name: 'Fails', claim: 'fails', value: 'user.app_metadata.missing', tokens: ['id_token'] },
]

let server: TestServer
const setTeam = (team: string) =>
  server.database.pool.query(`UPDATE "user" SET app_metadata = $1 WHERE id = 'auth0|kim'`, [{ team }])

beforeAll(async () => {
  server = await testServer()
  await server.addClient({
    ...SPA,
    settings: {
      ...SPA.settings,
      grant_types: [
        'authorization_code',
        'implicit',
        'refresh_token',
        'password',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
    },
  })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: ['client_credentials'] } })
  await server.addApi(API, { scopes: [{ value: 'read' }], allow_offline_access: true })
  await server.addClientGrant('web', API, ['read'])
  await server.addRole('clerk', {})
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { appMetadata: { team: 'blue' } } })
  await server.giveRole('auth0|kim', 'clerk')
  await server.setTenant({ claimRules: RULES })
})
afterAll(() => server.close())

describe('claims of rules', () => {
  it('are in the tokens that they name, as the user is now, and at user-info', async () => {
    await setTeam('blue')
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test', {
      audience: API,
      scope: 'openid offline_access read',
    })
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: 'auth0|kim', [TEAM]: 'blue' })
    expect(payloadOf(tokens.id_token)).not.toHaveProperty([ROLES])
    expect(payloadOf(tokens.access_token)).toMatchObject({
      sub: 'auth0|kim',
      [TEAM]: 'blue',
      [ROLES]: ['clerk'],
      [GRANT]: expect.stringMatching(/^oidc-basic-profile \S+$/),
    })
    await setTeam('red')
    const renewed = (await refresh(browser, tokens.refresh_token)).json()
    expect(payloadOf(renewed.id_token)).toHaveProperty([TEAM], 'red')
    expect(payloadOf(renewed.access_token)).toMatchObject({
      [TEAM]: 'red',
      [GRANT]: expect.stringMatching(/^oauth2-refresh-token /),
    })
    expect((await userinfo(browser, renewed.access_token)).json()).toMatchObject({ sub: 'auth0|kim', [TEAM]: 'red' })
  })

  it('are in tokens that leave by the address', async () => {
    await setTeam('blue')
    const browser = server.browser()
    const query = authorizeQuery({
      response_type: 'token id_token',
      audience: API,
      scope: 'openid',
      code_challenge: undefined,
    })
    const state = locationOf(await browser.get('/authorize', { query })).searchParams.get('state') ?? ''
    const answer = locationOf(await submitPassword(browser, state, 'kim@mail.test'))
    const fragment = new URLSearchParams(answer.hash.slice(1))
    expect(payloadOf(fragment.get('id_token') ?? '')).toHaveProperty([TEAM], 'blue')
    expect(payloadOf(fragment.get('access_token') ?? '')).toMatchObject({
      [GRANT]: expect.stringMatching(/^oidc-implicit-profile /),
    })
  })

  it('are in tokens for a password', async () => {
    const form = {
      grant_type: 'password',
      client_id: 'spa',
      username: 'kim@mail.test',
      password: PASSWORD,
      audience: API,
    }
    await server.setTenant({ claimRules: RULES, tenant: { default_directory: 'Users' } })
    const answer = (await server.browser().post('/oauth/token', { form: { ...form, scope: 'openid' } })).json()
    expect(payloadOf(answer.id_token)).toHaveProperty([TEAM], 'blue')
    expect(payloadOf(answer.access_token)).toMatchObject({ [GRANT]: expect.stringMatching(/^oauth2-password /) })
  })

  it('are in the token of a client that acts for itself, as far as they are not about a user', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'web', client_secret: WEB.secret, audience: API }
    const before = server.lines.length
    const claims = payloadOf((await server.browser().post('/oauth/token', { form })).json().access_token)
    expect(claims).toHaveProperty([GRANT], expect.stringMatching(/^oauth2-client-credentials /))
    expect(claims).not.toHaveProperty([TEAM])
    expect(server.lines.slice(before).filter(({ level }) => level === 'warn')).toEqual([])
  })

  it('a claim without a value is left out, and the log says so without the user', async () => {
    const before = server.lines.length
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', { scope: 'openid' })
    expect(payloadOf(tokens.id_token)).not.toHaveProperty('fails')
    expect(server.lines.slice(before).filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        sentence: 'A claim rule had no value.',
        fields: { tenant: 'default', rule: 'Fails', claim: 'fails', problem: 'no_such_key' },
      },
    ])
  })
})

describe('a rule for a reserved name', () => {
  it('never speaks, even where it is stored', async () => {
    await server.setTenant({
      claimRules: ['sub', 'aud', 'scope', 'https://x.auth0.com/y'].map((claim) => ({
        name: claim,
        claim,
        value: '"x"',
      })),
    })
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', { audience: API, scope: 'openid read' })
    for (const token of [tokens.id_token, tokens.access_token]) {
      expect(payloadOf(token)).toMatchObject({ sub: 'auth0|kim' })
      expect(Object.values(payloadOf(token))).not.toContain('x')
    }
  })
})
