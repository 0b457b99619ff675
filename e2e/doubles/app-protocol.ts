// The OAuth part of a third party's app: authorization code with PKCE (RFC 6749 4.1, RFC 7636), written against the
// specifications only. Apps with and without a secret, and of a third party.
import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { SERVER } from '../origins'

export const APPS = {
  spa: { clientId: 'e2e-spa', name: 'Paper Planes', secret: undefined },
  names: { clientId: 'e2e-names', name: 'Paper Names', secret: undefined },
  doors: { clientId: 'e2e-doors', name: 'Two Doors', secret: undefined },
  web: { clientId: 'e2e-web', name: 'Harbour Office', secret: 'e2e-web-secret-of-the-harbour' },
  third: { clientId: 'e2e-third', name: 'Night Owl', secret: undefined },
  strong: { clientId: 'e2e-strong', name: 'Strong Box', secret: undefined },
  bottle: { clientId: 'e2e-bottle', name: 'Bottle Post', secret: undefined },
  lantern: { clientId: 'e2e-lantern', name: 'Paper Lanterns', secret: undefined },
  guests: { clientId: 'e2e-guests', name: 'Guest Book', secret: undefined },
  guild: { clientId: 'e2e-guild', name: 'Guild Ledger', secret: undefined },
} as const
export type AppName = keyof typeof APPS

/** The state that the app stores between the request and the response. */
export type Pending = {
  app: AppName
  redirectUri: string
  state: string
  nonce: string
  verifier: string
  /** Exchange the code in the browser, like a single-page app. */
  inBrowser: boolean
}

export type Tokens = { access_token: string; id_token: string; refresh_token?: string; scope: string }

const keys = createRemoteJWKSet(new URL(`${SERVER}/.well-known/jwks.json`))

export function newPending(app: AppName, redirectUri: string, inBrowser: boolean): Pending {
  return { app, redirectUri, inBrowser, state: token(), nonce: token(), verifier: token() }
}

const token = (): string => randomBytes(32).toString('base64url')

/** `extra` overrides the app's own parameters; an empty value omits a parameter. */
export function authorizeUrl(pending: Pending, extra: Record<string, string>): string {
  const { app, redirectUri, state, nonce, verifier } = pending
  const url = new URL('/authorize', SERVER)
  const parameters = {
    response_type: 'code',
    client_id: APPS[app].clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile email offline_access',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value)
  return url.href
}

export const exchangeForm = ({ app, redirectUri, verifier }: Pending, code: string): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: APPS[app].clientId,
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
})

export type Exchanged = { tokens: Tokens } | { error: string; description: string }

export async function exchange(pending: Pending, code: string): Promise<Exchanged> {
  const { clientId, secret } = APPS[pending.app]
  const { client_id, ...form } = exchangeForm(pending, code)
  const basic = secret && `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  const answer = await fetch(`${SERVER}/oauth/token`, {
    method: 'POST',
    headers: basic ? { authorization: basic } : {},
    body: new URLSearchParams(basic ? form : { ...form, client_id: client_id ?? '' }),
  })
  const body = (await answer.json()) as Tokens & { error: string; error_description: string }
  if (!answer.ok) return { error: body.error, description: body.error_description }
  await checkIdToken(body.id_token, pending)
  return { tokens: body }
}

async function checkIdToken(idToken: string, { app, nonce }: Pending): Promise<void> {
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: `${SERVER}/`,
    audience: APPS[app].clientId,
    algorithms: ['RS256'],
  })
  if (payload.nonce !== nonce) throw new Error('the ID token answers another request')
}
