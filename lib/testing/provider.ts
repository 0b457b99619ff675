// Providers without a socket: OpenID Connect servers with real keys, and the APIs of plain OAuth 2.0 providers. The server under
// test calls them through `callOut`; `answer` is the response that a browser returns from the provider's address.
import { constants, createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { CallOut, IncomingAnswer, OutgoingRequest } from '../kernel/call-out'
import { CallOutError } from '../kernel/call-out'

type Json = Record<string, unknown>
export type ProviderPerson = Json & { sub?: string }

/** Deliberate faults; the test that sets one resets it. */
type Mischief = {
  claims?(claims: Json): Json
  header?: Json
  key?: KeyObject
  token?: (answer: Json) => Json
  metadata?: Json
  keys?: () => Json[]
  /** Signs ID tokens in place of RS256. */
  signing?: Signing
  /** What an address answers; undefined for its honest answer. */
  at?(address: string, person: ProviderPerson | undefined): IncomingAnswer | 'away' | undefined
  /** The token endpoint's answer as it is sent. */
  tokens?(answer: Json): IncomingAnswer
  answer?: IncomingAnswer
  /** The code of the failure of every request. */
  away?: string
}

export type ProviderDouble = {
  callOut: CallOut
  answer(address: string, person: ProviderPerson): Record<string, string>
  /** Every request to the provider, the newest last. */
  requests: (OutgoingRequest & { address: string; form: Record<string, string> })[]
  mischief: Mischief
}

type Grant = { query: URLSearchParams; person: ProviderPerson }

const own = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** `oidc` are issuers; `apis` answer a GET of an address, for the user of the token. */
export function providerDouble(
  oidc: readonly string[],
  {
    tokens = [],
    apis = {},
  }: { tokens?: readonly string[]; apis?: Record<string, (person: ProviderPerson) => unknown> } = {},
): ProviderDouble {
  const codes = new Map<string, Grant>()
  const people = new Map<string, ProviderPerson>()
  let count = 0
  const double: ProviderDouble = {
    requests: [],
    mischief: {},
    answer(address, person) {
      const { searchParams: query } = new URL(address)
      count += 1
      const code = `code ${count}`
      codes.set(code, { query, person })
      return { code, state: query.get('state') ?? '' }
    },
    async callOut(address, request) {
      const form = Object.fromEntries(new URLSearchParams(String(request.body ?? '')))
      double.requests.push({ ...request, address, form })
      if (double.mischief.away) throw new CallOutError(double.mischief.away)
      if (double.mischief.answer) return double.mischief.answer
      const token = String(request.headers.authorization).replace(/^Bearer /, '')
      const odd = double.mischief.at?.(address, people.get(token))
      if (odd === 'away') throw new CallOutError('ETIMEDOUT')
      if (odd) return odd
      const issuer = oidc.find((known) => address.startsWith(`${known}/`))
      const path = issuer === undefined ? '' : address.slice(issuer.length)
      if (path === '/.well-known/openid-configuration')
        return json({ ...metadataOf(issuer ?? ''), ...double.mischief.metadata })
      if (path === '/jwks') return json({ keys: double.mischief.keys?.() ?? [published(own.publicKey, { kid: 'k1' })] })
      if (path === '/token' || tokens.includes(address)) return redeem(form, issuer)
      const person = people.get(token)
      const api = path === '/userinfo' ? (known: ProviderPerson) => known : apis[address]
      if (!person || !api) return json({ error: 'invalid_token' }, 401)
      return json(api(person))
    },
  }

  function redeem(form: Record<string, string>, issuer: string | undefined): IncomingAnswer {
    const grant = codes.get(form.code ?? '')
    codes.delete(form.code ?? '')
    if (!grant || grant.query.get('redirect_uri') !== form.redirect_uri || !proves(grant, form.code_verifier)) {
      return json({ error: 'invalid_grant' }, 400)
    }
    const accessToken = `token-${people.size + 1}`
    people.set(accessToken, grant.person)
    const answer: Json = {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: 'refresh-me',
    }
    if (issuer !== undefined) answer.id_token = idToken(issuer, grant, double.mischief)
    const changed = double.mischief.token?.(answer) ?? answer
    return double.mischief.tokens?.(changed) ?? json(changed)
  }

  return double
}

/** A signing key as a provider publishes it. */
export const published = (key: KeyObject, members: Json = {}): Json => ({
  ...key.export({ format: 'jwk' }),
  use: 'sig',
  ...members,
})

const proves = ({ query }: Grant, verifier: string | undefined): boolean => {
  const challenge = query.get('code_challenge')
  if (challenge === null) return verifier === undefined
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  )
}

const metadataOf = (issuer: string): Json => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  end_session_endpoint: `${issuer}/logout`,
  id_token_signing_alg_values_supported: ['RS256'],
})

export type Signing = { alg: string; key: KeyObject }

/** The key that the providers publish. */
export const ownSigning: Signing = { alg: 'RS256', key: own.privateKey }

/** A JWT by any algorithm of RFC 7518 and RFC 8037; `none` has no signature. */
export function signedBy({ alg, key }: Signing, claims: Json, header: Json = {}): string {
  const input = [{ alg, ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  if (alg === 'none') return `${input}.`
  if (alg.startsWith('HS')) return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants
  const hash = alg.startsWith('Ed') ? null : `sha${alg.slice(2)}`
  const options = { key, dsaEncoding: 'ieee-p1363' as const, ...(alg.startsWith('PS') ? { padding, saltLength } : {}) }
  return `${input}.${sign(hash, Buffer.from(input), options).toString('base64url')}`
}

function idToken(issuer: string, { query, person }: Grant, { claims, header, key, signing }: Mischief): string {
  const now = Math.floor(Date.now() / 1000)
  const nonce = query.get('nonce')
  const honest = {
    iss: issuer,
    aud: query.get('client_id'),
    iat: now,
    exp: now + 300,
    ...(nonce === null ? {} : { nonce }),
    ...person,
  }
  const honestSigning = { ...ownSigning, key: key ?? own.privateKey }
  return signedBy(signing ?? honestSigning, claims?.(honest) ?? honest, signing ? header : { kid: 'k1', ...header })
}

export const json = (value: unknown, status = 200): IncomingAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: new Uint8Array(Buffer.from(JSON.stringify(value))),
})
