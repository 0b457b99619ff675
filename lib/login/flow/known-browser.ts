// The cookie by which a browser is known to the users who passed MFA in it (lib/identity/mfa/known-browser.ts): one value for each of
// the last few. It is read at every step and written only when a login finishes.

import { KNOWN_SECONDS, REMEMBER_SECONDS } from '../../identity/mfa/known-browser'
import { addSeconds } from '../../kernel/clock'
import { digest } from '../../kernel/secret'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../login-state'
import type { Visitor } from '../visitor'
import type { Cookie } from '../visitor-response'
import { demandOf, type LoginFrom } from './mfa'
import { hasFreshMfa } from './mfa-evidence'
import { rememberedIn } from './remembered-accounts'

const MAX_PEOPLE = 5
const VALUE_BYTES = 16

const valuesOf = ({ cookies: { known } }: Visitor): string[] => known?.split('.').filter((value) => value !== '') ?? []

export const fromBrowser = (visitor: Visitor, login: Uint8Array | null, deps: LoginDeps): LoginFrom => ({
  hasPages: true,
  login,
  browsers: valuesOf(visitor)
    .slice(0, MAX_PEOPLE)
    .map((value) => digest(value)),
  remembered: rememberedIn(visitor, deps),
  ip: visitor.ip,
})

/**
 * After a login with a second factor: stores the browser as known if the policy needs it, and as remembered if the user chose
 * so.
 */
export async function keepBrowser(state: LoginState, visitor: Visitor, deps: LoginDeps): Promise<Cookie[]> {
  const { user, evidence, decisions, now } = state
  const proven = hasFreshMfa(evidence)
  const remember = decisions.mfa?.remember === true
  if (!user || !proven || (!remember && demandOf(state, deps) !== 'risky')) return []
  const value = deps.random.token(VALUE_BYTES)
  const rememberedUntil = remember ? addSeconds(now, REMEMBER_SECONDS) : null
  await deps.knownBrowsers.keep(user.id, { digest: digest(value), rememberedUntil }, now)
  const values = [value, ...valuesOf(visitor)].slice(0, MAX_PEOPLE)
  return [{ name: 'known', value: values.join('.'), maxAge: KNOWN_SECONDS }]
}
