// The APIs that every tenant has without registering them: the Management API, a person's second factors, and a person's account.
// - Their personal scopes are about the person who signed in (the contract's "Management API token for single-page applications").
//   A client never gets them for itself, and a third-party application never gets any scope of these APIs: they allow an account
//   takeover (threat-model.md TK6).
// - The other scopes of the Management API are for clients with a client grant, and for people whose roles allow them.
// - A registered API with the same identifier does not replace them.
import { type Api, type ApiPort, toApi } from './api'
import { MANAGEMENT_SCOPES } from './management-scopes'

export const managementAudience = (baseUrl: string): string => `${baseUrl}/api/v2/`
export const mfaAudience = (baseUrl: string): string => `${baseUrl}/mfa/`
export const myAccountAudience = (baseUrl: string): string => `${baseUrl}/me/`

/** Whether tokens for it may change how a person signs in, so that a login for them proves a factor if there is one. */
export const changesFactors = (audience: string | null, baseUrl: string): boolean =>
  audience === mfaAudience(baseUrl) || audience === myAccountAudience(baseUrl)

const PERSONAL_SCOPES = {
  'read:current_user': 'Read your profile',
  'update:current_user_identities': 'Link and unlink your accounts',
  'update:current_user_metadata': 'Change your preferences',
  'create:current_user_metadata': 'Add preferences of yours',
  'delete:current_user_metadata': 'Remove your second factors',
  'create:current_user_device_credentials': 'Register your devices',
  'delete:current_user_device_credentials': 'Remove your devices',
}

const MFA_SCOPES = {
  enroll: 'Add a second factor',
  'read:authenticators': 'See your second factors',
  'remove:authenticators': 'Remove your second factors',
}

const MY_ACCOUNT_SCOPES = {
  'create:me:authentication_methods': 'Add ways to sign in',
  'read:me:authentication_methods': 'See your ways to sign in',
  'update:me:authentication_methods': 'Rename your ways to sign in',
  'delete:me:authentication_methods': 'Remove your ways to sign in',
  'read:me:factors': 'See which ways to sign in you can add',
  'read:me:identities': 'See your linked accounts',
  'update:me:identities': 'Link and unlink your accounts',
}

export type PersonalScope = keyof typeof PERSONAL_SCOPES
export type MfaScope = keyof typeof MFA_SCOPES
export type MyAccountScope = keyof typeof MY_ACCOUNT_SCOPES

/** Registered and built-in APIs in one port. The Management API keeps its identifier on custom domains. */
export function withBuiltIn(registered: ApiPort, baseUrl: string, canonicalUrl = baseUrl): ApiPort {
  const builtIn = new Map(
    [
      managementApi(canonicalUrl),
      builtInApi(mfaAudience(baseUrl), 'Your second factors', MFA_SCOPES, 600),
      builtInApi(myAccountAudience(baseUrl), 'Your account', MY_ACCOUNT_SCOPES, 900),
    ].map((api) => [api.identifier, api]),
  )
  return { find: async (identifier) => builtIn.get(identifier) ?? registered.find(identifier) }
}

/** A client's own token lives for a day, a person's for two hours. */
export function managementApi(baseUrl: string): Api {
  const api = builtInApi(managementAudience(baseUrl), 'Your profile', PERSONAL_SCOPES, 7200)
  return {
    ...api,
    settings: { ...api.settings, token_lifetime: 86_400 },
    scopes: new Map([...api.scopes, ...MANAGEMENT_SCOPES]),
  }
}

function builtInApi(identifier: string, name: string, scopes: Record<string, string>, seconds: number): Api {
  const settings = {
    scopes: Object.entries(scopes).map(([value, description]) => ({ value, description })),
    token_lifetime: seconds,
    token_lifetime_for_web: seconds,
  }
  const personal = { scopes: new Set(Object.keys(scopes)), tokenSeconds: seconds }
  return { ...toApi({ identifier, name, settings }), personal }
}
