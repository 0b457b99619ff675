// Authorization code with PKCE in a browser, without a library: request, redirect, code exchange, verification, refresh, logout.
// RFC 6749 4.1, RFC 7636, RFC 9207, OpenID Connect Core 3.1 and RP-Initiated Logout 1.0.
import { shortened } from './exchange-log'
import { decodeToken, isSignedBy, problemWith } from './jwt'
import {
  forgetTokens,
  type HeldTokens,
  loadTokens,
  note,
  saveRequest,
  saveTokens,
  startLog,
  takeRequest,
} from './memory'
import { challengeOf, newSignInRequest } from './pkce'
import { call, discover, loadKeys, ServerError } from './server'
import type { WayIn } from './ways-in'

export const homeOf = (location: Location): string => `${location.origin}/demo`

/** Redirects the browser to the server; the response arrives at `redirectUri`. */
export async function beginSignIn({ clientId, parameters: requested }: WayIn, location: Location): Promise<void> {
  if (!window.isSecureContext) throw new ServerError('insecure_page', '')
  const { authorization_endpoint, issuer } = await discover(location.origin)
  if (new URL(issuer).origin !== location.origin) throw new ServerError('other_address', new URL('/demo', issuer).href)
  const request = newSignInRequest(clientId, homeOf(location))
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: request.redirectUri,
    ...requested,
    state: request.state,
    nonce: request.nonce,
    code_challenge: await challengeOf(request.verifier),
    code_challenge_method: 'S256',
  }
  saveRequest(request)
  startLog()
  noteRedirect('Send the browser to the server to sign in', authorization_endpoint, parameters)
  location.assign(`${authorization_endpoint}?${new URLSearchParams(parameters)}`)
}

export const isAnswer = (query: URLSearchParams): boolean => query.has('code') || query.has('error')

/** Handles the response to `beginSignIn`: checks `state`, then exchanges the code for tokens. */
export async function completeSignIn(query: URLSearchParams, location: Location): Promise<HeldTokens> {
  const request = takeRequest(query.get('state') ?? '')
  if (!request) throw new ServerError('foreign_answer', 'This answer belongs to no sign-in of this tab.')
  const server = await discover(location.origin)
  noteReturn(query, request.redirectUri)
  const error = query.get('error')
  if (error) throw new ServerError(error, query.get('error_description') ?? '')
  const issuer = query.get('iss')
  if (issuer !== null && issuer !== server.issuer) throw new ServerError('foreign_answer', 'Another server answered.')
  const answer = await call({
    purpose: 'Exchange the code, with the PKCE verifier, for tokens',
    address: server.token_endpoint,
    form: {
      grant_type: 'authorization_code',
      client_id: request.clientId,
      code: query.get('code') ?? '',
      redirect_uri: request.redirectUri,
      code_verifier: request.verifier,
    },
  })
  return keep(
    await checked(tokensFrom(answer, { clientId: request.clientId, nonce: request.nonce, rotations: 0 }), location),
  )
}

/** Exchanges the refresh token, which is valid once, for new tokens. Tabs share no tokens, so there is no race. */
export async function refreshTokens(tokens: HeldTokens, location: Location): Promise<HeldTokens> {
  const { token_endpoint } = await discover(location.origin)
  const form = { grant_type: 'refresh_token', client_id: tokens.clientId, refresh_token: tokens.refreshToken ?? '' }
  const answer = await call({ purpose: 'Exchange the refresh token for new tokens', address: token_endpoint, form })
  const rotated = typeof answer.refresh_token === 'string' && answer.refresh_token !== tokens.refreshToken
  const merged = { refresh_token: tokens.refreshToken, id_token: tokens.idToken, scope: tokens.scope, ...answer }
  const { clientId, nonce, rotations } = tokens
  return keep(tokensFrom(merged, { clientId, nonce, rotations: rotations + (rotated ? 1 : 0) }))
}

export async function loadUserInfo(tokens: HeldTokens, location: Location): Promise<Record<string, unknown>> {
  const { userinfo_endpoint } = await discover(location.origin)
  return call({
    purpose: 'Ask who the access token speaks for',
    address: userinfo_endpoint,
    bearer: tokens.accessToken,
  })
}

/** Also ends the session at the server; otherwise the next sign-in would not require a login. */
export async function signOut(location: Location): Promise<void> {
  const tokens = loadTokens()
  const { end_session_endpoint } = await discover(location.origin)
  const parameters: Record<string, string> = { post_logout_redirect_uri: homeOf(location) }
  if (tokens) Object.assign(parameters, { client_id: tokens.clientId, id_token_hint: tokens.idToken })
  forgetTokens()
  startLog()
  noteRedirect('Send the browser to the server to log out', end_session_endpoint, parameters)
  location.assign(`${end_session_endpoint}?${new URLSearchParams(parameters)}`)
}

function tokensFrom(
  answer: Record<string, unknown>,
  kept: Pick<HeldTokens, 'clientId' | 'nonce' | 'rotations'>,
): HeldTokens {
  const { id_token, access_token, refresh_token, scope } = answer
  if (typeof id_token !== 'string' || typeof access_token !== 'string') {
    throw new ServerError('incomplete_answer', 'The server left out a token.')
  }
  const refreshToken = typeof refresh_token === 'string' ? refresh_token : null
  return {
    idToken: id_token,
    accessToken: access_token,
    refreshToken,
    scope: typeof scope === 'string' ? scope : '',
    ...kept,
  }
}

async function checked(tokens: HeldTokens, location: Location): Promise<HeldTokens> {
  const { issuer, jwks_uri } = await discover(location.origin)
  const decoded = decodeToken(tokens.idToken)
  const now = (performance.timeOrigin + performance.now()) / 1000
  const signed = decoded !== null && (await isSignedBy(await loadKeys(jwks_uri), decoded))
  const problem = signed
    ? problemWith(decoded, { issuer, audience: tokens.clientId, nonce: tokens.nonce, now })
    : 'its signature is wrong'
  if (problem) throw new ServerError('untrusted_token', `The ID token cannot be trusted: ${problem}.`)
  return tokens
}

function keep(tokens: HeldTokens): HeldTokens {
  saveTokens(tokens)
  return tokens
}

const BROWSER = { method: 'GET', kind: 'browser', milliseconds: null } as const

function noteRedirect(purpose: string, address: string, sent: Record<string, string>): void {
  note({ ...BROWSER, purpose, address, status: null, sent: shortened(sent), answer: {} })
}

function noteReturn(query: URLSearchParams, address: string): void {
  const purpose = query.has('error') ? 'Come back with a refusal' : 'Come back with a one-time code'
  note({ ...BROWSER, purpose, address, status: 302, sent: {}, answer: shortened(Object.fromEntries(query)) })
}
