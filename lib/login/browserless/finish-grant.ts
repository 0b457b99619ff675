// Finishes a login that a grant started, after the second factor was proven: the requirements are evaluated once more, the
// `mfa_token` is consumed (only one of several parallel callers succeeds), and the tokens are those of the first request.
// - If another factor has to follow, the answer is `mfa_required` again, with a token of its own.
// - A login that replaces a token family ends that family first. If the family was revoked or replaced in the meantime, no
//   tokens are issued (RT4).
import { apiOf } from '../../data/apis/audience'
import type { Client } from '../../data/clients/client'
import { notAMember } from '../../data/organizations/organization'
import type { Evidence } from '../../data/sessions/session'
import { type DomainError, invalidGrant } from '../../kernel/errors'
import type { PersonalAuthorization } from '../../tokens/issue'
import { organizationOf } from '../../tokens/organization-claims'
import { withMfa } from '../flow/mfa-evidence'
import { settleMembership } from '../flow/organization'
import { loadState } from '../flow/state'
import type { LoginState } from '../login-state'
import { draftOf } from '../post-login/draft'
import { nextRequirement } from '../steps/index'
import { errorOf } from '../steps/step'
import { type BrowserlessDeps, begin, type From } from './browserless'
import { expiredToken, type GrantLogin, mfaRequired } from './grant-login'
import { passPostLoginBrowserless } from './post-login'

export async function finishGrantLogin(
  login: GrantLogin,
  factor: string,
  client: Client,
  from: From,
  deps: BrowserlessDeps,
): Promise<PersonalAuthorization> {
  const { transaction, user } = login
  const { wants, origin } = transaction
  const now = deps.clock.now()
  const evidence = withMfa(transaction.evidence, factor, now)
  const { gty, protocol = 'oauth2-password', ip, replaces } = origin.request
  const judged = replaces === null ? await judge(login, evidence, deps) : null
  const { api, organization } = judged ?? (await replacement(login, client, deps))
  const grantLogin = {
    ...{ user, evidence, client, api, scopes: wants.scopes, gty, protocol, ip, request: from.request },
    ...(organization === null ? {} : { organization }),
    ...(replaces === null ? {} : { replaces }),
  }
  const draft = draftOf({ decisions: transaction.decisions, user })
  const runsPostLogin = draft !== null || deps.triggers.isBound('post-login')
  const ruled = runsPostLogin ? await passPostLoginBrowserless(grantLogin, transaction, draft, deps) : grantLogin
  if (!(await deps.transactions.consume(transaction.handleDigest, now))) throw expiredToken()
  if (replaces !== null && !(await deps.families.revoke(replaces, now))) throw overMeanwhile()
  if (judged) await settleMembership(judged, deps)
  return begin(ruled, deps)
}

/** What a login that replaces another keeps of it: the API, and the organization while the user is a member. */
async function replacement({ transaction: { wants }, user }: GrantLogin, client: Client, deps: BrowserlessDeps) {
  const organization = await organizationOf(wants.organization ?? undefined, deps)
  if (organization && !(await deps.organizations.isMember(organization.id, user.id)))
    throw invalidGrant(notAMember(user, organization), { reason: 'not_a_member' })
  return { api: await apiOf(wants.audience, client, deps), organization }
}

const overMeanwhile = (): DomainError =>
  invalidGrant('Unknown or invalid refresh token.', {
    reason: 'refresh_token_expired',
    detail: 'revoked or replaced since its mfa_token was issued',
  })

async function judge(
  { transaction, user }: GrantLogin,
  evidence: Evidence[],
  deps: BrowserlessDeps,
): Promise<LoginState> {
  const { wants, decisions, origin, handleDigest } = transaction
  const from = { hasPages: false, login: handleDigest, browsers: [], remembered: [], ip: origin.request.ip }
  const state = await loadState({ wants, user, evidence, decisions }, from, deps)
  const missing = nextRequirement(state)
  if (missing && state.mfa?.required) {
    const { gty, protocol = 'oauth2-password', ip } = origin.request
    throw await mfaRequired({ user, gty, protocol, ip }, { wants, evidence, decisions }, state.mfa.enrolments, deps)
  }
  if (missing) throw errorOf(missing, state)
  return state
}
