// Every event of the audit log: each code of lib/data/audit/events.ts is caused here through a real endpoint (threat-model.md AU1),
// and the last test checks that none is missing.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogoutSender } from '../../adapters/channels/backchannel-logout'
import { auditStore, withSnapshot } from '../../adapters/store/sql/audit'
import { listRecords } from '../../adapters/store/sql/audit-read'
import { createOutboxStore } from '../../adapters/store/sql/outbox'
import { EVENTS } from '../../data/audit/events'
import { createAuditLog } from '../../data/audit/log'
import { verifyChain } from '../../data/audit/verify'
import { type DeliveryDeps, deliverDue } from '../../data/outbox/deliver'
import { systemRandom } from '../../kernel/random'
import { softCredential } from '../../testing/authenticator'
import { addJudge, bindAction, postLogin } from '../../testing/bind-action'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
  userinfo,
  WEB,
} from '../../testing/journey'
import { mailsTo, ticketTo } from '../../testing/mail'
import {
  associate,
  bearer,
  challenge,
  codeOf,
  demand,
  enrollApp,
  enrollPhone,
  logIn,
  MFA_WEB,
  mfaToken,
  OOB,
  OTP,
  RECOVERY,
  token,
} from '../../testing/mfa'
import { addPasskey, offerPasskeys, submitPasskey } from '../../testing/passkeys'
import { addPasswordless, codeTo, redeemCode, sendTo, start, wrong } from '../../testing/passwordless'
import { enterPortal, submitInPortal } from '../../testing/portal'
import { BREACHED, type Browser, inProcess, PASSWORD, type TestServer, testServer } from '../../testing/server'
import { deleteAndRecord } from '../maintenance/record-deletions'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const AGENT = 'Mozilla/5.0 (iPhone) Test'
const MAIL = 'kim@mail.test'

type Log = Record<string, unknown> & { type: string; details: Record<string, unknown> }

let latchkey: TestServer
let next = 0
const seen = new Set<string>()
const browserAt = (): Browser => latchkey.browser({ ip: `203.0.113.${++next}` })

beforeAll(async () => {
  latchkey = await testServer()
  const grant_types = [
    'authorization_code',
    'refresh_token',
    'password',
    `http://auth0.com/oauth/grant-type/passwordless/otp`,
  ]
  await latchkey.addClient({ ...SPA, settings: { ...SPA.settings, grant_types } })
  await latchkey.addClient({ ...WEB, clientId: 'machine', settings: { grant_types: ['client_credentials'] } })
  await latchkey.addClient({ clientId: 'tv', settings: { app_type: 'native', grant_types: [DEVICE] } })
  await latchkey.addClient(MFA_WEB)
  await latchkey.addApi('https://api.test', { scopes: [{ value: 'read' }] })
  await latchkey.addClientGrant('machine', 'https://api.test', ['read'])
  await addPasswordless(latchkey)
  await latchkey.addUser({ id: 'kim', email: MAIL })
})
afterAll(() => latchkey.close())

/** The events recorded during `work`, oldest first. */
async function during(work: () => Promise<unknown>): Promise<Log[]> {
  const before = (await latchkey.audited()).length
  await work()
  const logs = (await latchkey.audited()).slice(before) as Log[]
  for (const { type } of logs) seen.add(type)
  return logs
}
const types = async (work: () => Promise<unknown>): Promise<string[]> => (await during(work)).map(({ type }) => type)

const delivery = (): DeliveryDeps => ({
  store: createOutboxStore(latchkey.database.pool),
  channels: [],
  sendLogout: createLogoutSender({
    tenant: () => latchkey.runtime(),
    clock: latchkey.clock,
    policy: { allowLoopback: true, allowPrivate: false },
  }),
  keepContent: true,
  vault: latchkey.vault,
  clock: latchkey.clock,
  random: latchkey.random,
  log: { info: () => {}, warn: () => {}, error: () => {} },
})

