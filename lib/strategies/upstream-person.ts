// The identity of the returning user: the claims of the ID token, or of the provider's API by the new access token.
import * as client from 'openid-client'
import { follow, type UpstreamClaims } from '../connections/upstream/claims'
import type { ProviderRow } from '../connections/upstream/providers'
import { UpstreamError, type UpstreamReply } from '../connections/upstream/upstream'
import type { Server } from './upstream-server'

export type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>

export async function claimsOf({ row, configuration }: Server, tokens: Tokens): Promise<UpstreamClaims> {
  const { userinfo_endpoint: userinfo } = configuration.serverMetadata()
  const proven = tokens.claims()
  if (row.protocol === 'oidc' && proven) {
    const complete = proven.email !== undefined && proven.name !== undefined
    if (complete || userinfo === undefined) return proven
    return { ...(await client.fetchUserInfo(configuration, tokens.access_token, proven.sub)), ...proven }
  }
  if (userinfo === undefined) throw new UpstreamError('unreachable', 'the connection names no userinfo_endpoint')
  const profile = (await ask(configuration, tokens, userinfo)) as UpstreamClaims
  return { ...profile, ...(await addressOf(row, configuration, tokens)) }
}

/** The first verified address, for providers with a separate list of addresses. */
async function addressOf(
  { addresses }: ProviderRow,
  configuration: client.Configuration,
  tokens: Tokens,
): Promise<UpstreamClaims> {
  if (!addresses) return {}
  const list = follow(await ask(configuration, tokens, addresses.url), addresses.list)
  if (!Array.isArray(list)) return {}
  const verified = list.filter((entry) => follow(entry, addresses.verified) === true)
  const chosen = verified.find((entry) => follow(entry, addresses.first) === true) ?? verified[0]
  return chosen === undefined ? {} : { email: follow(chosen, addresses.address), email_verified: true }
}

async function ask(configuration: client.Configuration, tokens: Tokens, url: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' })
  const { access_token: token } = tokens
  const answer = await client.fetchProtectedResource(configuration, token, new URL(url), 'GET', undefined, headers)
  if (answer.status !== 200) throw new UpstreamError('unreachable', `the provider's API answered ${answer.status}`)
  try {
    const value: unknown = await answer.json()
    if (typeof value === 'object' && value !== null) return value
  } catch {}
  throw new UpstreamError('unreachable', "the provider's API did not answer JSON")
}

export function replyClaims({ replyClaims: name }: ProviderRow, reply: UpstreamReply): UpstreamClaims {
  const text = name === undefined ? undefined : reply[name]
  if (name === undefined || text === undefined) return {}
  try {
    return { [name]: JSON.parse(text) as unknown }
  } catch {
    return {}
  }
}
