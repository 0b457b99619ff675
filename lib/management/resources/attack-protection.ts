// Protection against guessed passwords, floods of logins and sign-ups, and breached passwords.
// - Bot detection and captchas do not exist here: they report that, and a change that enables them is refused.
import * as z from 'zod'
import type { JsonObject } from '../../kernel/json'
import { attackProtectionSection } from '../../tenants/settings'
import { invalidBody } from '../errors'
import { defineSingleton } from '../singleton'

const SCOPE = 'attack_protection'
const section = (name: keyof typeof attackProtectionSection.shape): z.ZodObject =>
  attackProtectionSection.shape[name].unwrap() as z.ZodObject

const bruteForce = defineSingleton({
  name: 'brute_force_protection',
  example: { enabled: true, max_attempts: 10 },
  title: 'brute-force protection',
  path: '/attack-protection/brute-force-protection',
  scope: SCOPE,
  at: ['attackProtection', 'bruteForceProtection'],
  schema: section('bruteForceProtection'),
})

/** In milliseconds, of the vendor. Here the count of an address restarts each day, and that of sign-ups each minute. */
const RATES = { 'pre-login': 864_000, 'pre-user-registration': 1200 } as const

const suspiciousIps = defineSingleton({
  name: 'suspicious_ip_throttling',
  example: { enabled: true },
  title: 'throttling of suspicious addresses',
  path: '/attack-protection/suspicious-ip-throttling',
  scope: SCOPE,
  at: ['attackProtection', 'suspiciousIpThrottling'],
  schema: section('suspiciousIpThrottling'),
  deep: ['stage'],
  present(members) {
    const stage = members.stage as Record<string, JsonObject>
    const rated = Object.entries(RATES).map(([name, rate]) => [name, { rate, ...stage[name] }])
    return { ...members, stage: { ...stage, ...Object.fromEntries(rated) } }
  },
})

const breachBody = z.looseObject({
  admin_notification_frequency: z.array(z.enum(['immediately', 'daily', 'weekly', 'monthly'])).optional(),
  method: z.enum(['standard', 'enhanced']).optional(),
}) as unknown as z.ZodType<JsonObject>

const breachedPasswords = defineSingleton({
  name: 'breached_password_detection',
  example: { enabled: true },
  title: 'detection of breached passwords',
  path: '/attack-protection/breached-password-detection',
  scope: SCOPE,
  at: ['attackProtection', 'breachedPasswordDetection'],
  schema: section('breachedPasswordDetection'),
  body: breachBody,
  deep: ['stage'],
  accept(body) {
    if (body.method === 'enhanced') throw invalidBody("This server has its own list' on property 'method")
    return body
  },
  present: (members) => ({ admin_notification_frequency: [], method: 'standard', ...members }),
})

const POLICIES = [
  'challenge_password_policy',
  'challenge_passwordless_policy',
  'challenge_password_reset_policy',
] as const
const policy = z.enum(['never', 'when_risky', 'always']).optional()

const botBody = z.looseObject({
  bot_detection_level: z.enum(['low', 'medium', 'high']).optional(),
  challenge_password_policy: policy,
  challenge_passwordless_policy: policy,
  challenge_password_reset_policy: policy,
  allowlist: z.array(z.string()).optional(),
  monitoring_mode_enabled: z.boolean().optional(),
}) as unknown as z.ZodType<JsonObject>

const botDetection = defineSingleton({
  name: 'bot_detection',
  title: 'detection of bots',
  path: '/attack-protection/bot-detection',
  scope: SCOPE,
  at: ['botDetection'],
  schema: z.object({}),
  body: botBody,
  accept(body) {
    const enabled = POLICIES.find((name) => body[name] !== undefined && body[name] !== 'never')
    if (enabled !== undefined)
      throw invalidBody(`There is no captcha here, so it must be never' on property '${enabled}`)
    return body
  },
  present: (members) => ({
    bot_detection_level: 'medium',
    ...Object.fromEntries(POLICIES.map((name) => [name, 'never'])),
    allowlist: [],
    monitoring_mode_enabled: false,
    ...members,
  }),
})

const captcha = defineSingleton({
  name: 'captcha',
  title: 'captcha',
  path: '/attack-protection/captcha',
  scope: SCOPE,
  at: ['captcha'],
  schema: z.object({}),
  accept(body) {
    const [name] = Object.entries(body).find(([, value]) => value !== null) ?? []
    if (name !== undefined) throw invalidBody(`There is no captcha here' on property '${name}`)
    return body
  },
})

export const attackProtection = [...bruteForce, ...suspiciousIps, ...breachedPasswords, ...botDetection, ...captcha]