describe('a login by a passkey', () => {
  it('a passkey whose key is registered for another device is refused', async () => {
    await offerPasskeys(latchkey)
    const userId = await latchkey.addUser({ email: 'passkey@mail.test', data: { emailVerified: true } })
    const credential = softCredential()
    await addPasskey(latchkey, userId, credential, { counter: 5, multiDevice: false })
    const browser = browserAt()
    const [log] = await during(async () =>
      submitPasskey(browser, await beginLogin(browser), credential, { counter: 5, multiDevice: false }),
    )
    expect(log).toMatchObject({ type: 'latchkey_passkey_copied', user_id: userId, connection: 'Users' })
  })

  it('a passkey that may be backed up and did not count up is accepted with a signal', async () => {
    const userId = await latchkey.addUser({ email: 'synchronised@mail.test', data: { emailVerified: true } })
    const credential = softCredential()
    await addPasskey(latchkey, userId, credential, { counter: 5 })
    const browser = browserAt()
    const logs = await during(async () => submitPasskey(browser, await beginLogin(browser), credential, { counter: 5 }))
    const signal = logs.find(({ type }) => type === 'latchkey_passkey_uncounted')
    expect(signal).toMatchObject({ user_id: userId, connection: 'Users' })
    expect(logs.map(({ type }) => type)).toContain('s')
  })
})

