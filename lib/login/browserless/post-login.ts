// Runs the tenant's actions for a login without a browser, after all other requirements are met. Redirects are impossible. A
// second factor is proven by further calls, for which the login is stored together with the effects of the actions.
import { acceptedFactors } from '../../identity/mfa/accepted'
import type { EventRefreshToken } from '../../identity/tenant-code/event'
import type { LoginFacts } from '../flow/state'
import { endedBy, type PostLoginDraft, typeDemand } from '../post-login/draft'
import { ELSEWHERE } from '../post-login/pass'
import { notFollowed, type Turning } from '../post-login/primary-user'
import { judgeFactor, type PostLoginMoment, type PostLoginVerdict, runPostLogin } from '../post-login/run'
import { refusalError } from '../steps/step'
import type { BrowserlessDeps, BrowserlessLogin } from './browserless'
import { mfaRequired } from './grant-login'

type Standing = Pick<LoginFacts, 'wants' | 'decisions'>

/** `draft` holds the effects of the actions from before a factor was proven. */
export async function passPostLoginBrowserless(
  login: BrowserlessLogin & { replaces?: string; refreshToken?: EventRefreshToken },
  { wants, decisions }: Standing,
  draft: PostLoginDraft | null,
  deps: BrowserlessDeps,
  turn: (turning: Turning) => Promise<BrowserlessLogin> = refuseTurn,
): Promise<BrowserlessLogin> {
  const { user, client, api, evidence, protocol, request } = login
  const moment = {
    ...{ user, client, api, wants, organization: login.organization ?? null, evidence },
    described: { protocol, ...(login.actor ? { actor: login.actor } : {}) },
    request: request(),
    locale: deps.settings.tenant.enabled_locales?.[0] ?? 'en',
    ...(login.refreshToken === undefined ? {} : { refreshToken: login.refreshToken }),
    isNewLogin: login.replaces === undefined,
  }
  const verdict = await judgePostLogin(moment, draft, deps)
  if (verdict.kind === 'denied') {
    if (verdict.revokes && login.replaces !== undefined) await deps.families.revoke(login.replaces, deps.clock.now())
    throw verdict.error
  }
  if (verdict.kind === 'redirect') throw refusalError(ELSEWHERE)
  if (verdict.kind === 'turned') return turn(verdict)
  const rules = { userId: user.id, effects: verdict.effects }
  if (verdict.kind === 'passed') return { ...login, user: verdict.user, ...endedBy(rules, login.scopes, api) }
  const facts = { wants, evidence, decisions: { ...decisions, rules } }
  const typed = typeDemand(verdict.effects, evidence)
  throw await mfaRequired(login, facts, await acceptedFactors({ user, typed }, deps), deps)
}

/** What continues an earlier proof does not go on as another user. */
const refuseTurn = (): Promise<never> => Promise.reject(notFollowed())

/** Actions that ran to their end do not run again, but what they require of a factor still has to be proven. */
async function judgePostLogin(
  moment: PostLoginMoment,
  draft: PostLoginDraft | null,
  deps: BrowserlessDeps,
): Promise<PostLoginVerdict> {
  if (!draft || draft.effects.suspended) return runPostLogin(moment, draft?.effects, deps)
  const { effects } = draft
  return (await judgeFactor(effects, moment, deps)) ?? { kind: 'passed', effects, user: moment.user }
}
