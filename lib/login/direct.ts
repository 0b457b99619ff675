// A login without a browser: an application brings what was proven elsewhere (a password at the token endpoint, say),
// and the requirements of the hosted pages judge it, so that none of them can be gone around (threat-model.md MF1).
// - There is no page here on which a requirement could be met: the first unmet one refuses.
// - To hand one's password to an application is consent where the application is first-party, and nowhere else.
// - It begins a token family and records the login; it makes no session, so there is no `sid`.
import type { Api } from '../apis/api'
import type { Client } from '../clients/client'
import { consentAudience } from '../consent/consent'
import { epochSeconds } from '../kernel/clock'
import { DomainError, invalidGrant } from '../kernel/errors'
import type { Evidence } from '../sessions/session'
import { newFamily } from '../tokens/birth'
import type { Authentication, FamilyPort } from '../tokens/family'
import type { PersonalAuthorization } from '../tokens/issue'
import type { User } from '../users/user'
import type { LoginDeps } from './deps'
import { nextRequirement } from './requirements'
import { loadState } from './state'
import type { Decisions, Wants } from './transaction'

export type DirectLogin = {
  /** Whom it was proven of, and how; `at` is when the proof began, so that a new password meanwhile ends it (RT7). */
  user: User
  evidence: Evidence[]
  client: Client
  api: Api | null
  /** What of the asked-for scopes can be granted. */
  scopes: string[]
  /** What its access tokens call the grant, if they do. */
  gty: string | null
  ip: string
}

export type DirectDeps = LoginDeps & { families: FamilyPort }

export async function authenticateDirect(login: DirectLogin, deps: DirectDeps): Promise<PersonalAuthorization> {
  if (login.user.blocked) throw invalidGrant('user is blocked')
  const { user, evidence } = login
  const state = await loadState({ wants: wantsOf(login), user, evidence, decisions: decisionsOf(login) }, deps)
  const missing = nextRequirement(state)
  if (missing) throw new DomainError(missing.refusal.code, missing.refusal.description)
  return begin(login, deps)
}

async function begin(login: DirectLogin, deps: DirectDeps): Promise<PersonalAuthorization> {
  const { user, client, api, scopes, gty, ip } = login
  const now = deps.clock.now()
  const provenAt = new Date(login.evidence[0]?.at ?? now)
  const audience = api?.identifier ?? null
  const beginning = { id: deps.random.uuid(), userId: user.id, scopes, audience, sid: null, gty }
  const family = newFamily({ ...beginning, authentication: authenticationOf(login.evidence, now) }, client, now)
  if (!(await deps.families.begin(family, { at: now, ip, provenAt }))) {
    throw invalidGrant('The user was blocked or signed out everywhere meanwhile.')
  }
  const named = gty === null ? {} : { gty }
  return { client, user, api, family, scopes, nonce: null, refreshGeneration: family.generation, ...named }
}

const authenticationOf = (evidence: Evidence[], now: Date): Authentication => ({
  time: epochSeconds(new Date(evidence.at(-1)?.at ?? now)),
  methods: evidence.map((proof) => proof.method),
  tell: false,
})

const decisionsOf = ({ client, api, scopes }: DirectLogin): Decisions =>
  client.settings.is_first_party ? { consent: { audience: consentAudience(api), scopes } } : {}

const wantsOf = ({ client, api, scopes }: DirectLogin): Wants => ({
  clientId: client.clientId,
  redirectUri: '',
  scopes,
  audience: api?.identifier ?? null,
  prompt: [],
  maxAge: null,
  acrValues: [],
  connection: null,
  loginHint: null,
  subject: null,
  screenHint: null,
  uiLocales: null,
  organization: null,
})
