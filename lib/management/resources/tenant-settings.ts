// The settings of the tenant: its name, sessions, flags and defaults.
// - A lifetime is stored once, in hours; `…_in_minutes` writes the same value.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { writtenTenantUrls } from '../../data/clients/client'
import { tenantSection } from '../../data/tenants/settings'
import type { JsonObject } from '../../kernel/json'
import { openObject } from '../../kernel/schema'
import { checkWritten } from '../operations/members'
import { defineSingleton } from '../operations/singleton'
import { asksForIt, isOneOf, type UnsupportedProtections } from '../operations/unsupported-protections'

const MINUTES = [
  'session_lifetime',
  'idle_session_lifetime',
  'ephemeral_session_lifetime',
  'idle_ephemeral_session_lifetime',
] as const

const PROTECTING: UnsupportedProtections = {
  country_codes: asksForIt,
  default_token_quota: asksForIt,
  dynamic_client_registration_security_mode: isOneOf('strict'),
  security_headers: asksForIt,
  skip_non_verifiable_callback_uri_confirmation_prompt: isOneOf(false),
  'flags.enable_adfs_waad_email_verification': isOneOf(true),
  'flags.enable_sso': isOneOf(false),
  'flags.require_pushed_authorization_requests': asksForIt,
  'mtls.enable_endpoint_aliases': asksForIt,
  'sessions.oidc_logout_prompt_enabled': isOneOf(true),
}

/** What the vendor can switch, and holds here for every tenant. */
const ALWAYS = {
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: false,
  customize_mfa_in_postlogin_action: true,
  pushed_authorization_requests_supported: true,
  skip_non_verifiable_callback_uri_confirmation_prompt: true,
  flags: {
    allow_legacy_delegation_grant_types: false,
    allow_legacy_ro_grant_types: false,
    allow_legacy_tokeninfo_endpoint: false,
    change_pwd_flow_v1: false,
    disable_clickjack_protection_headers: false,
    disable_impersonation: true,
    enable_adfs_waad_email_verification: false,
    enable_idtoken_api2: false,
    enable_legacy_profile: false,
    enable_sso: true,
    enforce_client_authentication_on_passwordless_start: true,
    no_disclose_enterprise_connections: true,
    remove_alg_from_jwks: false,
    revoke_refresh_token_grant: true,
    trust_azure_adfs_email_verified_connection_property: true,
  },
  mtls: { enable_endpoint_aliases: false },
  oidc_logout: { rp_logout_end_session_endpoint_discovery: true },
  sessions: { oidc_logout_prompt_enabled: false },
}

const minutes = z.number().positive().nullish()

export const tenantSettings = defineSingleton({
  name: 'tenant_settings',
  console: true,
  example: { friendly_name: 'Shop', session_lifetime: 24 },
  title: 'settings of the tenant',
  path: '/tenants/settings',
  scope: 'tenant_settings',
  at: ['tenant'],
  schema: tenantSection,
  protective: ['console_second_factor'],
  deep: ['flags', 'session_cookie', 'sessions', 'oidc_logout', 'mtls', 'compat', 'rate_limits', 'login_inspector'],
  body: openObject({
    session_lifetime_in_minutes: minutes,
    idle_session_lifetime_in_minutes: minutes,
    ephemeral_session_lifetime_in_minutes: minutes,
    idle_ephemeral_session_lifetime_in_minutes: minutes,
  }),
  always: ALWAYS,
  protecting: PROTECTING,
  accept(body, before, { languages }) {
    checkWritten(writtenTenantUrls, body)
    return inHours(withoutAllLanguages(body, before, languages))
  },
  present: (members, { languages }) => ({ enabled_locales: [...languages], ...members }),
  nameIn: ({ friendly_name }) => (typeof friendly_name === 'string' ? friendly_name : undefined),
})

/** A body that repeats what is shown while no language is named names none: a language that is added later is enabled, too. */
function withoutAllLanguages(body: JsonObject, before: JsonObject, languages: readonly string[]): JsonObject {
  const { enabled_locales: given, ...rest } = body
  const isRepeated = [given, before.enabled_locales].every((each) => isDeepStrictEqual(each, languages))
  return isRepeated ? rest : body
}

function inHours(body: JsonObject): JsonObject {
  const hours = { ...body }
  for (const name of MINUTES) {
    const minutes = hours[`${name}_in_minutes`]
    delete hours[`${name}_in_minutes`]
    if (minutes === undefined) continue
    hours[name] = minutes === null ? null : Number(minutes) / 60
  }
  return hours
}
