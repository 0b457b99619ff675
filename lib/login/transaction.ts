// The login transaction: one attempt to sign a user in to one client, for any protocol.
// - Pages do not know protocols, and protocols do not know pages: `Wants` is the only input from a protocol, `LoginOutcome` the
//   only output to it.
// - The next screen is computed from these facts (steps/index.ts), never stored.
// - The handle, and the cookie that binds the transaction to one browser, are stored as digests only.

import type { Trail } from '../data/audit/trail'
import type { Client } from '../data/clients/client'
import type { Consent } from '../data/consent/consent'
import type { Organization } from '../data/organizations/organization'
import type { Evidence, Session } from '../data/sessions/session'
import type { RefreshChanges, SessionChanges } from '../data/sessions/session-changes'
import type { GuessSettlement } from '../data/users/attempts'
import type { User } from '../data/users/user'
import type { ResetCode } from '../identity/accounts/reset-code'
import type { CustomClaims } from '../identity/tenant-code/claims/compile'
import type { RequestDescription } from '../identity/tenant-code/events'
import type { SamlEffects } from '../identity/tenant-code/trigger'
import type { DomainError } from '../kernel/errors'
import type { Unreached } from '../kernel/network-failure'
import type { Reason } from '../kernel/reasons'
import type { ActionClaims } from '../tokens/custom-claims'
import type { CaptchaDraft } from './flow/captcha'
import type { MfaDraft } from './flow/mfa-draft'
import type { PostLoginDraft } from './post-login/draft'
import type { VisitorResponse } from './visitor-response'

export type OidcPrompt = 'none' | 'login' | 'consent' | 'select_account'

/** What the client requested, independent of the protocol. */
export type Wants = {
  /** The id of the login, for the log; missing where an older version stored it. */
  login?: string
  clientId: string
  redirectUri: string
  scopes: string[]
  audience: string | null
  prompt: OidcPrompt[]
  /** The largest accepted age of the authentication, in seconds. */
  maxAge: number | null
  acrValues: string[]
  /** The values of an essential `acr` claim: without one of them the login is refused (OIDC Core 5.5.1.1). */
  essentialAcr?: string[]
  connection: string | null
  loginHint: string | null
  /** Only this user may sign in (`id_token_hint`). */
  subject: string | null
  screenHint: string | null
  uiLocales: string | null
  /** The id of an organization, once flow/organization.ts has found it. */
  organization: string | null
  /** The digest of an invitation's ticket, base64url. */
  invitation?: string
  /** Scopes of claims requested by name: consented to like `scopes`, but not granted. */
  claimScopes?: string[]
  /** Another device or a mail started the login, so it may serve another person than the user of this browser. */
  startedElsewhere?: true
  /** Requested scopes that are not granted, and why not: for the log. */
  dropped?: { scopes: string[]; reason: Reason }
  /** It is for a new password, by a link: it signs no one in, and nothing is asked for but what the tenant's actions ask. */
  reset?: true
  /** It is a test (lib/login/apart.ts). `opens`: a connection that is open to it although not to its application; '*' for those open to any. */
  apart?: { opens?: string }
  /** Unknown parameters, for an upstream provider. */
  extra?: Record<string, string>
}

/** What the user decided and typed so far. A step declares its own member in its file (`declare module`). */
export interface Decisions {
  /** The id of the organization that the user chose. */
  organization?: string
  /** The last typed identifier, to prefill the form. */
  identifier?: string
  /** The typed address belongs to no upstream provider, so the page may ask for the password. */
  identified?: true
  /** The name of the database that the user chose, where there are too many to try all of them. */
  database?: string
  signUp?: SignUpDraft
  /** A password was refused unseen, after too many failures. */
  locked?: true
  /** By which the login began, where it is not the public URL; anyone may have written it. */
  startAddress?: string
  /** The browser came with a session that has ended. */
  sessionEnded?: true
  captcha?: CaptchaDraft
  /** The last codes that were mailed for a new password, one for each database. */
  resetCodes?: ResetCode[]
  /** The address that a code was sent to. */
  code?: { connectionId: string; address: string; sentAt: string }
  mfa?: MfaDraft
  linking?: LinkDraft
  rules?: PostLoginDraft
  /** What a provider says once only, kept from a login there that failed. */
  saidOnce?: { connectionId: string; fields: Record<string, string> }
  /** The provider of the notice `upstream_failed`, where it did not answer; null where that is not the cause. */
  unreached?: { connectionId: string; why: Unreached } | null
  /** A credential that this login refused, for which the browser may stop offering it. */
  strayPasskey?: string
}

