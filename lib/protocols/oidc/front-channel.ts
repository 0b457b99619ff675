// Tokens that leave /authorize through the browser: in the address or in a message (OIDC Core 3.2, 3.3; D1).
// - An access token creates its token family at once, so user-info knows the token and revocation takes effect. A refresh token
//   is never returned this way.
// - An ID token is returned where the response type names it, and with `token` alone where the scope contains openid: the
//   contract returns both in the fragment. It is bound by hashes to the values returned with it.
import type { ApiPort } from '../../data/apis/api'
import { apiOf } from '../../data/apis/audience'
import type { Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { LoginOutcome } from '../../login/transaction'
import type { AuthorizationCode } from '../../tokens/authorization-code'
import { newFamily } from '../../tokens/birth'
import type { FamilyPort } from '../../tokens/family'
import { type BrowserTokens, type IssueDeps, issueToBrowser } from '../../tokens/issue'
import type { AuthorizeRequest } from './request'
import { carries } from './response-type'

export type FrontChannelDeps = {
  apis: ApiPort
  families: Pick<FamilyPort, 'insert'>
  clock: Clock
  issuing(): IssueDeps
}

export async function issueInFront(
  { responseType, nonce, state }: AuthorizeRequest,
  { client, user, ip }: LoginOutcome,
  granted: AuthorizationCode,
  code: string | null,
  deps: FrontChannelDeps,
): Promise<Record<string, string>> {
  const now = deps.clock.now()
  const api = await apiOf(granted.audience, client, deps)
  const { familyId: id, userId, scopes, audience, sid, authentication } = granted
  const family = newFamily({ id, userId, scopes, audience, sid, authentication, gty: null }, client, now)
  const accessToken = carries(responseType, 'token')
  if (accessToken && !(await deps.families.insert(family, now))) {
    throw sessionEnded()
  }
  const idToken = carries(responseType, 'id_token') || (responseType === 'token' && scopes.includes('openid'))
  const protocol = code === null ? 'oidc-implicit-profile' : 'oidc-hybrid-profile'
  const authorization = { client, user, api, family, scopes, nonce, refreshGeneration: null, protocol }
  return fieldsOf(await issueToBrowser(authorization, { accessToken, idToken, code, state }, ip, deps.issuing()))
}

export const sessionEnded = (): DomainError =>
  new DomainError('login_required', 'Login required', {
    reason: 'session_ended',
    detail: 'the session ended meanwhile',
  })

/** The order is that of the examples in OIDC Core, and numbers are text: client libraries parse this form. */
const fieldsOf = (tokens: BrowserTokens): Record<string, string> =>
  Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, String(value)]))
