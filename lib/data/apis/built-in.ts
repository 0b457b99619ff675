// The APIs that every tenant has without registering them: the Management API, a person's second factors, and a person's account.
// - Their personal scopes are about the person who signed in (the contract's "Management API token for single-page applications").
//   A client never gets them for itself, and a third-party application never gets any scope of these APIs: they allow an account
//   takeover (threat-model.md TK6).
// - The other scopes of the Management API are for clients with a client grant, and for people whose roles allow them.
// - A registered API with the same identifier does not replace them.
import { type Api, type ApiPort, toApi } from './api'
import { CHANGING_MANAGEMENT_SCOPES, MANAGEMENT_SCOPES } from './management-scopes'

export const managementAudience = (baseUrl: string): string => `${baseUrl}/api/v2/`
export const mfaAudience = (baseUrl: string): string => `${baseUrl}/mfa/`
export const myAccountAudience = (baseUrl: string): string => `${baseUrl}/me/`

/** Whether tokens for it may change how a person signs in, so that a login for them proves a factor if there is one. */
export const changesFactors = (audience: string | null, baseUrl: string): boolean =>
  audience === mfaAudience(baseUrl) || audience === myAccountAudience(baseUrl)

/** What people read about a scope, and whether a token with it may change how its person signs in (threat-model.md BF22). */
type Scope = { says: string; changes: boolean }

const plain = (says: string): Scope => ({ says, changes: false })
const changing = (says: string): Scope => ({ says, changes: true })

/** `user_metadata` holds preferences and no way to sign in. */
const PERSONAL_SCOPES = {
  'read:current_user': plain('Read your profile'),
  'update:current_user_identities': changing('Link and unlink your accounts'),
  'update:current_user_metadata': plain('Change your preferences'),
  'create:current_user_metadata': plain('Add preferences of yours'),
  'delete:current_user_metadata': changing('Remove your second factors'),
  'create:current_user_device_credentials': changing('Register your devices'),
  'delete:current_user_device_credentials': changing('Remove your devices'),
}

const MFA_SCOPES = {
  enroll: changing('Add a second factor'),
  'read:authenticators': plain('See your second factors'),
  'remove:authenticators': changing('Remove your second factors'),
}

const MY_ACCOUNT_SCOPES = {
  'create:me:authentication_methods': changing('Add ways to sign in'),
  'read:me:authentication_methods': plain('See your ways to sign in'),
  'update:me:authentication_methods': changing('Rename your ways to sign in'),
  'delete:me:authentication_methods': changing('Remove your ways to sign in'),
  'read:me:factors': plain('See which ways to sign in you can add'),
  'read:me:identities': plain('See your linked accounts'),
  'update:me:identities': changing('Link and unlink your accounts'),
}

/** The oldest authentication, in seconds, that a change of how a person signs in accepts (threat-model.md SE7). */
const RECENTLY = 3600
export const ENROLLING_SECONDS = RECENTLY
/** The vendor's fifteen minutes. */
const MY_ACCOUNT_RECENTLY = 900

export type PersonalScope = keyof typeof PERSONAL_SCOPES
export type MfaScope = keyof typeof MFA_SCOPES
export type MyAccountScope = keyof typeof MY_ACCOUNT_SCOPES

/**
 * Registered and built-in APIs in one port. The Management API keeps its identifier on custom domains. At one of the tenant's `addresses`
 * there is no registered API with the identifier that is built in at another.
 */
export function withBuiltIn(
  registered: ApiPort,
  baseUrl: string,
  canonicalUrl = baseUrl,
  addresses: readonly string[] = [baseUrl],
): ApiPort {
  const builtIn = new Map(
    [
      managementApi(canonicalUrl),
      builtInApi(mfaAudience(baseUrl), 'Your second factors', MFA_SCOPES, 600, RECENTLY),
      builtInApi(myAccountAudience(baseUrl), 'Your account', MY_ACCOUNT_SCOPES, 900, MY_ACCOUNT_RECENTLY),
    ].map((api) => [api.identifier, api]),
  )
  const elsewhere = new Set(addresses.flatMap(builtInAudiences))
  return {
    find: async (identifier) =>
      builtIn.get(identifier) ?? (elsewhere.has(identifier) ? null : registered.find(identifier)),
  }
}

const builtInAudiences = (baseUrl: string): string[] => [
  managementAudience(baseUrl),
  mfaAudience(baseUrl),
  myAccountAudience(baseUrl),
]

/** A client's own token lives for a day, a person's for two hours. */
export function managementApi(baseUrl: string): Api {
  const api = builtInApi(managementAudience(baseUrl), 'Your profile', PERSONAL_SCOPES, 7200, RECENTLY)
  return {
    ...api,
    settings: { ...api.settings, token_lifetime: 86_400 },
    scopes: new Map([...api.scopes, ...MANAGEMENT_SCOPES]),
    changing: new Map([...api.changing, ...eachWithin(CHANGING_MANAGEMENT_SCOPES, RECENTLY)]),
  }
}

function builtInApi(
  identifier: string,
  name: string,
  scopes: Record<string, Scope>,
  tokenSeconds: number,
  recently: number,
) {
  const settings = {
    scopes: Object.entries(scopes).map(([value, { says: description }]) => ({ value, description })),
    token_lifetime: tokenSeconds,
    token_lifetime_for_web: tokenSeconds,
  }
  const personal = { scopes: new Set(Object.keys(scopes)), tokenSeconds }
  const changes = Object.keys(scopes).filter((scope) => scopes[scope]?.changes)
  return { ...toApi({ identifier, name, settings }), personal, changing: eachWithin(changes, recently) }
}

const eachWithin = (scopes: readonly string[], seconds: number): Map<string, number> =>
  new Map(scopes.map((scope) => [scope, seconds]))