describe('a login on the pages', () => {
  it('records user, address, browser and client, in the vendor’s format', async () => {
    const browser = browserAt()
    const [log] = await during(async () => {
      const state = await beginLogin(browser)
      await browser.post('/u/submit', {
        form: { state, action: 'login', username: MAIL, password: PASSWORD },
        headers: { 'user-agent': AGENT },
      })
    })
    expect(log).toEqual({
      log_id: expect.stringMatching(/^900\d{44}$/),
      date: latchkey.clock.now().toISOString(),
      type: 's',
      description: 'Successful login',
      connection: 'Users',
      connection_id: 'con_database',
      strategy: 'auth0',
      strategy_type: 'database',
      client_id: 'spa',
      client_name: 'App spa',
      hostname: 'id.test',
      ip: `203.0.113.${next}`,
      user_agent: AGENT,
      user_id: 'auth0|kim',
      user_name: MAIL,
      scope: 'openid profile email offline_access',
      isMobile: true,
      details: { event: 'login', request_id: expect.any(String), login_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    })
  })

  it('records once a rule that ends a login, with a page and with a session', async () => {
    const browser = browserAt()
    await signIn(browser, MAIL)
    await bindAction(latchkey, 'post-login', postLogin("api.access.deny('Not on Sundays')"))
    const silent = await during(() => browser.get('/authorize', { query: authorizeQuery() }))
    const onPage = await during(() => signIn(browserAt(), MAIL))
    await latchkey.setTenant({})
    for (const logs of [silent, onPage]) {
      expect(logs.map(({ type, description }) => [type, description])).toEqual([['f', 'Not on Sundays']])
    }
  })

  it('distinguishes a wrong password from an unknown user, and stores no name that may be a password', async () => {
    const browser = browserAt()
    const state = await beginLogin(browser)
    const logs = await during(async () => {
      await submitPassword(browser, state, MAIL, 'wrong')
      await submitPassword(browser, state, 'Nobody@mail.test', 'wrong')
      await submitPassword(browser, state, 'hunter2-in-the-wrong-field', 'wrong')
    })
    expect(logs.map(({ type, user_id, user_name }) => [type, user_id, user_name])).toEqual([
      ['fp', 'auth0|kim', MAIL],
      ['fu', undefined, 'nobody@mail.test'],
      ['fu', undefined, undefined],
    ])
  })

  it('says that a login went on without a page, and that it did not', async () => {
    const browser = browserAt()
    const query = authorizeQuery({ prompt: 'none' })
    expect(await types(() => browser.get('/authorize', { query }))).toEqual(['fsa'])
    await signIn(browser, MAIL)
    expect(await types(() => browser.get('/authorize', { query }))).toEqual(['ssa'])
    expect(await types(() => browser.get('/authorize', { query: authorizeQuery() }))).toEqual(['s'])
    expect(await types(() => browser.get('/v2/logout'))).toEqual(['slo'])
    expect(await types(() => browser.get('/v2/logout', { query: { returnTo: 'https://evil.test' } }))).toEqual(['flo'])
  })

  it('names the application that was notified of a logout, and the one that could not be', async () => {
    const statuses = [200, 500]
    const server = createServer((_request, response) => void response.writeHead(statuses.shift() ?? 200).end())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const oidc_logout = { backchannel_logout_urls: [`http://127.0.0.1:${port}/logout`] }
    await latchkey.addClient({ clientId: 'rp', settings: { ...SPA.settings, oidc_logout } })
    const logs = await during(async () => {
      for (const _once of [1, 2]) {
        const browser = browserAt()
        await signIn(browser, MAIL, { client_id: 'rp' })
        await browser.get('/v2/logout')
        await deliverDue(delivery())
      }
    })
    server.close()
    expect(logs.filter(({ type }) => type.startsWith('oidc_')).map(({ type, client_id }) => [type, client_id])).toEqual(
      [
        ['oidc_backchannel_logout_succeeded', 'rp'],
        ['oidc_backchannel_logout_failed', 'rp'],
      ],
    )
  })

  it('says what a request was refused for', async () => {
    const [log] = await during(() => browserAt().get('/authorize', { query: authorizeQuery({ client_id: 'none' }) }))
    expect(log).toMatchObject({ type: 'f', description: 'Unknown client: none' })
  })

  it('says what an application page proved', async () => {
    const ask = (password: string) =>
      browserAt().post('/co/authenticate', {
        json: { client_id: 'spa', username: MAIL, password, credential_type: 'password' },
        headers: { origin: 'https://app.test' },
      })
    expect(await types(() => ask(PASSWORD))).toEqual(['scoa'])
    expect(await types(() => ask('wrong'))).toEqual(['fp', 'fcoa'])
  })
})

describe('attack protection', () => {
  it('says that an account is blocked, that its owner lifted it, and whose it is', async () => {
    await latchkey.addUser({ id: 'lee', email: 'lee@mail.test' })
    const browser = browserAt()
    const state = await beginLogin(browser)
    const tried = await types(async () => {
      for (let guess = 0; guess < 11; guess += 1) await submitPassword(browser, state, 'lee@mail.test', 'wrong')
    })
    expect(tried.slice(9)).toEqual(['fp', 'limit_wc', 'limit_wc'])
    await expect.poll(() => mailsTo(latchkey, 'lee@mail.test')).toHaveLength(1)
    const ticket = await ticketTo(latchkey, 'lee@mail.test')
    const [log] = await during(() => browser.post('/u/unblock', { form: { ticket } }))
    expect(log).toMatchObject({ type: 'ublkdu', user_id: 'auth0|lee' })
  })

  it('records too many logins, with correct or wrong passwords', async () => {
    const { clock, vault, database } = latchkey
    const store = auditStore({ pool: database.pool, vault, clock, random: systemRandom })
    const say = () => {}
    const audit = createAuditLog({ store, lines: null, clock, random: systemRandom, log: { warn: say, error: say } })
    await latchkey.setTenant({ tenant: { rate_limits: { login: { burst: 2, per_minute: 1 } } } })
    const browser = latchkey.instance({ buckets: inProcess(clock), audit }).browser({ ip: `203.0.113.${++next}` })
    const state = await beginLogin(browser)
    const tried = await types(async () => {
      for (const password of ['wrong', 'wrong', PASSWORD]) await submitPassword(browser, state, MAIL, password)
      await audit.flush()
    })
    await latchkey.setTenant({})
    expect(tried).toEqual(['fp', 'fp', 'limit_sul'])
  })

  it('says that an address is blocked', async () => {
    await latchkey.setTenant({
      attackProtection: { suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 2, rate: 864000 } } } },
    })
    const browser = browserAt()
    const state = await beginLogin(browser)
    const tried = await types(async () => {
      for (const name of ['a', 'b', 'c']) await submitPassword(browser, state, `${name}@mail.test`, 'wrong')
    })
    await latchkey.setTenant({})
    expect(tried).toEqual(['fu', 'fu', 'limit_mu'])
  })

  it('the log has an entry for a suspected bot, and for a captcha that is not solved', async () => {
    await latchkey.setTenant({ attackProtection: { botDetection: { challenge_password_policy: 'always' } } })
    const browser = browserAt()
    const state = await beginLogin(browser)
    const form = { state, action: 'login', username: MAIL, password: PASSWORD }
    const submit = (more: object) => browser.post('/u/submit', { form: { ...form, ...more } })
    expect(await types(() => submit({}))).toEqual(['pla'])
    expect(await types(() => submit({ captcha_session: 'x', captcha_number: '1' }))).toEqual([
      'latchkey_captcha_refused',
    ])
    await latchkey.setTenant({})
  })

  it('records too many requests', async () => {
    await latchkey.setTenant({
      tenant: {
        rate_limits: { passwordless_start: { burst: 1, per_minute: 1 }, userinfo: { burst: 1, per_minute: 1 } },
      },
    })
    const browser = browserAt()
    const { access_token } = await signInForTokens(browser, MAIL)
    const response = await types(async () => {
      for (let ask = 0; ask < 4; ask += 1) await sendTo(browser, 'sue@mail.test')
      await userinfo(browser, access_token)
      await userinfo(browser, access_token)
    })
    await latchkey.setTenant({})
    expect(response).toEqual(['cls', 'api_limit', 'limit_ui'])
  })
})

