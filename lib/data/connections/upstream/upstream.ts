// Login through another provider: the interface of every federated strategy, and its result.
// - A returning user is identified by the connection and the provider's own id, never by an address (threat-model.md UP2).
// - An address counts as verified only if the connection trusts the provider's claim (UP3).

import type { Keyring } from '../../../crypto/keys/keyring'
import { type AssertionCheck, checksOf } from '../../../crypto/saml/check-list'
import type { XmlReader } from '../../../crypto/saml/xml-reader'
import { type CallOut, CallOutError } from '../../../kernel/call-out'
import type { Clock } from '../../../kernel/clock'
import type { JsonObject } from '../../../kernel/json'
import { type Unreached, unreachedBy } from '../../../kernel/network-failure'
import type { Random } from '../../../kernel/random'
import type { Reason } from '../../../kernel/reasons'
import type { Vault } from '../../../kernel/secret'
import { parseUrl } from '../../../kernel/url'
import type { TicketPort } from '../../tickets/ticket'
import type { FederatedConnection } from '../connection'
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
  /** The rest of the id: the provider's id, prefixed with the connection's name if one provider may be many servers. */
  providerUserId: string
  profile: UpstreamPerson
  /** Null if the provider returns none. */
  tokens: UpstreamTokens | null
  /** The provider's data for a later logout of the user. */
  logoutHint: string | null
  /** For the log: what the provider failed to say, although the identity is proven. */
  missed?: string
  /** When the provider says that the person's session ends. */
  sessionEnd?: Date | null
  /** What the provider said, for the login inspector. */
  received?: ReceivedClaims
}

/** `kind`: an ID token, the profile of an API, or an assertion with the checks of it. */
export type ReceivedClaims = {
  kind: 'id_token' | 'profile' | 'assertion'
  claims: Readonly<Record<string, unknown>>
  checks?: readonly AssertionCheck[]
}

export type UpstreamAsk = {
  /** Unguessable and single-use; nonce and verifier are derived from it too. */
  state: string
  loginHint: string | null
  /** Parameters of the application's request that this server does not use itself. */
  parameters: Readonly<Record<string, string>>
  /** Those that it uses itself: sent only where the connection copies one. */
  used?: Readonly<Record<string, string>>
  /** The user has to authenticate again, regardless of the provider's session. */
  anew: boolean
}

/** The provider's response; `state` was issued by this server and not used before. */
export type UpstreamReply = Readonly<Record<string, string>> & { state: string }

/** A cache of the providers' data (metadata, keys) per connection id, with an expiry. */
export type UpstreamServers = Map<
  string,
  {
    fingerprint: string
    until: Date
    server: Promise<unknown>
    /** When it was last read again before its time, because a message fitted none of its keys. */
    renewedAt?: Date | undefined
  }
>

export type UpstreamDeps = {
  baseUrl: string
  vault: Vault
  random: Random
  clock: Clock
  callOut: CallOut
  upstreamServers: UpstreamServers
  /** What the script of a plain OAuth 2.0 connection says of the person, with the id as `sub`. Throws an UpstreamError. */
  profileByScript?(connection: FederatedConnection, accessToken: string, context: JsonObject): Promise<JsonObject>
  /** Signs what authenticates this server at a provider. */
  keyring: Pick<Keyring, 'signing' | 'begin'>
}

/** What reading a provider's metadata needs in addition. */
export type ReadMetadataDeps = UpstreamDeps & { readXml: XmlReader }

/** What SAML needs in addition: our entity id and keys, and the replay cache. */
export type SamlUpstreamDeps = ReadMetadataDeps & {
  entityId: string
  keyring: Pick<Keyring, 'signing' | 'begin' | 'current' | 'decrypting'>
  tickets: Pick<TicketPort, 'claim'>
}

/** The URL at the provider, or the form that the browser has to post there. */
export type Departure = string | { action: string; fields: Record<string, string> }

/** What a login does at the provider of one connection. */
export type RedirectStrategy<D = SamlUpstreamDeps> = {
  start(ask: UpstreamAsk, deps: D): Promise<Departure>
  /** Rejects with an `UpstreamError`. */
  complete(reply: UpstreamReply, deps: D): Promise<UpstreamIdentity>
  /**
   * Rejects a response that would not sign a user in, without using anything up: a large response is stored only if it is
   * genuine.
   */
  preverify?(reply: Readonly<Record<string, string>>, deps: D): Promise<void>
  /** The fields of the response that the provider does not repeat: they count in a later attempt of the same login. */
  saidOnce?(reply: UpstreamReply): Record<string, string>
  /** The provider's logout URL, which returns to `returnTo`; null if it has none. */
  logoutUrl(out: UpstreamLogout, deps: D): Promise<string | null>
}

/** A protocol in which a provider may start the login. */
export type UnsolicitedStrategy = RedirectStrategy & {
  /** Like `complete`, for an unsolicited response. */
  unsolicited(reply: Readonly<Record<string, string>>, deps: SamlUpstreamDeps): Promise<UpstreamIdentity>
}

/** `hint` is the `logoutHint` of the provider's identity. */
export type UpstreamLogout = { returnTo: string; state: string; hint: string | null }

/** The callback path of every provider. */
export const CALLBACK_PATH = '/login/callback'

export const callbackUrl = ({ baseUrl }: Pick<UpstreamDeps, 'baseUrl'>): string => baseUrl + CALLBACK_PATH

/**
 * Why the login failed: the user or the provider refused; the response does not belong to this request or is not the provider's;
 * it is, and cannot be accepted as it is (its time, its audience, an algorithm); the provider failed, or the connection is
 * misconfigured.
 */
export type UpstreamFailure = 'denied' | 'forged' | 'unfit' | 'unreachable'

const REASONS = {
  denied: 'upstream_denied',
  forged: 'upstream_not_ours',
  unfit: 'upstream_unfit',
  unreachable: 'upstream_unreachable',
} as const satisfies Record<UpstreamFailure, Reason>

export class UpstreamError extends Error {
  readonly reason: Reason

  constructor(
    readonly failure: UpstreamFailure,
    /** For the log only. */
    message: string,
    { cause, reason = REASONS[failure] }: { cause?: unknown; reason?: Reason | undefined } = {},
  ) {
    super(message, { cause })
    this.name = 'UpstreamError'
    this.reason = reason
  }

  /** What was checked of an assertion before the failure. */
  get checks(): readonly AssertionCheck[] {
    return checksOf(this.cause)
  }

  /** Why no answer came, as far as a person may know it; null for anything else. */
  get unreached(): Unreached | null {
    return this.cause instanceof CallOutError ? unreachedBy(this.cause.reason) : null
  }
}

/** Requests to a provider, whose failures name its host and say the cause in words. */
export const callingProvider =
  (callOut: CallOut): CallOut =>
  (address, request) =>
    callOut(address, request).catch((cause: unknown) => {
      if (!(cause instanceof CallOutError)) throw cause
      const host = parseUrl(address)?.host ?? 'the provider'
      throw new UpstreamError('unreachable', `${host} could not be reached: ${cause.message}`, { cause })
    })
