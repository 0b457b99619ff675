// The cookie by which a browser is known to the users who passed MFA in it (lib/mfa/known-browser.ts): one value for each of
// the last few. It is read at every step and written only when a login finishes.
import { readCookie, writeCookie } from '../../http/cookies'
import type { HttpRequest } from '../../http/message'
import { addSeconds } from '../../kernel/clock'
import { digest } from '../../kernel/secret'
import { KNOWN_SECONDS, REMEMBER_SECONDS } from '../../mfa/known-browser'
import type { LoginDeps } from '../deps'
import { demandOf, type LoginFrom } from './mfa'
import { hasFreshMfa } from './mfa-evidence'
import type { LoginState } from './requirements'

const MAX_PEOPLE = 5
const VALUE_BYTES = 16

const valuesOf = (request: HttpRequest, deps: Pick<LoginDeps, 'secure'>): string[] =>
  readCookie(request, 'known', deps)
    ?.split('.')
    .filter((value) => value !== '') ?? []

export const fromBrowser = (
  request: HttpRequest,
  login: Uint8Array | null,
  deps: Pick<LoginDeps, 'secure'>,
): LoginFrom => ({
  login,
  browsers: valuesOf(request, deps)
    .slice(0, MAX_PEOPLE)
    .map((value) => digest(value)),
  ip: request.ip,
})

/**
 * After a login with a second factor: stores the browser as known if the policy needs it, and as remembered if the user chose
 * so.
 */
export async function keepBrowser(
  state: LoginState,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<[string, string][]> {
  const { user, evidence, decisions, now } = state
  const proven = hasFreshMfa(evidence)
  const remember = decisions.mfa?.remember === true
  if (!user || !proven || (!remember && demandOf(state, deps) !== 'risky')) return []
  const value = deps.random.token(VALUE_BYTES)
  const rememberedUntil = remember ? addSeconds(now, REMEMBER_SECONDS) : null
  await deps.knownBrowsers.keep(user.id, { digest: digest(value), rememberedUntil }, now)
  const values = [value, ...valuesOf(request, deps)].slice(0, MAX_PEOPLE)
  return [writeCookie('known', values.join('.'), deps, KNOWN_SECONDS)]
}