describe('accounts', () => {
  const signUp = (email: string, password: string) =>
    browserAt().post('/dbconnections/signup', { json: { client_id: 'spa', connection: 'Users', email, password } })

  it('are made or not', async () => {
    const password = 'a lantern over the harbour wall'
    const [log] = await during(() => signUp('new@mail.test', password))
    expect(log).toMatchObject({ type: 'ss', user_name: 'new@mail.test', user_id: expect.stringMatching(/^auth0\|/) })
    expect(await types(() => signUp('new@mail.test', password))).toEqual(['fs'])
    await latchkey.setTenant({
      attackProtection: {
        breachedPasswordDetection: {
          enabled: true,
          stage: { 'pre-user-registration': { shields: ['block'] }, 'pre-change-password': { shields: ['block'] } },
        },
      },
    })
    expect(await types(() => signUp('newer@mail.test', BREACHED))).toEqual(['signup_pwd_leak'])
  })

  it('do not sign in with a leaked password if the tenant wants that', async () => {
    await latchkey.addUser({ email: 'leaked@mail.test', password: BREACHED })
    await latchkey.setTenant({ attackProtection: { breachedPasswordDetection: { shields: ['block'] } } })
    const browser = browserAt()
    const state = await beginLogin(browser)
    expect(await types(() => submitPassword(browser, state, 'leaked@mail.test', BREACHED))).toEqual(['pwd_leak'])
    await latchkey.setTenant({})
  })

  it('get a new password or not', async () => {
    const browser = browserAt()
    const ask = (email: string) =>
      browser.post('/dbconnections/change_password', { json: { client_id: 'spa', connection: 'Users', email } })
    latchkey.clock.advance(60)
    expect(await types(() => ask(MAIL))).toEqual(['scpr'])
    expect(await types(() => ask('nobody@mail.test'))).toEqual(['fcpr'])
    const ticket = await ticketTo(latchkey, MAIL)
    const set = (password: string) => browser.post('/u/reset-password', { form: { ticket, password } })
    expect(await types(() => set(BREACHED))).toEqual(['reset_pwd_leak'])
    expect(await types(() => set('short'))).toEqual(['fcp'])
    expect(await types(() => set(PASSWORD))).toEqual(['scp'])
    expect(await types(() => set(PASSWORD))).toEqual(['fcp'])
  })

  it('prove their address or not', async () => {
    await latchkey.database.pool.query(
      `UPDATE connection SET settings = '{"options": {"require_verified_email": true}}' WHERE strategy = 'auth0'`,
    )
    latchkey.clock.advance(60)
    await latchkey.addUser({ email: 'vic@mail.test' })
    const browser = browserAt()
    const state = await beginLogin(browser)
    expect(await types(() => submitPassword(browser, state, 'vic@mail.test'))).toEqual(['f', 'svr'])
    await latchkey.database.pool.query(`UPDATE connection SET settings = '{}' WHERE strategy = 'auth0'`)
    latchkey.clock.advance(2)
    const ticket = await ticketTo(latchkey, 'vic@mail.test')
    const press = () => browser.post('/u/verify-email', { form: { ticket } })
    expect(await types(press)).toEqual(['sv'])
    expect(await types(press)).toEqual(['fv'])
  })
})

