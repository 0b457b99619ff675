// What would happen in a login, compared with a login of the same person at that moment; and that asking changes nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseXml } from '../../../crypto/saml/parse'
import { attributeOf, elementsOf } from '../../../crypto/saml/xml'
import { bindActions, postLogin } from '../../../testing/bind-action'
import type { FormFields } from '../../../testing/browser'
import { dumpEverything } from '../../../testing/dump'
import { authorizeQuery, locationOf, payloadOf, redeem, SPA, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { demand, enrollApp, MFA_WEB } from '../../../testing/mfa'
import { organizationsOf } from '../../../testing/organizations'
import { formOf } from '../../../testing/saml'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'
import { RELYING_PARTY } from '../../../testing/wsfed'

type Line = { name: string; verdict: string; value?: string; says?: string }
type Step = {
  kind: string
  subject: string
  outcome: string
  reason?: string
  lines?: Line[]
  claims?: Record<string, Record<string, unknown>>
}
type Preview = {
  would_sign_in: boolean
  reason: string | null
  connection: string | null
  steps: Step[]
  not_run: { at: string; name: string }[]
}

const API = 'https://api.example.com'
const IP = '198.51.100.20'

let server: TestServer
let manager: Manager
let organizations: ReturnType<typeof organizationsOf>
let id: string
let email: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ ...SPA, clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
  await server.addClient({ ...SPA, clientId: 'teams', settings: { ...SPA.settings, organization_usage: 'allow' } })
  await server.addClient(MFA_WEB)
  await server.addClient({ ...SPA, clientId: 'lonely', settings: { ...SPA.settings, callbacks: [] } })
  await server.addClient({
    ...SPA,
    clientId: 'machine',
    settings: { ...SPA.settings, grant_types: ['client_credentials'] },
  })
  const mappings = { email: 'urn:mail', 'app_metadata.team': 'urn:team', 'app_metadata.ranks': 'urn:ranks' }
  const samlp = { mappings, nameIdentifierProbes: ['urn:mail'], lifetimeInSeconds: 600 }
  await server.addClient({ clientId: 'sp', settings: { callbacks: ['https://sp.test/acs'], addons: { samlp } } })
  await server.addClient(RELYING_PARTY)
  await server.addClient({
    clientId: 'portal-jwt',
    settings: { callbacks: ['https://jwt.test/wsfed'], addons: { wsfed: { tokenType: 'jwt' } } },
  })
  await server.addApi(API, {
    scopes: [{ value: 'read:things' }, { value: 'write:things' }],
    enforce_policies: true,
    token_dialect: 'access_token_authz',
    allow_offline_access: true,
  })
  await server.addRole('reader', { [API]: ['read:things'] })
  manager = await addManager(server)
  organizations = organizationsOf(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({})
  email = `${server.random.hex(8)}@example.com`
  id = await server.addUser({ email, data: { emailVerified: true, name: 'Kim' } })
})

