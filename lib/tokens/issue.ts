// The only place where a token response is made (RFC 6749 5.1): a grant says what is authorized, this mints it.
// - An ID token only with scope `openid` and a user.
// - `scope` is always told, so no client has to guess whether it got what it asked for.
import type { Api } from '../apis/api'
import type { UpdatedAtFormat } from '../claims/claims'
import type { Client } from '../clients/client'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { signJwt } from '../keys/jwt'
import type { Keyring } from '../keys/keyring'
import type { User } from '../users/user'
import { issueAccessToken } from './access-token'
import type { TokenFamily } from './family'
import { idTokenClaims } from './id-token'
import { writeRefreshToken } from './refresh-token'

/** What a grant decided. */
export type Authorization = {
  client: Client
  user: User
  api: Api | null
  family: Pick<TokenFamily, 'id' | 'sid' | 'authentication'>
  scopes: readonly string[]
  nonce: string | null
  /** Generation of the refresh token to hand out, or null for none. */
  refreshGeneration: number | null
  gty?: string | string[]
}

export type TokenResponse = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  id_token?: string
  refresh_token?: string
  scope?: string
}

export type IssueDeps = {
  issuer: string
  baseUrl: string
  keyring: Keyring
  vault: Vault
  random: Random
  now: Date
  updatedAt: UpdatedAtFormat
}

export async function issueTokens(authorization: Authorization, deps: IssueDeps): Promise<TokenResponse> {
  const { client, user, api, family, scopes } = authorization
  const access = await issueAccessToken(
    {
      familyId: family.id,
      clientId: client.clientId,
      subject: user.id,
      scopes,
      ...(authorization.gty === undefined ? {} : { gty: authorization.gty }),
    },
    api,
    deps,
  )
  const response: TokenResponse = { access_token: access.token, token_type: 'Bearer', expires_in: access.expiresIn }
  if (scopes.includes('openid')) {
    response.id_token = await signJwt(
      idTokenClaims(
        {
          client,
          user,
          scopes,
          authentication: family.authentication,
          sid: family.sid,
          nonce: authorization.nonce,
          accessToken: access.token,
        },
        deps,
      ),
      'JWT',
      deps.keyring,
    )
  }
  if (authorization.refreshGeneration !== null) {
    const ref = { familyId: family.id, generation: authorization.refreshGeneration }
    response.refresh_token = writeRefreshToken(ref, deps.vault)
  }
  if (scopes.length > 0) response.scope = scopes.join(' ')
  return response
}
