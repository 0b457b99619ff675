// The browser tests' tenant, for servers without browsers: the app address needs no server.
import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { encodeForAddress } from '../../../lib/crypto/saml/transport'
import { systemClock } from '../../../lib/kernel/clock'
import { PROVIDER_VARIABLES } from '../../origins'
import type { Settings } from './server-process'

export const CALLBACK = 'https://app.e2e.test/callback'
export const FAREWELL = 'https://app.e2e.test/bye'

export const TENANT: Settings = {
  LATCHKEY_CONFIG: fileURLToPath(new URL('../../tenant.yaml', import.meta.url)),
  E2E_CALLBACKS: JSON.stringify([CALLBACK]),
  E2E_LOGOUTS: JSON.stringify([FAREWELL]),
  E2E_ORIGINS: JSON.stringify(['https://app.e2e.test']),
  E2E_TENANT_LOGOUTS: JSON.stringify([FAREWELL]),
  E2E_LOGOUT_TOLD: '[]',
  ...PROVIDER_VARIABLES,
}

export type Request = { url: string; verifier: string }

/** An authorization request of a public app of the tenant. */
export function authorizeRequest(origin: string, extra: Record<string, string> = {}): Request {
  const verifier = randomBytes(32).toString('base64url')
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: 'e2e-spa',
    redirect_uri: CALLBACK,
    scope: 'openid profile email offline_access',
    state: 'state-of-the-app',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  })
  return { url: `${origin}/authorize?${parameters}`, verifier }
}

/** The address of a SAML request of the same app. */
export function samlRequest(origin: string, content = ''): string {
  const names = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
  const at = systemClock.now().toISOString()
  const xml = `<samlp:AuthnRequest ${names} ID="_r1" Version="2.0" IssueInstant="${at}" AssertionConsumerServiceURL="${CALLBACK}"><saml:Issuer>urn:app</saml:Issuer>${content}</samlp:AuthnRequest>`
  return `${origin}/samlp/e2e-spa?${new URLSearchParams({ SAMLRequest: encodeForAddress(xml) })}`
}

export type TokenAnswer = {
  status: number
  body: { access_token: string; id_token: string; refresh_token: string; error?: string }
}

export async function postToken(url: string, form: Record<string, string>): Promise<TokenAnswer> {
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: answer.status, body: (await answer.json()) as TokenAnswer['body'] }
}

export const redeem = (url: string, clientId: string, callback: URL, verifier: string): Promise<TokenAnswer> =>
  postToken(url, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code: callback.searchParams.get('code') ?? '',
    code_verifier: verifier,
  })

export const refresh = (url: string, clientId: string, token: string): Promise<TokenAnswer> =>
  postToken(url, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