describe('tokens', () => {
  it('the log has an entry for tokens of a code and of a refresh', async () => {
    const browser = browserAt()
    const code = (await signIn(browser, MAIL)).get('code') ?? ''
    const [log] = await during(() => redeem(browser, code))
    expect(log).toMatchObject({ type: 'seacft', client_id: 'spa', user_id: 'auth0|kim' })
    expect(await types(() => redeem(browser, code))).toEqual(['feacft'])
    const tokens = await signInForTokens(browserAt(), MAIL)
    expect(await types(() => refresh(browser, tokens.refresh_token))).toEqual(['sertft'])
    const next = (await refresh(browser, tokens.refresh_token)).json()
    await refresh(browser, next.refresh_token)
    const [late] = await during(() => refresh(browser, tokens.refresh_token))
    expect(late).toMatchObject({
      type: 'ferrt',
      client_id: 'spa',
      user_id: 'auth0|kim',
      description: expect.stringContaining('alone'),
    })
    latchkey.clock.advance(3600)
    expect(await types(() => refresh(browser, tokens.refresh_token))).toEqual(['ferrt', 'fertft'])
    const { refresh_token } = await signInForTokens(browserAt(), MAIL)
    const form = { client_id: 'spa', token: String(refresh_token) }
    expect(await types(() => browser.post('/oauth/revoke', { form }))).toEqual(['srrt'])
  })

  it('the log has an entry for a session that an action ends', async () => {
    const browser = browserAt()
    await signIn(browser, MAIL)
    await bindAction(latchkey, 'post-login', postLogin("api.session.revoke('No')"))
    const silent = () => browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(await types(silent)).toEqual(['session_revoked', 'f'])
    await latchkey.setTenant({})
  })

  it("the log has an entry for a client's own token, and for a wrong secret", async () => {
    const ask = (client_secret: string) =>
      browserAt().post('/oauth/token', {
        form: { grant_type: 'client_credentials', client_id: 'machine', client_secret, audience: 'https://api.test' },
      })
    const [log] = await during(() => ask(WEB.secret))
    expect(log).toMatchObject({ type: 'seccft', client_id: 'machine', audience: 'https://api.test', scope: 'read' })
    const [refused] = await during(() => ask('wrong'))
    expect(refused).toMatchObject({ type: 'feccft', client_id: 'machine', description: 'wrong secret' })
  })

  it('the log has an entry for tokens by a password', async () => {
    const ask = (password: string) =>
      browserAt().post('/oauth/token', { form: { grant_type: 'password', client_id: 'spa', username: MAIL, password } })
    expect(await types(() => ask(PASSWORD))).toEqual(['sepft'])
    expect(await types(() => ask('wrong'))).toEqual(['fp', 'fepft'])
  })

  it('the log has an entry for a code that was sent', async () => {
    const browser = browserAt()
    latchkey.clock.advance(3600)
    expect(await types(() => sendTo(browser, 'pat@mail.test'))).toEqual(['cls'])
    const code = await codeTo(latchkey, 'pat@mail.test')
    expect(await types(() => redeemCode(browser, 'pat@mail.test', wrong(code)))).toEqual(['f', 'fepotpft'])
    const [log] = await during(() => redeemCode(browser, 'pat@mail.test', code))
    expect(log).toMatchObject({ type: 's', connection: 'email', strategy_type: 'passwordless' })
    const text = { connection: 'sms', phone_number: '+491717654321' }
    expect(await types(() => start(browser, text))).toEqual(['cs'])
  })

  it('the log has an entry for tokens of a device', async () => {
    const ask = (client_id = 'tv') => browserAt().post('/oauth/device/code', { form: { client_id, scope: 'openid' } })
    expect(await types(() => ask('none'))).toEqual(['fdeaz'])
    const { device_code, user_code } = (await ask()).json() as { device_code: string; user_code: string }
    const poll = () => browserAt().post('/oauth/token', { form: { grant_type: DEVICE, client_id: 'tv', device_code } })
    expect(await types(poll)).toEqual([])
    const browser = browserAt()
    const type = (code: string, form = {}) => browser.post('/activate', { form: { user_code: code, ...form } })
    expect(await types(() => type('BBBB-BBBB'))).toEqual(['fdeac'])
    const press = async (code: string, action: string) => {
      const { text } = await type(code)
      return type(code, { action, confirmation: /name="confirmation" value="([^"]+)"/.exec(text)?.[1] ?? '' })
    }
    const state = locationOf(await press(user_code, 'confirm')).searchParams.get('state') ?? ''
    expect(await types(() => submitPassword(browser, state, MAIL))).toEqual(['s'])
    expect(await types(poll)).toEqual(['sede'])
    expect(await types(poll)).toEqual(['fede'])
    const denied = (await ask()).json() as { user_code: string }
    const [log] = await during(() => press(denied.user_code, 'deny'))
    expect(log).toMatchObject({ type: 'fdecc', client_id: 'tv' })
  })

  it('the log has an entry for a pushed request', async () => {
    const form = { client_id: 'machine', client_secret: 'wrong' }
    expect(await types(() => browserAt().post('/oauth/par', { form }))).toEqual(['fpar'])
  })
})

