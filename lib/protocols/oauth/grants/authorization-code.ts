// grant_type=authorization_code (RFC 6749 4.1.3, RFC 7636 4.5).
// - Every check precedes redemption: a wrong verifier or redirect URI does not use the code up.
// - Redemption decides races: one caller wins. A replay by the code's own client revokes the tokens from it (RFC 6749 4.1.2);
//   a replay by another client changes nothing.

import { apiOf, checkTarget } from '../../../data/apis/audience'
import type { Client } from '../../../data/clients/client'
import { optional, resource, text } from '../../../http/description'
import { APP, CALLBACK } from '../../../http/examples'
import { invalidGrant, missingParameter, unauthorizedClient } from '../../../kernel/errors'
import { type AuthorizationCode, codeEnd, readCode } from '../../../tokens/authorization-code'
import { newFamily } from '../../../tokens/birth'
import type { TokenFamily } from '../../../tokens/family'
import { checkVerifier } from '../pkce'
import type { Grant, GrantDeps } from './grant'

const BAD_CODE = 'Invalid authorization code'
const WRONG_KEY = 'The code is bound to a key that the request does not prove'

export const authorizationCode: Grant = {
  type: 'authorization_code',
  events: { done: 'code_exchanged', refused: 'code_exchange_refused' },
  describe: () => ({
    parameters: {
      code: text('The code of the authorization response'),
      redirect_uri: optional('The one of the authorization request, if it had one'),
      resource: resource(),
      code_verifier: optional('PKCE: the secret behind the code challenge'),
    },
    example: { ...APP, code: '<code>', redirect_uri: CALLBACK, code_verifier: '<code verifier>' },
  }),
  async authorize(parameters, client, deps, from) {
    if (parameters.code === undefined) throw missingParameter('code')
    const now = deps.clock.now()
    const code = readCode(parameters.code, deps)
    if (!code || code.clientId !== client.clientId)
      throw invalidGrant(BAD_CODE, {
        reason: 'code_invalid',
        detail: code ? 'issued to another client' : 'not issued by this server',
      })
    deps.trail.follow(code.authentication.login)
    if (codeEnd(code) <= now) throw await revokeAndRefuse('code_expired', code, now, deps)
    checkRedirectUri(code, parameters.redirect_uri)
    checkVerifier(code.codeChallenge, parameters.code_verifier)
    if (code.jkt !== undefined && code.jkt !== from.jkt) throw invalidGrant(WRONG_KEY, { reason: 'key_unproven' })
    await checkTarget(parameters, code.audience, deps)
    const api = await apiOf(code.audience, client, deps)
    const born = familyOf(code, client, now)
    if (born.expiresAt <= now) throw await revokeAndRefuse('session_ended', code, now, deps)
    const user = await deps.families.redeem(born, { issuedAt: code.issuedAt, at: now })
    if (!user) throw await revokeAndRefuse('code_used', code, now, deps)
    deps.trail.context({ user })
    if (user.blocked) throw invalidGrant('user is blocked', { reason: 'user_blocked' })
    const family = code.kept ? await asKept(born, deps) : born
    const { scopes, nonce } = code
    const refreshGeneration = family.generation
    return { client, user, api, family, scopes, nonce, refreshGeneration, protocol: 'oidc-basic-profile' }
  },
}

/** Includes the parameters that were too large for the code and were stored instead. */
const asKept = async (family: TokenFamily, { families }: GrantDeps): Promise<TokenFamily> => {
  const found = await families.find(family.id)
  return found ? { ...family, authentication: found.family.authentication } : family
}

const SPENT = {
  code_expired: 'the code has expired',
  code_used: 'the code was used, or its session has ended since',
  session_ended: 'the session of the login has ended',
}
type Spent = keyof typeof SPENT

/** The code was redeemed before, has expired, or its session has ended since: tokens from it are revoked. */
async function revokeAndRefuse(reason: Spent, code: AuthorizationCode, now: Date, deps: GrantDeps): Promise<Error> {
  await deps.families.revoke(code.familyId, now)
  return invalidGrant(BAD_CODE, { reason, detail: `${SPENT[reason]}; its tokens, if there are any, are revoked` })
}

function checkRedirectUri({ redirectUri }: AuthorizationCode, sent: string | undefined): void {
  if (redirectUri === null || sent === redirectUri) return
  const description = `The redirect URI is wrong. You sent ${sent ?? 'null'}, and we expected ${redirectUri}`
  throw unauthorizedClient(description, { reason: 'redirect_uri_differs' })
}

function familyOf(code: AuthorizationCode, client: Client, now: Date): TokenFamily {
  const { familyId: id, userId, scopes, audience, sid, authentication } = code
  return newFamily({ id, userId, scopes, audience, sid, authentication, gty: null }, client, now)
}
