// Signing people in by somebody else's server: what every strategy of that kind does, and what comes back.
// - Whoever comes back is known by the connection and the provider's own id, never by an address (threat-model.md UP2).
// - An address counts as verified only where the connection says that the provider's word is to be believed (UP3).
import type { CallOut } from '../../kernel/call-out'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { Keyring } from '../../keys/keyring'
import type { TicketPort } from '../../tickets/ticket'
import type { Connection } from '../connection'
import type { UpstreamPerson } from './upstream-account'

export type UpstreamTokens = {
  accessToken: string
  refreshToken: string | null
  idToken: string | null
  expiresIn: number | null
  scope: string | null
}

export type UpstreamIdentity = {
  /** The first part of the user's id: `google-oauth2`. */
  provider: string
  /** The rest of it: the provider's id, with the connection's name before it where one provider may be many. */
  providerUserId: string
  profile: UpstreamPerson
  /** Null where the provider hands none out. */
  tokens: UpstreamTokens | null
  /** What the provider wants to know when the person signs out. */
  logoutHint: string | null
}

export type UpstreamAsk = {
  /** Unguessable, for one use; nonce and verifier hang on it too. */
  state: string
  loginHint: string | null
  /** What the application's request brought that is nobody's here. */
  parameters: Readonly<Record<string, string>>
  /** The person is to prove it anew, whatever session the provider has. */
  anew: boolean
}

/** What the provider sent back; `state` is one of ours, not used before. */
export type UpstreamReply = Readonly<Record<string, string>> & { state: string }

/** What is known of connections' servers (metadata, keys), each under the connection's id, for as long as it may be kept. */
export type UpstreamServers = Map<string, { fingerprint: string; until: Date; server: Promise<unknown> }>

export type UpstreamDeps = {
  baseUrl: string
  vault: Vault
  random: Random
  clock: Clock
  callOut: CallOut
  upstreamServers: UpstreamServers
}

/** What SAML takes besides: our name and key, and the memory of what was used. */
export type SamlUpstreamDeps = UpstreamDeps & {
  entityId: string
  keyring: Pick<Keyring, 'current' | 'decrypting'>
  tickets: Pick<TicketPort, 'claim'>
}

/** The address at the provider, or what the browser is to post there. */
export type Departure = string | { action: string; fields: Record<string, string> }

export type RedirectStrategy<D = SamlUpstreamDeps> = {
  start(connection: Connection, ask: UpstreamAsk, deps: D): Promise<Departure>
  /** Rejects with an `UpstreamError`. */
  complete(connection: Connection, reply: UpstreamReply, deps: D): Promise<UpstreamIdentity>
  /** The same of an answer that nobody here asked for, where the protocol has such. */
  unsolicited?(connection: Connection, reply: Readonly<Record<string, string>>, deps: D): Promise<UpstreamIdentity>
  /** Rejects what would not sign anybody in, and uses nothing up: what is large is kept only when it is genuine. */
  preverify?(connection: Connection, reply: Readonly<Record<string, string>>, deps: D): Promise<void>
  /** Where the provider signs people out and sends them back to `returnTo`; null where it has no such address. */
  logoutUrl(connection: Connection, out: UpstreamLogout, deps: D): Promise<string | null>
}

/** `hint` is what the provider's identity came with. */
export type UpstreamLogout = { returnTo: string; state: string; hint: string | null }

/** Where every provider sends people back to. */
export const CALLBACK_PATH = '/login/callback'

export const callbackUrl = ({ baseUrl }: Pick<UpstreamDeps, 'baseUrl'>): string => baseUrl + CALLBACK_PATH

/**
 * Why nobody was signed in: the person or the provider said no; the answer is not one to this request, or not the
 * provider's; the provider did not do its part; the connection is not set up as the provider wants it.
 */
export type UpstreamFailure = 'denied' | 'forged' | 'unreachable'

export class UpstreamError extends Error {
  constructor(
    readonly failure: UpstreamFailure,
    /** For the log. */
    reason: string,
    cause?: unknown,
  ) {
    super(reason, { cause })
    this.name = 'UpstreamError'
  }
}
