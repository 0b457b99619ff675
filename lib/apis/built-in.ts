// The APIs that every tenant has without registering them: a person's own data (the contract's "Management API token for single-page
// applications") and a person's second factors. Their tokens are issued in a person's context only.
// - A client never gets one for itself (`personal`), and a third-party application never gets their scopes: they allow an account
//   takeover (threat-model.md TK6).
// - A registered API with the same identifier does not replace them.
import { type Api, type ApiPort, toApi } from './api'

export const managementAudience = (baseUrl: string): string => `${baseUrl}/api/v2/`
export const mfaAudience = (baseUrl: string): string => `${baseUrl}/mfa/`

const MANAGEMENT_SCOPES = {
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

export type ManagementScope = keyof typeof MANAGEMENT_SCOPES
export type MfaScope = keyof typeof MFA_SCOPES

/** Registered and built-in APIs in one port. */
export function withBuiltIn(registered: ApiPort, baseUrl: string): ApiPort {
  const builtIn = new Map(
    [
      builtInApi(managementAudience(baseUrl), 'Your profile', MANAGEMENT_SCOPES, 7200),
      builtInApi(mfaAudience(baseUrl), 'Your second factors', MFA_SCOPES, 600),
    ].map((api) => [api.identifier, api]),
  )
  return { find: async (identifier) => builtIn.get(identifier) ?? registered.find(identifier) }
}

function builtInApi(identifier: string, name: string, scopes: Record<string, string>, seconds: number): Api {
  const settings = {
    scopes: Object.entries(scopes).map(([value, description]) => ({ value, description })),
    token_lifetime: seconds,
    token_lifetime_for_web: seconds,
  }
  return { ...toApi({ identifier, name, settings }), personal: true }
}