describe('second factors', () => {
  let browser: Browser
  let user: string
  beforeAll(() => demand(latchkey))
  const person = async (): Promise<void> => {
    browser = browserAt()
    user = `user${next}@mail.test`
    await latchkey.addUser({ email: user })
  }

  it('the log has the entries of an authenticator app', async () => {
    await person()
    const logs = await during(() => enrollApp(latchkey, browser, user))
    expect(logs.map(({ type }) => type)).toEqual([
      'mfar',
      'gd_start_enroll',
      'gd_enrollment_complete',
      'gd_auth_succeed',
      'seotpft',
    ])
    expect(logs.map(({ details }) => details.factor).slice(1, 4)).toEqual(['otp', 'otp', 'otp'])
    const mfa_token = await mfaToken(browser, user)
    const answer = (otp: string) => token(browser, { grant_type: OTP, mfa_token, otp })
    expect(await types(() => answer('000000'))).toEqual(['gd_auth_failed', 'feotpft'])
    const tried = await types(async () => {
      for (let guess = 0; guess < 10; guess += 1) await answer('000000')
    })
    expect(tried.slice(-2)).toEqual(['gd_otp_rate_limit_exceed', 'feotpft'])
    const recover = await types(() => token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: 'x' }))
    expect(recover).toEqual(['gd_recovery_rate_limit_exceed', 'fercft'])
  })

  it('the log has the entries of a recovery code', async () => {
    await person()
    const { recoveryCode } = await enrollApp(latchkey, browser, user)
    const mfa_token = await mfaToken(browser, user)
    const recover = (recovery_code: string) => token(browser, { grant_type: RECOVERY, mfa_token, recovery_code })
    expect(await types(() => recover('wrong'))).toEqual(['gd_recovery_failed', 'fercft'])
    expect(await types(() => recover(recoveryCode))).toEqual(['gd_recovery_succeed', 'sercft'])
  })

  it('the log has the entries of a text message', async () => {
    await person()
    const phone = `+49171${2000000 + next}`
    await enrollPhone(browser, user, () => codeTo(latchkey, phone), phone)
    latchkey.clock.advance(60)
    const mfa_token = await mfaToken(browser, user)
    let oob_code = ''
    const response = await types(async () => {
      oob_code = String((await challenge(browser, mfa_token)).json().oob_code)
    })
    expect(response).toEqual(['gd_start_auth', 'gd_send_sms'])
    const code = await codeTo(latchkey, phone)
    const answer = (binding_code: string) => token(browser, { grant_type: OOB, mfa_token, oob_code, binding_code })
    expect(await types(() => answer(wrong(code)))).toEqual(['gd_auth_failed', 'feoobft'])
    expect(await types(() => answer(code))).toEqual(['gd_auth_succeed', 'seoobft'])
  })

  it.each([
    ['voice', 'gd_send_voice'],
    ['email', 'gd_send_email'],
  ])('the log has the entries of a code by %s', async (channel, sent) => {
    await person()
    const where = channel === 'voice' ? { phone_number: '+491713333333' } : { email: user }
    const parameters = { authenticator_types: ['oob'], oob_channels: [channel], ...where }
    const mfa_token = await mfaToken(browser, user)
    expect(await types(() => associate(browser, mfa_token, parameters))).toEqual(['gd_start_enroll', sent])
  })

  it('the log has an entry for a device that refuses', async () => {
    await person()
    const phone = latchkey.browser({ ip: '198.51.100.9' })
    const first = await mfaToken(browser, user)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['auth0'] }
    const { barcode_uri, oob_code: own } = (await associate(browser, first, parameters)).json()
    const enrollment_tx_id = new URL(String(barcode_uri)).searchParams.get('enrollment_tx_id')
    const device = (await phone.post('/mfa/devices', { json: { enrollment_tx_id, name: 'Pixel' } })).json().device_token
    await token(browser, { grant_type: OOB, mfa_token: first, oob_code: String(own) })
    const mfa_token = await mfaToken(browser, user)
    let oob_code = ''
    const prompted = await types(async () => {
      oob_code = String((await challenge(browser, mfa_token)).json().oob_code)
    })
    expect(prompted).toEqual(['gd_start_auth', 'gd_send_pn'])
    const { prompts } = (await phone.get('/mfa/prompts', { headers: bearer(device) })).json() as {
      prompts: { id: string }[]
    }
    await phone.post(`/mfa/prompts/${prompts[0]?.id}`, { json: { decision: 'reject' }, headers: bearer(device) })
    expect(await types(() => token(browser, { grant_type: OOB, mfa_token, oob_code }))).toEqual([
      'gd_auth_rejected',
      'feoobft',
    ])
  })

  it('the log has an entry for a removed factor', async () => {
    await person()
    const { secret } = await enrollApp(latchkey, browser, user)
    const audience = 'https://id.test/mfa/'
    const parameters = { audience, scope: 'read:authenticators remove:authenticators' }
    const mfa_token = String((await logIn(browser, user, parameters)).json().mfa_token)
    const { access_token } = (
      await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(latchkey, secret) })
    ).json()
    const list = (await browser.get('/mfa/authenticators', { headers: bearer(access_token) })).text
    const [{ id } = { id: '' }] = JSON.parse(list) as { id: string }[]
    const remove = () =>
      browser.send('DELETE', `/mfa/authenticators/${encodeURIComponent(id)}`, { headers: bearer(access_token) })
    const [log] = await during(remove)
    expect(log).toMatchObject({ type: 'gd_unenroll', user_name: user })
    expect(await types(() => browser.get('/mfa/authenticators', { headers: bearer('junk') }))).toEqual(['fapi'])
  })
})

