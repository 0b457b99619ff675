// Tokens that leave /authorize in the browser's address or a message to it (OIDC Core 3.2, 3.3; D1).
// - An access token begins its family at once, so user-info knows it and revoking it bites; a refresh token never
//   leaves this way.
// - An ID token goes where the response type names it, and with `token` alone where the scope is openid: the contract
//   has both in the fragment. It is bound by hash to whatever leaves beside it.
import type { ApiPort } from '../../apis/api'
import { apiOf } from '../../apis/audience'
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
  const api = await apiOf(granted.audience, deps)
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
  new DomainError('login_required', 'Login required', { detail: 'the session ended meanwhile' })

/** As every client library reads them: in the order of OIDC Core's examples, numbers as text. */
const fieldsOf = (tokens: BrowserTokens): Record<string, string> =>
  Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, String(value)]))