async function preview(query: FormFields = {}): Promise<Preview> {
  const sent = new URLSearchParams({ client_id: 'spa', ip: IP, ...(query as Record<string, string>) })
  const answer = await manager.get(`/users/${encodeURIComponent(id)}/sign-in-preview?${sent}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as Preview
}

const pagesOf = ({ steps }: Preview): string[] => steps.flatMap((step) => (step.kind === 'page' ? [step.subject] : []))
const tokensOf = ({ steps }: Preview): Step | undefined => steps.find(({ kind }) => kind === 'tokens')

/** A login in a new browser: the reason that the inspector has of it, or where it leads after the password. */
async function really(extra: FormFields = {}, password = PASSWORD) {
  server.clock.advance(61)
  const browser = server.browser({ ip: IP })
  const started = await browser.get('/authorize', { query: authorizeQuery(extra) })
  const state = locationOf(started).searchParams.get('state') ?? ''
  const isPage = started.status === 302 && locationOf(started).pathname.startsWith('/u/')
  const answer = isPage ? await submitPassword(browser, state, email, password) : started
  const page = isPage && answer.status === 303 ? locationOf(answer).pathname.replace('/u/', '') : null
  await server.loginLog.flush()
  const [newest] = (await manager.get('/logins')).json() as unknown as { outcome: string; reason: string | null }[]
  return {
    browser,
    code: locationOf(answer).searchParams.get('code'),
    page: page?.startsWith('/') ? null : page,
    reason: newest?.outcome === 'failed' ? newest.reason : null,
  }
}

const change = (body: object) => manager.patch(`/users/${encodeURIComponent(id)}`, body)

async function changeConnection(change: object): Promise<() => Promise<void>> {
  const [found] = (await manager.get('/connections?name=Users')).json() as unknown as { id: string; options: object }[]
  const merged = 'options' in change ? { options: { ...found?.options, ...(change.options as object) } } : change
  await manager.patch(`/connections/${found?.id}`, merged)
  server.clock.advance(2)
  return async () => {
    await manager.patch(`/connections/${found?.id}`, {
      options: found?.options ?? {},
      enabled_clients: ['spa', 'third', 'teams', 'web', 'lonely', 'machine', 'sp', 'portal', 'portal-jwt'],
    })
    server.clock.advance(2)
  }
}

describe('a login that would succeed', () => {
  it('gives the tokens that the login gives', async () => {
    await server.giveRole(id, 'reader')
    const query = { audience: API, scope: 'openid email read:things write:things offline_access' }
    const foreseen = await preview(query)
    expect(foreseen).toMatchObject({ would_sign_in: true, reason: null, connection: 'Users' })
    const { browser, code } = await really(query)
    const tokens = (await redeem(browser, code ?? '')).json()
    const step = tokensOf(foreseen)
    const { jti: _, iat, exp, ...access } = payloadOf(tokens.access_token)
    const { sid: _s, at_hash: _a, nonce: _n, iat: _i, exp: _e, ...identity } = payloadOf(tokens.id_token)
    expect(step?.claims?.access_token).toMatchObject(access)
    expect(access.permissions).toEqual(['read:things'])
    expect(step?.claims?.id_token).toMatchObject(identity)
    expect(Object.keys(step?.claims?.id_token ?? {}).sort()).toEqual([...Object.keys(identity), 'exp', 'iat'].sort())
    expect(step?.lines).toContainEqual(expect.objectContaining({ name: 'scope', value: tokens.scope }))
    expect(step?.lines).toContainEqual({ name: 'seconds', verdict: 'none', value: String(Number(exp) - Number(iat)) })
    expect(step?.lines).toContainEqual({ name: 'refreshes', verdict: 'none', value: 'yes' })
  })

  it('asks for consent where the login does, and not again', async () => {
    const query = { client_id: 'third' }
    expect(pagesOf(await preview(query))).toEqual(['login', 'consent'])
    const { page } = await really(query)
    expect(page).toBe('consent')
    await server.database.pool.query(
      `INSERT INTO consent (tenant_id, user_id, client_id, audience, scopes, granted_at)
       VALUES ('default', $1, 'third', '', '{openid,profile,email,offline_access}', now())`,
      [id],
    )
    expect(pagesOf(await preview(query))).toEqual(['login'])
    expect((await really(query)).code).not.toBeNull()
  })

  it('makes a person a member where the login does', async () => {
    const organization = await organizations.add('joins', { connections: { con_database: { assignMembership: true } } })
    const foreseen = await preview({ client_id: 'teams', organization })
    expect(foreseen.would_sign_in).toBe(true)
    expect(tokensOf(foreseen)?.claims?.id_token).toMatchObject({ org_id: organization })
    expect((await really({ client_id: 'teams', organization })).code).not.toBeNull()
  })

  it('names actions and runs none', async () => {
    await bindActions(server, 'post-login', [postLogin("api.access.deny('not on Sundays')"), postLogin('')])
    const foreseen = await preview()
    expect(foreseen.would_sign_in).toBe(true)
    expect(foreseen.not_run.map(({ name }) => name)).toEqual(['At post-login', 'At post-login 2'])
    const step = foreseen.steps.find(({ kind }) => kind === 'actions')
    expect(step?.lines?.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
      'At post-login unreached',
      'At post-login 2 unreached',
    ])
    expect((await really()).reason).toBe('action_denied')
  })
})

describe('an application that takes assertions', () => {
  const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
  const PICTURE = 'https://pictures.test/kim'
  const all = (root: Element, name: string): Element[] => elementsOf(root).filter(({ localName }) => localName === name)
  const textIn = (root: Element, name: string) => all(root, name)[0]?.textContent
  /** What an assertion says, by the names of its attributes. */
  const saidIn = (root: Element): Record<string, string | string[]> =>
    Object.fromEntries(
      all(root, 'Attribute').map((attribute) => {
        const prefix = attributeOf(attribute, 'AttributeNamespace')
        const name = attributeOf(attribute, 'Name') ?? `${prefix}/${attributeOf(attribute, 'AttributeName')}`
        const values = all(attribute, 'AttributeValue').map(({ textContent }) => textContent ?? '')
        return [name, values.length === 1 ? (values[0] ?? '') : values]
      }),
    )
  const asTexts = (claims: Record<string, unknown> = {}) =>
    Object.fromEntries(
      Object.entries(claims).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
    )
  const lineIn = (step: Step | undefined, name: string) => step?.lines?.find((line) => line.name === name)?.value

  /** The form that a login in a new browser ends with. */
  async function posted(path: string): Promise<Record<string, string>> {
    server.clock.advance(61)
    const browser = server.browser({ ip: IP })
    const state = locationOf(await browser.get(path)).searchParams.get('state') ?? ''
    return formOf((await submitPassword(browser, state, email)).text).fields
  }

  it('gets the assertion that a SAML login gives it', async () => {
    await server.giveRole(id, 'reader')
    await change({ app_metadata: { team: 'harbour', ranks: ['one', 'two'] }, picture: PICTURE })
    const foreseen = await preview({ client_id: 'sp' })
    expect(foreseen).toMatchObject({ would_sign_in: true, connection: 'Users' })
    const step = tokensOf(foreseen)
    const { SAMLResponse = '' } = await posted('/samlp/sp')
    const response = parseXml(Buffer.from(SAMLResponse, 'base64').toString())
    expect(asTexts(step?.claims?.assertion)).toEqual(saidIn(response))
    expect(step?.claims?.assertion).toMatchObject({ 'urn:team': 'harbour', 'urn:ranks': ['one', 'two'] })
    expect(lineIn(step, 'name_id')).toBe(textIn(response, 'NameID'))
    expect(lineIn(step, 'name_id')).toBe(email)
    expect(lineIn(step, 'audience')).toBe(textIn(response, 'Audience'))
    expect(lineIn(step, 'recipient')).toBe('https://sp.test/acs')
    expect(lineIn(step, 'seconds')).toBe('600')
  })

  it('gets the token that a login of WS-Federation gives it, as an assertion and as a JWT', async () => {
    await change({ picture: PICTURE })
    const foreseen = await preview({ client_id: 'portal', protocol: 'wsfed' })
    const step = tokensOf(foreseen)
    const assertion = parseXml((await posted('/wsfed/portal')).wresult ?? '')
    expect(asTexts(step?.claims?.assertion)).toEqual(saidIn(assertion))
    expect(step?.claims?.assertion).toMatchObject({ [`${CLAIMS}/emailaddress`]: email })
    expect(lineIn(step, 'audience')).toBe(textIn(assertion, 'Audience'))

    const {
      iat: _i,
      exp: _e,
      auth_time: _a,
      ...foretold
    } = tokensOf(await preview({ client_id: 'portal-jwt' }))?.claims?.token ?? {}
    const {
      jti: _j,
      iat: _,
      exp: __,
      auth_time: ___,
      ...token
    } = payloadOf((await posted('/wsfed/portal-jwt')).wresult)
    expect(foretold).toEqual(token)
    expect(token).toMatchObject({ email })
  })

  it('is asked for by its add-on, and by the protocol that is named', async () => {
    const protocolOf = ({ steps }: Preview) => steps[0]?.subject
    expect(protocolOf(await preview({ client_id: 'sp' }))).toBe('saml')
    expect(protocolOf(await preview({ client_id: 'sp', protocol: 'oidc' }))).toBe('oidc')
    expect(protocolOf(await preview({ client_id: 'portal-jwt' }))).toBe('wsfed')
    expect(protocolOf(await preview())).toBe('oidc')
  })

  it('is refused as the login is: without the add-on, or without a callback', async () => {
    const bare = { client_id: 'lonely', protocol: 'samlp' }
    expect(await preview(bare)).toMatchObject({ would_sign_in: false, reason: 'callback_missing' })
    expect((await server.browser({ ip: IP }).get('/samlp/lonely')).status).toBe(400)
    expect(await preview({ client_id: 'third', protocol: 'samlp' })).toMatchObject({ reason: 'saml_not_enabled' })
    expect((await server.browser({ ip: IP }).get('/samlp/third')).status).toBeGreaterThanOrEqual(400)
    expect(await preview({ client_id: 'third', protocol: 'wsfed' })).toMatchObject({ reason: 'wsfed_not_enabled' })
  })
})

describe('a second factor', () => {
  it('is added where the login demands that', async () => {
    await demand(server, ['all-applications'], ['otp'])
    const foreseen = await preview()
    expect(pagesOf(foreseen)).toEqual(['login', 'mfa-enroll'])
    expect(tokensOf(foreseen)).toBeDefined()
    expect((await really()).page).toBe('mfa-enroll')
  })

  it('is asked for where the login does, and not in a browser that remembers it', async () => {
    await demand(server, ['all-applications'], ['otp'])
    await enrollApp(server, server.browser({ ip: IP }), email)
    expect(pagesOf(await preview())).toEqual(['login', 'mfa-challenge'])
    expect(pagesOf(await preview({ browser: 'known' }))).toEqual(['login', 'mfa-challenge'])
    expect(pagesOf(await preview({ browser: 'remembered' }))).toEqual(['login'])
    expect((await really()).page).toBe('mfa-challenge')
  })

  it('follows the risk of the browser', async () => {
    await demand(server, ['confidence-score'], ['otp'])
    expect(pagesOf(await preview())).toEqual(['login', 'mfa-enroll'])
    expect(pagesOf(await preview({ browser: 'known' }))).toEqual(['login'])
    expect((await really()).page).toBe('mfa-enroll')
  })
})

describe('a login that would be refused', () => {
  const refused = async (reason: string, query: FormFields = {}): Promise<void> => {
    expect(await preview(query)).toMatchObject({ would_sign_in: false, reason })
    const { reason: real, code } = await really(query)
    expect([real, code]).toEqual([reason, null])
  }

  it('of a blocked person', async () => {
    await change({ blocked: true })
    await refused('user_blocked')
  })

  it('of an address that has to be verified', async () => {
    await change({ email_verified: false })
    expect((await preview()).would_sign_in).toBe(true)
    const back = await changeConnection({ options: { require_verified_email: true } })
    await refused('address_unverified')
    await back()
  })

  it('of an unverified account where those are hidden', async () => {
    await change({ email_verified: false })
    const back = await changeConnection({ options: { hide_existing_accounts: true } })
    await refused('wrong_password')
    await back()
  })

  it('of an account without a password', async () => {
    email = `${server.random.hex(8)}@example.com`
    id = await server.addUser({ email, password: null, data: { emailVerified: true } })
    await refused('wrong_password')
  })

  it('of an account that is locked at that address, and not from another', async () => {
    for (let turn = 0; turn < 10; turn += 1) await really({}, 'wrong')
    await refused('account_locked')
    expect(await preview({ ip: '203.0.113.77' })).toMatchObject({ would_sign_in: true })
  })

  it('where the connection is not enabled', async () => {
    const back = await changeConnection({ enabled_clients: ['web'] })
    expect(await preview()).toMatchObject({ would_sign_in: false, reason: 'connection_not_enabled' })
    expect((await really()).code).toBeNull()
    expect(await preview({ client_id: 'web' })).toMatchObject({ would_sign_in: true })
    await back()
  })

  it('where the person has no account in the requested connection', async () => {
    expect(await preview({ connection: 'Nowhere' })).toMatchObject({ would_sign_in: false, reason: 'no_such_account' })
  })

  it('of a person who is no member', async () => {
    const organization = await organizations.add('closed')
    await refused('not_a_member', { client_id: 'teams', organization })
    await organizations.join(organization, id)
    expect(await preview({ client_id: 'teams', organization })).toMatchObject({ would_sign_in: true })
    expect((await really({ client_id: 'teams', organization })).code).not.toBeNull()
  })

  it('for an organization that does not exist', async () => {
    await refused('organization_unknown', { client_id: 'teams', organization: 'org_none000000000000' })
    await refused('organization_not_allowed', { organization: 'org_none000000000000' })
  })

  it('for an API that does not exist', async () => {
    await refused('api_unknown', { audience: 'https://none.test' })
  })

  it('of an application without a callback, and of one that signs no person in', async () => {
    expect(await preview({ client_id: 'lonely' })).toMatchObject({ reason: 'callback_missing' })
    await refused('response_type_not_allowed', { client_id: 'machine' })
  })
})

describe('the preview', () => {
  it('changes no row, sends nothing, counts nothing and leaves no event', async () => {
    await demand(server, ['all-applications'], ['otp'])
    const organization = await organizations.add('watched', {
      connections: { con_database: { assignMembership: true } },
    })
    await bindActions(server, 'post-login', [postLogin("api.user.setUserMetadata('seen', true)")])
    await preview()
    const settled = async () => {
      await Promise.all([server.audit.flush(), server.loginLog.flush()])
      return dumpEverything(server.database)
    }
    const before = await settled()
    for (const query of [
      {},
      { client_id: 'teams', organization },
      { client_id: 'third', audience: API, scope: 'openid offline_access' },
      { browser: 'remembered' },
      { connection: 'Users' },
      { client_id: 'teams', organization: 'org_none000000000000' },
      { client_id: 'sp' },
      { client_id: 'portal', protocol: 'wsfed' },
    ])
      await preview(query)
    expect(await settled()).toBe(before)
    await really()
    expect(await settled()).not.toBe(before)
  })

  it('refuses what it does not know', async () => {
    const path = `/users/${encodeURIComponent(id)}/sign-in-preview`
    expect((await manager.get(path)).status).toBe(400)
    expect((await manager.get(`${path}?client_id=none`)).status).toBe(400)
    expect((await manager.get(`${path}?client_id=spa&ip=here`)).status).toBe(400)
    expect((await manager.get(`${path}?client_id=spa&protocol=ldap`)).status).toBe(400)
    expect((await manager.get('/users/auth0%7Cnone/sign-in-preview?client_id=spa')).status).toBe(404)
  })

  it('needs the right to read logins, and names no action without the right to read actions', async () => {
    await bindActions(server, 'post-login', [postLogin('')])
    const path = `/users/${encodeURIComponent(id)}/sign-in-preview?client_id=spa`
    const reader = await addManager(server, { clientId: 'reader', granted: ['read:users'] })
    expect((await reader.get(path)).status).toBe(403)
    const support = await addManager(server, { clientId: 'support', granted: ['read:users', 'read:logins'] })
    const answer = (await support.get(path)).json() as Preview
    expect(answer.not_run).toEqual([{ at: 'post-login', name: '1' }])
    expect(JSON.stringify(answer)).not.toContain('At post-login')
    expect((await support.get(`${path}&organization=org_1`)).status).toBe(403)
  })
})