it('says that a subject token was exchanged, and that one was not', async () => {
  await latchkey.setTenant({})
  const subject_token_type = 'urn:acme:judged'
  await addJudge(
    latchkey,
    subject_token_type,
    "if (event.transaction.subject_token === 'good') api.authentication.setUserById('auth0|kim'); else api.access.rejectInvalidSubjectToken('bad')",
  )
  await latchkey.addClient({
    ...SPA,
    clientId: 'exchanger',
    settings: { ...SPA.settings, token_exchange: { allow_any_profile_of_type: ['custom_authentication'] } },
  })
  const exchange = (subject_token: string) =>
    during(() =>
      browserAt().post('/oauth/token', {
        form: { grant_type: EXCHANGE, client_id: 'exchanger', subject_token, subject_token_type },
      }),
    )
  expect(await exchange('good')).toContainEqual(expect.objectContaining({ type: 'secte', user_id: 'auth0|kim' }))
  expect(await exchange('stolen')).toContainEqual(expect.objectContaining({ type: 'fecte', client_id: 'exchanger' }))
})

it('says that an owner asked for the deletion, kept the account, and lost it', async () => {
  await latchkey.setTenant({})
  const browser = browserAt()
  const user = await latchkey.addUser({ email: 'leaving@mail.test', data: { emailVerified: true } })
  await enterPortal(browser, 'leaving@mail.test')
  const press = (action: string) => types(() => submitInPortal(browser, 'data', { action, sure: 'yes' }))
  expect(await press('delete')).toEqual(['latchkey_deletion_requested'])
  expect(await press('keep')).toEqual(['latchkey_deletion_cancelled'])
  await press('delete')
  const { pool } = latchkey.database
  await pool.query(`UPDATE "user" SET delete_at = now() - interval '1 hour' WHERE id = $1`, [user])
  const { audit, clock } = latchkey
  const logs = await during(() => deleteAndRecord(clock.now(), { pool, audit, clock, hostname: 'id.test' }))
  expect(logs).toEqual([expect.objectContaining({ type: 'sdu', user_id: user, user_name: 'leaving@mail.test' })])
})

