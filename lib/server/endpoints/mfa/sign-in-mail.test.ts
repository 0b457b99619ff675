// The mail about a changed second factor or passkey, wherever it changes (threat-model.md MF10).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { softCredential } from '../../../testing/authenticator'
import { mailsTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { bearer, demand, enrollApp, MFA_WEB, mfaToken, RECOVERY, token } from '../../../testing/mfa'
import { addPasskey, offerPasskeys } from '../../../testing/passkeys'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let browser: Browser
let email: string
let user: string
let count = 0

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(MFA_WEB)
  await offerPasskeys(server)
})
afterAll(() => server.close())

beforeEach(async () => {
  await demand(server, ['all-applications'], ['otp', 'sms', 'recovery-code'])
  count += 1
  email = `user${count}@mail.test`
  user = await server.addUser({ email, data: { emailVerified: true } })
  browser = server.browser({ ip: `203.0.113.${count}`, userAgent: FIREFOX })
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

/** Newest first. */
async function notices(address = email): Promise<string[]> {
  const mails = await mailsTo(server, address)
  return mails.filter(({ link }) => link === 'https://id.test/account/activity').map(({ text }) => text)
}

const addPhone = (owner = user, id = `sms|dev_${owner}`) =>
  query(
    `INSERT INTO authenticator (tenant_id, id, user_id, type, channel, active, phone_number)
    VALUES ('default', $1, $2, 'oob', 'sms', true, '+491711234567')`,
    id,
    owner,
  )

describe('a mail about a factor that changed', () => {
  it('a mail is sent when an app is enrolled: what, when, with which browser, from where, and what to do', async () => {
    await enrollApp(server, browser, email)
    const [mail = '', ...more] = await notices()
    expect(more).toEqual([])
    for (const part of ['Added: Authenticator app', 'UTC', 'Firefox, Linux', `203.0.113.${count}`, 'This wasn’t me'])
      expect(mail).toContain(part)
  })

  it('a mail is sent when a recovery code is used', async () => {
    const { recoveryCode } = await enrollApp(server, browser, email)
    const mfa_token = await mfaToken(browser, email)
    server.clock.advance(1)
    const answer = await token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: recoveryCode })
    expect(answer.status).toBe(200)
    expect((await notices())[0]).toContain('Used to sign in, so there is a new one: Recovery code')
  })

  it('a mail is not sent when a wrong recovery code is tried', async () => {
    await enrollApp(server, browser, email)
    const mfa_token = await mfaToken(browser, email)
    const answer = await token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: 'A'.repeat(24) })
    expect(answer.status).toBe(403)
    expect(await notices()).toHaveLength(1)
  })

  it('a mail is sent once when twenty callers use one recovery code', async () => {
    const { recoveryCode } = await enrollApp(server, browser, email)
    const tokens: string[] = []
    for (let i = 0; i < 20; i++) tokens.push(await mfaToken(browser, email))
    server.clock.advance(1)
    const answers = await Promise.all(
      tokens.map((mfa_token) => token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: recoveryCode })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await notices()).filter((mail) => mail.includes('Recovery code'))).toHaveLength(1)
  })

  it('a mail is sent when the MFA API removes a factor', async () => {
    const { tokens } = await enrollApp(server, browser, email)
    const { id = '' } = (await (await server.runtime()).authenticators.list(user))[0] ?? {}
    server.clock.advance(1)
    const headers = bearer(tokens.access_token)
    const answer = await browser.send('DELETE', `/mfa/authenticators/${encodeURIComponent(id)}`, { headers })
    expect([401, 403, 204]).toContain(answer.status)
    expect((await notices()).some((mail) => mail.includes('Removed: Authenticator app'))).toBe(answer.status === 204)
  })

  it('a mail is sent when the portal adds or removes a passkey', async () => {
    await demand(server, [], [])
    await enterPortal(browser, email)
    const id = await addPasskey(server, user, softCredential())
    expect(await notices()).toEqual([expect.stringContaining('Added: Passkey')])
    server.clock.advance(1)
    await submitInPortal(browser, 'passkeys', { action: 'remove', passkey: id })
    const [mail = ''] = await notices()
    for (const part of ['Removed: Passkey', 'Firefox, Linux', `203.0.113.${count}`]) expect(mail).toContain(part)
  })

  it('a mail is sent when the portal removes a factor, in the language of the user', async () => {
    await demand(server, [], [])
    await enterPortal(browser, email)
    await addPhone()
    const { profiles, clock } = await server.runtime()
    await profiles.setLocale(user, 'de', clock.now())
    await submitInPortal(browser, 'factors', { action: 'remove', factor: `sms|dev_${user}` })
    expect((await notices())[0]).toContain('Entfernt: SMS')
  })
})

