// The login transaction: one attempt to log someone in for one application, whatever the protocol.
// - Pages never know the protocol and protocols never know the pages: `Wants` is all that crosses inward,
//   `LoginOutcome` all that crosses outward.
// - Which screen comes next is computed from these facts (requirements.ts), never stored.
// - Its handle and the cookie that binds it to one browser are stored as digests only.
import type { Client } from '../clients/client'
import type { Consent } from '../consent/consent'
import type { HttpResponse } from '../http/message'
import type { DomainError } from '../kernel/errors'
import type { CustomClaims } from '../rules/claims/compile'
import type { Described } from '../rules/events'
import type { Evidence, Session } from '../sessions/session'
import type { ActionClaims } from '../tokens/custom-claims'
import type { Settlement } from '../users/attempts'
import type { User } from '../users/user'
import type { RuleDraft } from './rules/rule-draft'
import type { MfaDraft } from './steps/mfa-draft'

export type Prompt = 'none' | 'login' | 'consent' | 'select_account'

/** What the application asked for, in no protocol's words. */
export type Wants = {
  clientId: string
  redirectUri: string
  scopes: string[]
  audience: string | null
  prompt: Prompt[]
  /** Seconds since authentication that still count. */
  maxAge: number | null
  acrValues: string[]
  connection: string | null
  loginHint: string | null
  /** Only this user will do (`id_token_hint`). */
  subject: string | null
  screenHint: string | null
  uiLocales: string | null
  organization: string | null
  /** Scopes of claims asked for by name: agreed to like `scopes`, not granted. */
  claimScopes?: string[]
  /** What no parameter of ours is, for an upstream provider. */
  extra?: Record<string, string>
}

export type Decisions = {
  /** The person chose to go on with the account that is signed in. */
  account?: 'selected'
  consent?: Pick<Consent, 'audience' | 'scopes'>
  /** What was typed last, to type it only once. */
  identifier?: string
  /** The address that was typed first leads to no other provider: the password may be asked for. */
  identified?: true
  signUp?: SignUpDraft
  /** The address that a code was sent to. */
  code?: { connectionId: string; address: string; sentAt: string }
  mfa?: MfaDraft
  linking?: LinkDraft
  rules?: RuleDraft
}

/** Another account of the same verified address, and the connections that it can be proven by here. */
export type OtherAccount = { id: string; connectionIds: string[] }

/** How the suggestion stands to make one account of two (linking.ts). `first` was proven before the other is. */
export type LinkDraft =
  | { phase: 'offered' | 'accepted'; other: OtherAccount }
  | { phase: 'proving'; other: OtherAccount; first: { userId: string; evidence: Evidence[] } }
  | { phase: 'declined' | 'done' }

/** The sign-up form as it was sent last, without the password. */
export type SignUpDraft = {
  username: string
  /** Custom fields: name → what was typed. */
  extra: Record<string, string>
  /** Fields that the refusal is about. */
  invalid: string[]
  /** Rules that the password broke. */
  broken: string[]
  /** What a rule of the tenant has to say to the person. */
  words?: string
}

export type ProtocolName = 'oidc' | 'device' | 'saml' | 'wsfed'

/** The validated request of a protocol, opaque to everything but that protocol. */
export type Origin = { protocol: ProtocolName; request: unknown }

/** A login that a grant began and that lacks a second factor; its handle is the `mfa_token` (docs/adr/0001). */
export type GrantOrigin = {
  protocol: 'grant'
  request: {
    /** What its access tokens call the grant, if they do. */
    gty: string | null
    /** Missing in one that an older version began. */
    protocol?: string
    ip: string
    /** The token family that the new one takes the place of, where a refresh began it. */
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

/** How long an `mfa_token` lives. */
export const GRANT_SECONDS = 600

/** The first page of a login, and what is sent from it. */
export type RecalledFor = 'page' | 'form'

export type TransactionPort = {
  insert(transaction: LoginTransaction | GrantTransaction): Promise<void>
  /**
   * As it began, where this process remembers that; for whoever knows of nothing that happened to it since. Another process
   * may have gone on with it: what comes of it is for the statements below to decide (docs/adr/0024).
   */
  recall(handleDigest: Uint8Array, purpose: RecalledFor): LoginTransaction | null
  /** Of a page: the handle of a grant's opens none. */
  find(handleDigest: Uint8Array): Promise<{ transaction: LoginTransaction; user: User | null } | null>
  /** Of a grant: the handle of a page's is no `mfa_token`. */
  findGrant(handleDigest: Uint8Array): Promise<{ transaction: GrantTransaction; user: User | null } | null>
  /** Moves on from `revision`; false when another submit was first. */
  update(
    handleDigest: Uint8Array,
    revision: number,
    next: Pick<LoginTransaction, 'userId' | 'evidence' | 'decisions'>,
  ): Promise<boolean>
  /** Remembers what was typed; not a step, so a submit that succeeds meanwhile is not overtaken by one that fails. */
  note(handleDigest: Uint8Array, revision: number, decisions: Decisions): Promise<void>
  /** Ends an attempt without a login; false when it already ended. */
  consume(handleDigest: Uint8Array, now: Date): Promise<boolean>
  /**
   * In one statement: consume the transaction, establish the session, end the one it replaces, record consent and login.
   * Where `suggest` finds another account that could be linked, nothing of it happens and that is the answer.
   */
  finish(completion: Completion): Promise<'finished' | 'lost' | OtherAccount>
}

export type Completion = {
  handleDigest: Uint8Array
  revision: number
  now: Date
  /** When the oldest proof of it was given; worth nothing if its user was signed out everywhere since. */
  provenAt: Date
  session: Session
  replaces: Uint8Array | null
  consent: Consent | null
  ip: string
  /** Null where no other account is looked for. */
  suggest: LinkSearch | null
  /** The person wants to keep this account and others of its address apart. */
  keepsApart: boolean
  /** The good guess that is settled, however this ends. */
  guess: Settlement | null
}

/** What another account has to be found by: one of these connections, and perhaps only at somebody's first login. */
export type LinkSearch = { connectionIds: string[]; firstLoginOnly: boolean }

/** What the pipeline hands to the protocol. */
export type LoginOutcome = {
  /** From before anything that the login rests on was read: whoever is signed out everywhere later, is out of it too. */
  at: Date
  client: Client
  user: User
  sid: string
  evidence: Evidence[]
  authTime: Date
  scopes: string[]
  audience: string | null
  /** Of whoever asks. */
  ip: string
  /** What the tenant's actions have its tokens say. */
  custom?: ActionClaims
}

/** What rules have an assertion say besides, of the login that it is for. */
export type AssertionClaimsReader = (outcome: LoginOutcome, protocol: string) => CustomClaims | Promise<CustomClaims>

/** What the end of a login adds; `scopes` where rules changed them. */
export type Ended = Pick<LoginOutcome, 'ip' | 'custom'> & { scopes?: string[] }

export const outcomeOf = (
  at: Date,
  wants: Wants,
  client: Client,
  user: User,
  session: Session,
  ended: Ended,
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

/** Implemented by lib/protocols/*; the one upward call of the pipeline. */
export type LoginProtocol = {
  respond(request: unknown, outcome: LoginOutcome): Promise<HttpResponse>
  refuse(request: unknown, error: DomainError): HttpResponse | Promise<HttpResponse>
  /** The request in the words of the vendor's events, for rules. */
  describe(request: unknown): Described
  /** Where a person can begin the same request anew; null where only the application can. */
  restartUrl(request: unknown): string | null
}
