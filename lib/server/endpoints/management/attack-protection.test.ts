// Attack protection in the Management API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { CONNECTION_ID } from '../../../testing/seed'
import { type TestServer, testServer } from '../../../testing/server'

const at = (name: string): string => `/attack-protection/${name}`

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const applied = async () => {
  server.clock.advance(2)
  return (await server.runtime()).settings.attackProtection
}

describe('brute-force protection', () => {
  it('is shown with its defaults, changed and applied', async () => {
    expect((await manager.get(at('brute-force-protection'))).json()).toEqual({
      enabled: true,
      shields: ['block', 'user_notification'],
      allowlist: [],
      mode: 'count_per_identifier_and_ip',
      max_attempts: 10,
    })
    const answer = await manager.patch(at('brute-force-protection'), {
      max_attempts: 3,
      allowlist: ['192.0.2.1'],
      mode: 'count_per_identifier',
    })
    expect(answer.json()).toMatchObject({ max_attempts: 3, allowlist: ['192.0.2.1'], enabled: true })
    expect((await applied()).bruteForceProtection).toMatchObject({ max_attempts: 3, mode: 'count_per_identifier' })
  })

  it('a user is not blocked without the shield that blocks', async () => {
    const email = 'guessed@acme.test'
    await server.addUser({ email })
    const guess = async (shields: string[]): Promise<string> => {
      await manager.patch(at('brute-force-protection'), { max_attempts: 1, shields })
      await applied()
      const { attempts } = await server.runtime()
      const typed = { connectionIds: [CONNECTION_ID], name: email, ip: '198.51.100.7' }
      const verdicts = []
      for (const right of [false, false, true])
        verdicts.push((await attempts.run(typed, async () => (right ? 'in' : null))).verdict)
      return verdicts.join(' ')
    }
    expect(await guess(['user_notification'])).toBe('failed failed passed')
    expect(await guess(['block'])).toContain('blocked')
  })

  it.each([{ max_attempts: 0 }, { mode: 'count_all' }, { shields: ['alarm'] }, { enabled: 'yes' }])(
    'brute-force protection refuses %j',
    async (body) => {
      expect((await manager.patch(at('brute-force-protection'), body)).json()).toMatchObject({
        statusCode: 400,
        errorCode: 'invalid_body',
      })
    },
  )
})

describe('throttling of suspicious addresses', () => {
  it('merges the stages', async () => {
    await manager.patch(at('suspicious-ip-throttling'), { stage: { 'pre-login': { max_attempts: 40, rate: 500_000 } } })
    await manager.patch(at('suspicious-ip-throttling'), { stage: { 'pre-user-registration': { max_attempts: 7 } } })
    expect((await manager.get(at('suspicious-ip-throttling'))).json()).toMatchObject({
      enabled: true,
      shields: ['block'],
      stage: {
        'pre-login': { max_attempts: 40, rate: 500_000 },
        'pre-user-registration': { max_attempts: 7, rate: 1200 },
      },
    })
    expect((await applied()).suspiciousIpThrottling.stage).toMatchObject({
      'pre-login': { max_attempts: 40 },
      'pre-user-registration': { max_attempts: 7 },
    })
  })
})

describe('detection of breached passwords', () => {
  const PATH = at('breached-password-detection')

  it('is changed per stage', async () => {
    const stage = { 'pre-user-registration': { shields: [] } }
    expect((await manager.patch(PATH, { shields: [], stage, method: 'standard' })).status).toBe(200)
    expect((await manager.get(PATH)).json()).toMatchObject({
      shields: [],
      method: 'standard',
      stage: { 'pre-user-registration': { shields: [] }, 'pre-change-password': { shields: ['block'] } },
    })
    expect((await applied()).breachedPasswordDetection.stage['pre-user-registration'].shields).toEqual([])
  })

  it('is changed for logins, and reports that administrators get no mail', async () => {
    const shields = ['block', 'user_notification', 'admin_notification']
    expect((await manager.patch(PATH, { shields })).json()).toMatchObject({ shields })
    expect((await applied()).breachedPasswordDetection.shields).toEqual(shields)
    expect(await lastReported(server)).toEqual(['shields[2]'])
    const admin_notification_frequency = ['daily']
    const notified = await manager.patch(PATH, { admin_notification_frequency })
    expect(notified.json()).toMatchObject({ admin_notification_frequency })
    expect(await lastReported(server)).toEqual(['admin_notification_frequency'])
  })

  it.each([{ shields: ['other'] }, { method: 'enhanced' }, { method: 'other' }])(
    'refuses %j, which it could not do',
    async (body) => {
      expect((await manager.patch(PATH, body)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    },
  )
})

describe('bot detection', () => {
  it('is off, and changed', async () => {
    const shown = (await manager.get(at('bot-detection'))).json()
    expect(shown).toEqual({
      bot_detection_level: 'medium',
      challenge_password_policy: 'never',
      challenge_passwordless_policy: 'never',
      challenge_password_reset_policy: 'never',
      allowlist: [],
      monitoring_mode_enabled: false,
    })
    expect((await manager.patch(at('bot-detection'), shown)).json()).toEqual(shown)
    await manager.patch(at('bot-detection'), { challenge_password_policy: 'always', allowlist: ['192.0.2.1'] })
    expect((await applied()).botDetection).toMatchObject({
      challenge_password_policy: 'always',
      allowlist: ['192.0.2.1'],
    })
    await manager.patch(at('bot-detection'), shown)
  })

  it.each([{ challenge_password_policy: 'sometimes' }, { bot_detection_level: 'none' }, { allowlist: 'x' }])(
    'bot detection refuses %j',
    async (body) => {
      const refused = await manager.patch(at('bot-detection'), body)
      expect(refused.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    },
  )
})

describe('a captcha', () => {
  const keys = { site_key: 'site', secret: 'shh, a secret' }

  it('is shown without its secret, which a change without one keeps', async () => {
    expect((await manager.get(at('captcha'))).json()).toEqual({})
    const shown = { active_provider_id: 'hcaptcha', hcaptcha: { site_key: 'site' } }
    const set = await manager.patch(at('captcha'), { active_provider_id: 'hcaptcha', hcaptcha: keys })
    expect(set.json()).toEqual(shown)
    const { hcaptcha: before } = (await applied()).captcha
    expect(before?.secret).not.toContain('shh, a secret')
    expect((await manager.patch(at('captcha'), shown)).json()).toEqual(shown)
    expect((await applied()).captcha.hcaptcha).toEqual(before)
    expect((await manager.get(at('captcha'))).json()).toEqual(shown)
    expect(
      (await manager.patch(at('captcha'), { active_provider_id: 'auth_challenge', hcaptcha: null })).json(),
    ).toEqual({
      active_provider_id: 'auth_challenge',
    })
    expect(JSON.stringify(await server.audited())).not.toContain('shh, a secret')
  })

  it.each([
    { active_provider_id: 'arkose' },
    { active_provider_id: 'recaptcha_v2' },
    { active_provider_id: 'turnstile', turnstile: { site_key: 'site' } },
    { hcaptcha: 'x' },
  ])('the captcha refuses %j', async (body) => {
    expect((await manager.patch(at('captcha'), body)).json()).toMatchObject({
      statusCode: 400,
      errorCode: 'invalid_body',
    })
  })
})
