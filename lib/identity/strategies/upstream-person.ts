// The identity of the returning user: the claims of the ID token, or of the provider's API by the new access token.
// - What proves the identity must succeed: the ID token, or the profile of a plain OAuth 2.0 provider.
// - A further request that fails, for a name or a list of addresses, loses nothing: the login continues with what is known.
import * as client from 'openid-client'
import { follow, isWhole, type Missing, type UpstreamClaims } from '../../data/connections/upstream/claims'
import type { ProviderRow } from '../../data/connections/upstream/providers'
import { UpstreamError, type UpstreamReply } from '../../data/connections/upstream/upstream'
import { reasonOf } from './upstream-failure'
import type { Server } from './upstream-server'
import { userInfoOf } from './upstream-userinfo'

export type ProviderTokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>

/** `reason` is for the log: why something is missing. */
export type Known = { claims: UpstreamClaims; missing: Missing; reason: string | null }

const whole = (claims: UpstreamClaims): Known => ({ claims, missing: null, reason: null })

export async function knownOf(server: Server, tokens: ProviderTokens): Promise<Known> {
  const { row, configuration } = server
  const { userinfo_endpoint: userinfo } = configuration.serverMetadata()
  const proven = tokens.claims()
  if (row.protocol === 'oidc' && proven) {
    if (userinfo === undefined || isWhole(proven, row, server.options)) return whole(proven)
    const answer = await ask(configuration, tokens, userinfo)
    const info = 'text' in answer ? await userInfoOf(answer.text, proven.sub, server) : answer
    return 'claims' in info
      ? whole({ ...info.claims, ...proven })
      : { claims: proven, missing: 'claims', reason: info.missed }
  }
  if (userinfo === undefined) throw new UpstreamError('unreachable', 'the connection names no userinfo_endpoint')
  const profile = await askJson(configuration, tokens, userinfo)
  if ('missed' in profile) throw new UpstreamError('unreachable', profile.missed)
  return withAddress(profile.value as UpstreamClaims, row, configuration, tokens)
}

/** Adds the first verified address, for providers with a separate list of addresses. */
async function withAddress(
  profile: UpstreamClaims,
  { addresses }: ProviderRow,
  configuration: client.Configuration,
  tokens: ProviderTokens,
): Promise<Known> {
  if (!addresses) return whole(profile)
  const answer = await askJson(configuration, tokens, addresses.url)
  const list = 'value' in answer ? follow(answer.value, addresses.list) : undefined
  if (!Array.isArray(list)) {
    const reason = 'missed' in answer ? answer.missed : 'it is no list'
    return { claims: profile, missing: 'address', reason: `the list of addresses cannot be read: ${reason}` }
  }
  const verified = list.filter((entry) => follow(entry, addresses.verified) === true)
  const chosen = verified.find((entry) => follow(entry, addresses.first) === true) ?? verified[0]
  if (chosen === undefined) return whole(profile)
  return whole({ ...profile, email: follow(chosen, addresses.address), email_verified: true })
}

type Missed = { missed: string }

async function askJson(
  configuration: client.Configuration,
  tokens: ProviderTokens,
  url: string,
): Promise<{ value: object } | Missed> {
  const answer = await ask(configuration, tokens, url)
  if ('missed' in answer) return answer
  try {
    const value: unknown = JSON.parse(answer.text)
    if (typeof value === 'object' && value !== null) return { value }
  } catch {}
  return { missed: "the provider's API did not answer JSON" }
}

async function ask(
  configuration: client.Configuration,
  { access_token: token }: ProviderTokens,
  url: string,
): Promise<{ text: string } | Missed> {
  const headers = new Headers({ accept: 'application/json, application/jwt' })
  try {
    const answer = await client.fetchProtectedResource(configuration, token, new URL(url), 'GET', undefined, headers)
    return answer.status === 200
      ? { text: await answer.text() }
      : { missed: `the provider's API answered ${answer.status}` }
  } catch (error) {
    return { missed: `the provider's API cannot be called: ${reasonOf(error)}` }
  }
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