describe('by an administrator', () => {
  const path = (rest: string): string => `/users/${encodeURIComponent(user)}/${rest}`
  const TOTP = { type: 'totp', totp_secret: 'JBSWY3DPEHPK3PXP' }

  it('is one mail for all factors, and names no address', async () => {
    await addPhone()
    await manager.post(path('authentication-methods'), TOTP)
    server.clock.advance(1)
    expect((await manager.remove(path('authenticators'))).status).toBe(204)
    const [mail = '', ...more] = await notices()
    expect(more).toHaveLength(1)
    for (const part of ['Authenticator app', 'Text message', 'An administrator']) expect(mail).toContain(part)
    expect(mail).not.toContain('Network address')
  })

  it('is sent for what is given, replaced, and removed with passkeys', async () => {
    await addPasskey(server, user, softCredential())
    const changes: [() => Promise<{ status: number }>, string][] = [
      [() => manager.post(path('authentication-methods'), TOTP), 'Added: Authenticator app'],
      [() => manager.put(path('authentication-methods'), [TOTP]), 'Replaced by: Authenticator app'],
      [() => manager.put(path('authentication-methods'), []), 'Removed: Authenticator app'],
      [() => manager.remove(path('authentication-methods')), 'Removed: Passkey'],
    ]
    for (const [change, says] of changes) {
      server.clock.advance(1)
      expect((await change()).status).toBeLessThan(300)
      expect((await notices())[0]).toContain(says)
    }
    const before = (await notices()).length
    await manager.remove(path('authentication-methods'))
    expect(await notices()).toHaveLength(before)
  })

  it('is sent when the recovery code is renewed', async () => {
    await enrollApp(server, browser, email)
    server.clock.advance(1)
    expect((await manager.post(path('recovery-code-regeneration'), {})).status).toBe(201)
    expect((await notices())[0]).toContain('Renewed: Recovery code')
  })
})

describe('a mail that is not sent', () => {
  it('a mail is not sent to an unverified address', async () => {
    await query('UPDATE "user" SET email_verified = false WHERE id = $1', user)
    await addPhone()
    await manager.remove(`/users/${encodeURIComponent(user)}/authenticators`)
    expect(await notices()).toEqual([])
  })

  it('a mail is sent for a change that happened, and not for one that did not', async () => {
    const { authenticators, passkeys, mailer, clock } = await server.runtime()
    const owner = await (await server.runtime()).users.find(user)
    const compose = async () => {
      const row = await mailer.compose({
        kind: 'sign_in_changed',
        change: { what: 'removed', ways: ['sms'] },
        by: 'owner',
        userAgent: null,
        page: '/account/activity',
        to: email,
        user: owner,
        clientId: null,
        connectionId: '',
        ip: '',
        locale: undefined,
      })
      return { rows: [row], bound: null }
    }
    await addPhone()
    const other = await server.addUser({ email: `other${count}@mail.test` })
    expect(await authenticators.remove(other, [`sms|dev_${user}`], await compose())).toEqual([])
    expect(await passkeys.remove(user, ['passkey|dev_x'], await compose())).toEqual([])
    expect(await authenticators.replaceRecoveryCode(user, Buffer.from('a'), Buffer.from('b'), await compose())).toBe(
      false,
    )
    const given = { id: 'recovery-code|dev_x', userId: other, secretDigest: Buffer.from('x'), at: clock.now() }
    expect(await authenticators.giveRecoveryCode({ ...given, mail: await compose() })).toBe(false)
    expect(await notices()).toEqual([])
    const removals = await Promise.all(
      Array.from({ length: 20 }, async () => authenticators.remove(user, [`sms|dev_${user}`], await compose())),
    )
    expect(removals.filter(({ length }) => length === 1)).toHaveLength(1)
    expect(await notices()).toHaveLength(1)
  })

  it('nothing changes where the mail cannot be written', async () => {
    await addPhone()
    const { authenticators, mailer } = await server.runtime()
    const about = { to: email, user: null, clientId: null, connectionId: '', ip: '', locale: undefined }
    const mail = await mailer.compose({ kind: 'password_changed', ...about })
    const removal = authenticators.remove(user, [`sms|dev_${user}`], {
      rows: [{ ...mail, recipient: null as never }],
      bound: null,
    })
    await expect(removal).rejects.toThrow()
    expect(await authenticators.list(user)).toHaveLength(1)
  })
})
