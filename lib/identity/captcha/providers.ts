// Captcha providers of third parties: one row each. A row knows what a page loads and how an answer is verified.
// - The server asks the provider by `callOut`, which guards against SSRF. An answer for another host is refused.
// - A provider that cannot be reached accepts nothing; the page offers a code by mail.

import type { CaptchaSettings } from '../../data/tenants/settings'
import type { CallOut, IncomingAnswer } from '../../kernel/call-out'
import { isJsonObject, type JsonObject } from '../../kernel/json'

export type WidgetProvider = Exclude<NonNullable<CaptchaSettings['active_provider_id']>, 'auth_challenge'>

/** The origins that a page with the widget needs (Content-Security-Policy). */
type WidgetSources = { scripts: readonly string[]; frames: readonly string[]; styles?: readonly string[] }

/** The answer of a browser, and where it was given. `siteKey` and `secret` are those of the tenant. */
export type WidgetAnswer = {
  token: string
  ip: string
  host: string
  siteKey: string
  secret: string
  projectId: string | undefined
}

type ProviderRow = {
  script: string
  /** The class by which the script finds its place. */
  place: string
  /** The field that the widget adds to the form. */
  field: string
  sources: WidgetSources
  verify(answer: WidgetAnswer, callOut: CallOut): Promise<boolean>
}

const GOOGLE: WidgetSources = {
  scripts: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  frames: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
}
const HCAPTCHA = ['https://hcaptcha.com', 'https://*.hcaptcha.com']
const CLOUDFLARE = ['https://challenges.cloudflare.com']

export const WIDGETS: Readonly<Record<WidgetProvider, ProviderRow>> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    place: 'cf-turnstile',
    field: 'cf-turnstile-response',
    sources: { scripts: CLOUDFLARE, frames: CLOUDFLARE },
    verify: siteVerify('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    place: 'h-captcha',
    field: 'h-captcha-response',
    sources: { scripts: HCAPTCHA, frames: HCAPTCHA, styles: HCAPTCHA },
    verify: siteVerify('https://api.hcaptcha.com/siteverify'),
  },
  recaptcha_v2: {
    script: 'https://www.google.com/recaptcha/api.js',
    place: 'g-recaptcha',
    field: 'g-recaptcha-response',
    sources: GOOGLE,
    verify: siteVerify('https://www.google.com/recaptcha/api/siteverify'),
  },
  recaptcha_enterprise: {
    script: 'https://www.google.com/recaptcha/enterprise.js',
    place: 'g-recaptcha',
    field: 'g-recaptcha-response',
    sources: GOOGLE,
    verify: assess,
  },
}

/** The longest token that is sent on. */
const MAX_TOKEN = 8192

/** A login waits for it. */
const PATIENCE_SECONDS = 5

export async function verifyWidget(provider: WidgetProvider, answer: WidgetAnswer, callOut: CallOut): Promise<boolean> {
  if (answer.token === '' || answer.token.length > MAX_TOKEN) return false
  return WIDGETS[provider].verify(answer, callOut).catch(() => false)
}

/** The interface that three of them share. */
function siteVerify(address: string): ProviderRow['verify'] {
  return async ({ secret, token, ip, siteKey, host }, callOut) => {
    const fields = { secret, response: token, remoteip: ip, sitekey: siteKey }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await callOut(address, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields).toString(),
      seconds: PATIENCE_SECONDS,
      fixed: true,
    })
    const { success, hostname } = membersOf(answer)
    return success === true && isHere(hostname, host)
  }
}

/** Below it the provider itself advises against the visitor (scores run from 0 to 1). */
const MIN_SCORE = 0.5

async function assess({ projectId = '', secret, token, ip, siteKey, host }: WidgetAnswer, callOut: CallOut) {
  const address = `https://recaptchaenterprise.googleapis.com/v1/projects/${encodeURIComponent(projectId)}/assessments?key=${encodeURIComponent(secret)}`
  const body = JSON.stringify({ event: { token, siteKey, userIpAddress: ip } })
  const headers = { 'content-type': 'application/json' }
  const { tokenProperties, riskAnalysis } = membersOf(
    await callOut(address, { method: 'POST', headers, body, seconds: PATIENCE_SECONDS, fixed: true }),
  )
  if (!isJsonObject(tokenProperties) || tokenProperties.valid !== true) return false
  const score = isJsonObject(riskAnalysis) ? riskAnalysis.score : undefined
  return isHere(tokenProperties.hostname, host) && (typeof score !== 'number' || score >= MIN_SCORE)
}

function membersOf({ status, body }: IncomingAnswer): JsonObject {
  const parsed: unknown = status === 200 ? JSON.parse(Buffer.from(body).toString('utf8')) : {}
  return isJsonObject(parsed) ? parsed : {}
}

/** A provider may leave the host out. */
const isHere = (hostname: unknown, host: string): boolean => hostname === undefined || hostname === host