/** Another account with the same verified address, and the connections that can prove it in this login. */
export type OtherAccount = { id: string; connectionIds: string[] }

/** The state of the account linking suggestion (linking.ts). `first` is the account proven before the other one. */
export type LinkDraft =
  | { phase: 'offered' | 'accepted'; other: OtherAccount }
  | { phase: 'proving'; other: OtherAccount; first: { userId: string; evidence: Evidence[] } }
  | { phase: 'declined' | 'done' }

/** The last submitted sign-up form, without the password. */
export type SignUpDraft = {
  username: string
  /** Custom fields: name → typed value. */
  extra: Record<string, string>
  /** The invalid fields. */
  invalid: string[]
  /** The password rules that were broken. */
  broken: string[]
  /** The message of a tenant's rule to the user. */
  words?: string
}

/** `test`: of an add-on, whose answer is not sent (lib/protocols/test/protocol.ts). */
export type ProtocolName = 'oidc' | 'device' | 'saml' | 'wsfed' | 'portal' | 'reset' | 'test'

/** The validated request of a protocol, opaque to all other code. */
export type Origin = { protocol: ProtocolName; request: unknown }

/** A login that a grant started and that lacks a second factor; its handle is the `mfa_token` (docs/adr/0001). */
export type GrantOrigin = {
  protocol: 'grant'
  request: {
    /** The `gty` claim of its access tokens; null for none. */
    gty: string | null
    /** Missing in a transaction that an older version stored. */
    protocol?: string
    ip: string
    /** The token family that the new one replaces, if a refresh started the login. */
    replaces: string | null
  }
}

export type LoginTransaction = TransactionFrom<Origin>
export type GrantTransaction = TransactionFrom<GrantOrigin>

type TransactionFrom<O> = {
  handleDigest: Uint8Array
  origin: O
  wants: Wants
  browserDigest: Uint8Array
  userId: string | null
  evidence: Evidence[]
  decisions: Decisions
  revision: number
  createdAt: Date
  expiresAt: Date
  consumedAt: Date | null
}

export const TRANSACTION_SECONDS = 3600

/** The lifetime of an `mfa_token`. */
export const GRANT_SECONDS = 600

/** The uses of a cached new transaction: the login's first page, and the form on it. */
export type RecalledFor = 'page' | 'form'

export type TransactionPort = {
  insert(transaction: LoginTransaction | GrantTransaction): Promise<void>
  /**
   * The transaction as it started, if this process has it in its cache; for a browser that has seen no change since. Another
   * process may have changed it: the statements below check the revision and decide (docs/adr/0024).
   */
  recall(handleDigest: Uint8Array, purpose: RecalledFor): LoginTransaction | null
  /** Finds a page's transaction; the handle of a grant's transaction finds none. */
  find(handleDigest: Uint8Array): Promise<{ transaction: LoginTransaction; user: User | null } | null>
  /** Finds a grant's transaction; the handle of a page's transaction is no `mfa_token`. */
  findGrant(handleDigest: Uint8Array): Promise<{ transaction: GrantTransaction; user: User | null } | null>
  /** Optimistic locking: false if another submit already changed `revision`. */
  update(
    handleDigest: Uint8Array,
    revision: number,
    next: Pick<LoginTransaction, 'userId' | 'evidence' | 'decisions'>,
  ): Promise<boolean>
  /** Stores typed values. It does not change the revision, so a failing submit cannot overtake one that succeeds in parallel. */
  note(handleDigest: Uint8Array, revision: number, decisions: Decisions): Promise<void>
  /** Ends the transaction without a login; false if it already ended. */
  consume(handleDigest: Uint8Array, now: Date): Promise<boolean>
  /**
   * In one SQL statement: consumes the transaction, creates the session, ends the session it replaces, records consent and
   * login. If `suggest` finds another account that could be linked, nothing is written and that account is returned.
   */
  finish(completion: Completion): Promise<'finished' | 'lost' | OtherAccount>
}

