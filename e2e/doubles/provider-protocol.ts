// The checks of the identity provider doubles, written against the specifications only (RFC 6749 4.1, RFC 7636, RFC 9207,
// OpenID Connect Core 3.1), and the peculiarities of three real providers:
// - Lighthouse, as Google: OpenID Connect with PKCE; name and picture in the ID token.
// - Octopus, as GitHub: OAuth 2.0 only; errors of the token endpoint have status 200; the API requires a user agent.
// - Orchard, as Apple: the response is posted; the client signs its secret; the name is sent with the first response only.
// - Guild Hall, an enterprise provider.
import { createHash, createPublicKey, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { ORCHARD_KEY, PROVIDERS_HERE, PROVIDERS_THERE, SERVER } from '../origins'

export type ProviderName = 'lighthouse' | 'octopus' | 'orchard' | 'guild'

type Provider = { title: string; secret: string | null; oidc: boolean; pkce: boolean; posts: boolean }

export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  lighthouse: { title: 'Lighthouse', secret: 'lighthouse-secret', oidc: true, pkce: true, posts: false },
  octopus: { title: 'Octopus', secret: 'octopus-secret', oidc: false, pkce: true, posts: false },
  orchard: { title: 'Orchard', secret: null, oidc: true, pkce: true, posts: true },
  guild: { title: 'Guild Hall', secret: 'guild-secret', oidc: true, pkce: true, posts: false },
}

export const clientIdAt = (provider: ProviderName): string => `latchkey-at-${provider}`

/** A user of the provider: an address, and the name derived from it. */
export type Account = { sub: string; email: string; name: string }

export const accountOf = (email: string): Account => {
  const words = (email.split('@')[0] ?? '').split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const sub = Number.parseInt(createHash('sha256').update(email).digest('hex').slice(0, 10), 16)
  return { sub: String(sub), email, name: words.join(' ') }
}

export type AuthorizationRequest = {
  provider: ProviderName
  state: string
  nonce: string | null
  challenge: string
  hint: string
  anew: boolean
}

export const CALLBACK = `${SERVER}/login/callback`

/** The error page, shown instead of a redirect if the request is invalid. */
export function readRequest(provider: ProviderName, query: URLSearchParams): AuthorizationRequest | { wrong: string } {
  const { oidc, posts } = PROVIDERS[provider]
  const wants = (name: string): string => query.get(name) ?? ''
  if (wants('client_id') !== clientIdAt(provider)) return { wrong: 'client_id' }
  if (wants('redirect_uri') !== CALLBACK) return { wrong: 'redirect_uri' }
  if (wants('response_type') !== 'code') return { wrong: 'response_type' }
  if (wants('state').length < 20) return { wrong: 'state' }
  if (wants('code_challenge_method') !== 'S256' || wants('code_challenge').length !== 43) return { wrong: 'PKCE' }
  if (oidc && wants('nonce').length < 20) return { wrong: 'nonce' }
  if (oidc && !wants('scope').split(' ').includes('openid')) return { wrong: 'scope' }
  if (posts && wants('response_mode') !== 'form_post') return { wrong: 'response_mode' }
  return {
    provider,
    state: wants('state'),
    nonce: query.get('nonce'),
    challenge: wants('code_challenge'),
    hint: wants('login_hint'),
    anew: wants('prompt') === 'login',
  }
}

type Grant = AuthorizationRequest & { account: Account; until: number }

const codes = new Map<string, Grant>()
const tokens = new Map<string, { provider: ProviderName; account: Account }>()
const signing = await generateKeyPair('RS256', { extractable: true })

export const token = (): string => randomBytes(24).toString('base64url')

/** Single use, for one minute. */
export function issueCode(authorization: AuthorizationRequest, account: Account): string {
  const code = token()
  codes.set(code, { ...authorization, account, until: Date.now() + 60_000 })
  return code
}

export type Json = Record<string, unknown>
export type Answer = { status: number; body: Json }

export async function redeem(provider: ProviderName, form: URLSearchParams): Promise<Answer> {
  const refused = (error: string, status = 400): Answer => ({
    status: PROVIDERS[provider].oidc ? status : 200,
    body: { error },
  })
  if (!(await isClient(provider, form))) return refused('invalid_client', 401)
  if (form.get('grant_type') !== 'authorization_code') return refused('unsupported_grant_type')
  const grant = codes.get(form.get('code') ?? '')
  codes.delete(form.get('code') ?? '')
  if (!grant || grant.provider !== provider || grant.until < Date.now()) return refused('invalid_grant')
  const verified = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (form.get('redirect_uri') !== CALLBACK || verified !== grant.challenge) return refused('invalid_grant')
  const accessToken = token()
  tokens.set(accessToken, { provider, account: grant.account })
  const body = { access_token: accessToken, token_type: 'bearer', scope: 'read:user,user:email' }
  if (!PROVIDERS[provider].oidc) return { status: 200, body }
  const id_token = await idToken(grant)
  return { status: 200, body: { ...body, token_type: 'Bearer', scope: 'openid email', expires_in: 3600, id_token } }
}

async function isClient(provider: ProviderName, form: URLSearchParams): Promise<boolean> {
  if (form.get('client_id') !== clientIdAt(provider)) return false
  const sent = form.get('client_secret') ?? ''
  const { secret } = PROVIDERS[provider]
  if (secret !== null) return sent === secret
  const expected = { issuer: 'ORCHARDTEAM', subject: clientIdAt(provider), audience: 'https://appleid.apple.com' }
  return jwtVerify(sent, createPublicKey(ORCHARD_KEY), { ...expected, algorithms: ['ES256'] }).then(
    () => true,
    () => false,
  )
}

export const issuerOf = (provider: ProviderName): string => `${PROVIDERS_THERE}/${provider}`

function idToken({ provider, nonce, account }: Grant): Promise<string> {
  const { email, name } = account
  const about = provider === 'orchard' ? { email, email_verified: 'true' } : { email, email_verified: true, name }
  return new SignJWT({ ...(provider === 'guild' ? {} : about), nonce })
    .setProtectedHeader({ alg: 'RS256', kid: 'providers' })
    .setIssuer(issuerOf(provider))
    .setAudience(clientIdAt(provider))
    .setSubject(account.sub)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(signing.privateKey)
}

export const publishedKeys = async (): Promise<Json> => ({
  keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'providers', alg: 'RS256', use: 'sig' }],
})

/** The user-info response of the provider's API for a token. */
export function userInfo(provider: ProviderName, headers: { authorization?: string; agent?: string }): Answer {
  const known = tokens.get((headers.authorization ?? '').replace(/^Bearer /i, ''))
  if (!known || known.provider !== provider) return { status: 401, body: { message: 'Bad credentials' } }
  const { sub, email, name } = known.account
  if (PROVIDERS[provider].oidc) return { status: 200, body: { sub, email, email_verified: true, name } }
  if (!headers.agent) return { status: 403, body: { message: 'Requests must have a user agent' } }
  return { status: 200, body: { id: Number(sub), login: email.split('@')[0], name, email, is_verified: true } }
}

/** Discovery; only the endpoints that a browser visits are on the foreign site. */
export const metadataOf = (provider: ProviderName): Json => ({
  issuer: issuerOf(provider),
  authorization_endpoint: `${PROVIDERS_THERE}/${provider}/authorize`,
  token_endpoint: `${PROVIDERS_HERE}/${provider}/token`,
  userinfo_endpoint: `${PROVIDERS_HERE}/${provider}/user`,
  jwks_uri: `${PROVIDERS_HERE}/${provider}/keys`,
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})
