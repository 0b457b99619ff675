// Protection against guessed passwords, floods of logins and sign-ups, and breached passwords.
// - The secrets of captcha providers are sealed and never shown; an absent one keeps what is stored.
import * as z from 'zod'
import { attackProtectionSection, CAPTCHA_PROVIDERS, captchaSection } from '../../data/tenants/settings'
import { CAPTCHA_SECRETS, sealCaptcha, withoutSecrets } from '../../identity/captcha/secrets'
import { type Json, objectIn } from '../../kernel/json'
import { openObject } from '../../kernel/schema'
import { invalidBody } from '../operations/errors'
import { defineSingleton } from '../operations/singleton'
import { isSet } from '../operations/unsupported-protections'

const SCOPE = 'attack_protection'
const section = (name: keyof typeof attackProtectionSection.shape): z.ZodObject =>
  attackProtectionSection.shape[name].unwrap() as z.ZodObject

const bruteForce = defineSingleton({
  name: 'brute_force_protection',
  console: true,
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
  console: true,
  example: { enabled: true },
  title: 'throttling of suspicious addresses',
  path: '/attack-protection/suspicious-ip-throttling',
  scope: SCOPE,
  at: ['attackProtection', 'suspiciousIpThrottling'],
  schema: section('suspiciousIpThrottling'),
  deep: ['stage'],
  always: { stage: Object.fromEntries(Object.entries(RATES).map(([name, rate]) => [name, { rate }])) },
  present(members) {
    const stage = objectIn(members.stage)
    const rated = Object.entries(RATES).map(([name, rate]) => [name, { rate, ...objectIn(stage[name]) }])
    return { ...members, stage: { ...stage, ...Object.fromEntries(rated) } }
  },
})

const breachBody = openObject({
  admin_notification_frequency: z.array(z.enum(['immediately', 'daily', 'weekly', 'monthly'])).optional(),
  method: z.enum(['standard', 'enhanced']).optional(),
})

const BREACH_ALWAYS = { admin_notification_frequency: [], method: 'standard' }

/** Passwords are compared with the list at sign-up, reset and login, and at no other stage. */
function asksOfOtherStages(stages: Json): boolean {
  const { 'pre-user-registration': _signUp, 'pre-change-password': _reset, ...others } = objectIn(stages)
  return Object.values(others).some(isSet)
}

const breachedPasswords = defineSingleton({
  name: 'breached_password_detection',
  console: true,
  example: { enabled: true },
  title: 'detection of breached passwords',
  path: '/attack-protection/breached-password-detection',
  scope: SCOPE,
  at: ['attackProtection', 'breachedPasswordDetection'],
  schema: section('breachedPasswordDetection'),
  body: breachBody,
  deep: ['stage'],
  always: BREACH_ALWAYS,
  protecting: { stage: asksOfOtherStages },
  accept(body) {
    if (body.method === 'enhanced') throw invalidBody({ path: 'method', message: 'This server has its own list' })
    return body
  },
  answer: section('breachedPasswordDetection').extend(breachBody.required().shape),
  present: (members) => ({ ...BREACH_ALWAYS, ...members }),
})

const botDetection = defineSingleton({
  name: 'bot_detection',
  console: true,
  example: { bot_detection_level: 'high', challenge_password_policy: 'when_risky' },
  title: 'detection of bots',
  path: '/attack-protection/bot-detection',
  scope: SCOPE,
  at: ['attackProtection', 'botDetection'],
  schema: section('botDetection'),
})

/** The vendor's others do not exist here. */
const captchaBody = openObject({
  active_provider_id: z.enum(CAPTCHA_PROVIDERS).nullish(),
})

const shownCaptcha = z.object({
  ...captchaSection.shape,
  recaptcha_v2: captchaSection.shape.recaptcha_v2.unwrap().omit({ secret: true }).optional(),
  recaptcha_enterprise: captchaSection.shape.recaptcha_enterprise.unwrap().omit({ api_key: true }).optional(),
  hcaptcha: captchaSection.shape.hcaptcha.unwrap().omit({ secret: true }).optional(),
  turnstile: captchaSection.shape.turnstile.unwrap().omit({ secret: true }).optional(),
})

const captcha = defineSingleton({
  name: 'captcha',
  console: true,
  example: { active_provider_id: 'auth_challenge' },
  title: 'captcha',
  path: '/attack-protection/captcha',
  scope: SCOPE,
  at: ['attackProtection', 'captcha'],
  schema: section('captcha'),
  answer: shownCaptcha,
  body: captchaBody,
  deep: Object.keys(CAPTCHA_SECRETS),
  accept: (body, _before, { vault, random }) => sealCaptcha(body, vault, random),
  present: withoutSecrets,
})

export const attackProtection = { bruteForce, suspiciousIps, breachedPasswords, botDetection, captcha }