export type Completion = {
  handleDigest: Uint8Array
  revision: number
  now: Date
  /** The time of the oldest proof; the login fails if its user was signed out everywhere since then. */
  provenAt: Date
  session: Session
  /** For the session, beside its ends. */
  changes: Pick<SessionChanges, 'metadata' | 'persistent'>
  replaces: Uint8Array | null
  consent: Consent | null
  ip: string
  userAgent: string | null
  /** Null to look for no other account. */
  suggest: LinkSearch | null
  /** The user declined to link this account with others of its address. */
  keepsApart: boolean
  /** A correct guess; its attempt counter is settled whatever the outcome. */
  guess: GuessSettlement | null
}

/** The criteria for another account: it belongs to one of these connections, and optionally this is the user's first login. */
export type LinkSearch = { connectionIds: string[]; firstLoginOnly: boolean }

/** The result of the pipeline for the protocol. */
export type LoginOutcome = {
  /** The organization that the login is for. */
  organization?: Organization
  /** A time before anything the login relies on was read, so signing the user out everywhere later also ends this login. */
  at: Date
  client: Client
  user: User
  sid: string
  evidence: Evidence[]
  authTime: Date
  scopes: string[]
  audience: string | null
  /** The client's address. */
  ip: string
  /** The id of the login, for the log. */
  login: string
  /** Custom claims that the tenant's actions set. */
  custom?: ActionClaims
  /** What they set for the response, where the protocol is SAML. */
  saml?: SamlEffects
  /** What they change of its refresh token. */
  refresh?: RefreshChanges
}

/** Reads the claims that actions add to the assertion of a login. */
export type AssertionClaimsReader = (outcome: LoginOutcome, protocol: string) => CustomClaims | Promise<CustomClaims>

/** What finishing adds to the outcome; `scopes` if actions changed them. */
export type FinishedLogin = Pick<LoginOutcome, 'ip' | 'login' | 'custom' | 'saml' | 'refresh' | 'organization'> & {
  scopes?: string[]
  /** What actions change of the session. */
  session?: SessionChanges
}

export const outcomeOf = (
  at: Date,
  wants: Wants,
  client: Client,
  user: User,
  session: Session,
  { session: _changes, ...ended }: FinishedLogin,
): LoginOutcome => ({
  at,
  client,
  user,
  sid: session.sid,
  evidence: session.evidence,
  authTime: session.authTime,
  scopes: wants.scopes,
  audience: wants.audience,
  ...ended,
})

/** `replays`: the request has values of the client, such as `state`, that it accepts once. */
export type Restart = { url: string; replays: boolean }

/** Implemented by lib/protocols/*; the pipeline's only call back to a protocol. */
export type LoginProtocol = {
  /** @param trail of the request that finishes the login */
  respond(request: unknown, outcome: LoginOutcome, trail: Trail): Promise<VisitorResponse>
  refuse(request: unknown, error: DomainError): VisitorResponse | Promise<VisitorResponse>
  /** The request as the vendor's events describe it, for actions. */
  describe(request: unknown): RequestDescription
  /** The URL that starts the same request again; null if only the client can do so. */
  restart(request: unknown): Restart | null
}
