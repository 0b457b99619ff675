// When a request has to come with a solved captcha (threat-model.md BD1 to BD4).
// - The tenant's policy decides: never, when the request is risky, always. With `never` nothing is read or written.
// - Risk is of the network, never of the account that was typed: otherwise the demand would reveal which accounts exist.
// - It is judged before any account is looked up, so the refusal is the same for every account.
import type { Trail } from '../../data/audit/trail'
import type { TenantSettings } from '../../data/tenants/settings'
import { type CountLimit, countOf, networkBounds } from '../../data/users/allowance'
import type { AttemptGuard, AttemptPort } from '../../data/users/attempts'
import type { CallOut } from '../../kernel/call-out'
import { DomainError } from '../../kernel/errors'
import { isWorkDone, makeWork, type Work, type WorkDeps } from './proof-of-work'
import { verifyWidget, WIDGETS, type WidgetProvider } from './providers'
import { openCaptchaSecret } from './secrets'

export type CaptchaUse = 'login' | 'sign_up' | 'password_reset' | 'passwordless'

export type CaptchaDeps = WorkDeps & {
  settings: TenantSettings
  baseUrl: string
  attempts: Pick<AttemptGuard, 'failuresFrom'>
  attemptCounters: Pick<AttemptPort, 'count'>
  callOut: CallOut
  trail: Trail
}

const POLICIES = {
  login: 'challenge_password_policy',
  sign_up: 'challenge_password_policy',
  password_reset: 'challenge_password_reset_policy',
  passwordless: 'challenge_passwordless_policy',
} as const satisfies Record<CaptchaUse, string>

type Policy = 'never' | 'when_risky' | 'always'

export function captchaPolicy(use: CaptchaUse, ip: string, { settings }: Pick<CaptchaDeps, 'settings'>): Policy {
  const { botDetection } = settings.attackProtection
  return botDetection.allowlist.includes(ip) ? 'never' : botDetection[POLICIES[use]]
}

/** Failed logins of the network today, or its messages or sign-ups of this window, from which on its requests are risky. */
const RISKY = { low: 30, medium: 10, high: 3 } as const

/** What a flood of requests of this use leaves behind (the bounds are those of the code that counts). */
const TRACES: Readonly<Record<CaptchaUse, (ip: string) => CountLimit[]>> = {
  login: () => [],
  sign_up: (ip) => networkBounds('sign-up', ip, 0, 60),
  password_reset: (ip) => networkBounds('mail-network', ip, 0, 3600),
  passwordless: (ip) => networkBounds('code-message-network', ip, 0, 3600),
}

async function isRisky(use: CaptchaUse, ip: string, deps: CaptchaDeps): Promise<boolean> {
  const least = RISKY[deps.settings.attackProtection.botDetection.bot_detection_level]
  if ((await deps.attempts.failuresFrom(ip)) >= least) return true
  const [own] = TRACES[use](ip)
  return own !== undefined && (await countOf(own, deps)) >= least
}

/** Whether this request must bring a solution. */
export async function demandsCaptcha(use: CaptchaUse, ip: string, deps: CaptchaDeps): Promise<boolean> {
  const policy = captchaPolicy(use, ip, deps)
  if (policy === 'never') return false
  if (policy === 'when_risky' && !(await isRisky(use, ip, deps))) return false
  if (!deps.settings.attackProtection.botDetection.monitoring_mode_enabled) return true
  deps.trail.record('bot_suspected', { sentence: `a captcha would be demanded (${use})` })
  return false
}

export type CaptchaChallenge = ({ kind: 'work' } & Work) | { kind: 'widget'; provider: WidgetProvider; siteKey: string }

/** `login` is the digest of a login's handle; empty for the API. */
export function challengeFor(
  login: string,
  deps: Omit<WorkDeps, 'tickets'> & Pick<CaptchaDeps, 'settings'>,
): CaptchaChallenge {
  const widget = widgetOf(deps)
  return widget
    ? { kind: 'widget', provider: widget.provider, siteKey: widget.siteKey }
    : { kind: 'work', ...makeWork(login, deps) }
}

function widgetOf({ settings }: Pick<CaptchaDeps, 'settings'>) {
  const { active_provider_id: provider = 'auth_challenge', ...keys } = settings.attackProtection.captcha
  if (provider === 'auth_challenge') return null
  const key = keys[provider]
  if (!key) return null
  const sealed = 'api_key' in key ? key.api_key : key.secret
  return { provider, siteKey: key.site_key, sealed, projectId: 'project_id' in key ? key.project_id : undefined }
}

/** What a form or a body brings: the values of our own challenge, or the token of a provider. */
export type CaptchaAnswer = { session?: string | undefined; number?: string | undefined; token?: string | undefined }

export type CaptchaVerdict = 'solved' | 'missing' | 'wrong'

export async function judgeAnswer(
  { session = '', number = '', token = '' }: CaptchaAnswer,
  { ip, login }: { ip: string; login: string },
  deps: CaptchaDeps,
): Promise<CaptchaVerdict> {
  const widget = widgetOf(deps)
  if ((widget ? token : session && number) === '') return 'missing'
  const solved = widget ? await isAccepted(widget, token, ip, deps) : await isWorkDone(session, number, login, deps)
  if (solved) return 'solved'
  deps.trail.record('captcha_refused', { sentence: 'the captcha was not solved' })
  return 'wrong'
}

type Widget = NonNullable<ReturnType<typeof widgetOf>>

async function isAccepted(widget: Widget, token: string, ip: string, deps: CaptchaDeps): Promise<boolean> {
  const { provider, siteKey, projectId } = widget
  const secret = openCaptchaSecret(provider, widget.sealed, deps.vault)
  if (secret === null) return false
  const host = new URL(deps.baseUrl).hostname
  return verifyWidget(provider, { token, ip, host, siteKey, secret, projectId }, deps.callOut)
}

/** The field of a form that holds the provider's token; undefined for our own challenge. */
export const tokenField = (deps: Pick<CaptchaDeps, 'settings'>): string | undefined => {
  const widget = widgetOf(deps)
  return widget ? WIDGETS[widget.provider].field : undefined
}

/**
 * For requests without a page of this server. `answer` is the member `captcha`: the provider's token, or session and number of
 * our own challenge with a point between them. Undefined where the request cannot bring one.
 */
export async function refuseBots(
  use: CaptchaUse,
  { ip, answer }: { ip: string; answer?: unknown },
  deps: CaptchaDeps,
): Promise<void> {
  if (!(await demandsCaptcha(use, ip, deps))) return
  const text = typeof answer === 'string' ? answer : ''
  const [session, number] = text.split('.')
  const verdict = await judgeAnswer({ session, number, token: text }, { ip, login: '' }, deps)
  if (verdict === 'solved') return
  if (verdict === 'wrong') throw new DomainError('invalid_captcha', 'Invalid captcha value')
  deps.trail.record('bot_suspected', { sentence: `a captcha is demanded (${use})` })
  throw new DomainError('requires_verification', 'Suspicious request requires verification')
}