it('waits by default for the storage of records that must not be lost', async () => {
  const stored = async (type: string) =>
    (await listRecords(latchkey.database.pool, 'default', { limit: 10, type })).length
  await latchkey.setTenant({})
  const { refresh_token } = await signInForTokens(browserAt(), MAIL)
  const before = await stored('srrt')
  await browserAt().post('/oauth/revoke', { form: { client_id: 'spa', token: String(refresh_token) } })
  expect(await stored('srrt')).toBe(before + 1)
})

it('says what is changed, and by whom', async () => {
  await latchkey.setTenant({ tenant: { flags: { enable_dynamic_client_registration: true } } })
  const json = { client_name: 'Third', redirect_uris: ['https://third.test/cb'] }
  const [log] = await during(() => browserAt().post('/oidc/register', { json }))
  expect(log).toMatchObject({ type: 'sapi', details: { change: expect.stringMatching(/^client registered: /) } })
})

it('keeps all of it in one whole chain, and no secret in any of it', async () => {
  const text = JSON.stringify(await latchkey.audited())
  for (const secret of [PASSWORD, BREACHED, WEB.secret, 'hunter2']) expect(text).not.toContain(secret)
  const { tenantId } = await latchkey.runtime()
  const verdict = await withSnapshot(latchkey.database.pool, (reader) => verifyChain(tenantId, reader, latchkey.vault))
  expect(verdict.problem).toBeNull()
})

it('has caused every code there is', () => {
  /** Only a database failure or tampering causes these (lib/data/audit/log.test.ts, lib/adapters/store/audit.test.ts). */
  const elsewhere = ['latchkey_events_lost', 'latchkey_chain_unproven']
  const codes = Object.values(EVENTS).map(({ code }) => code as string)
  expect(codes.filter((code) => !seen.has(code) && !elsewhere.includes(code))).toEqual([])
})
