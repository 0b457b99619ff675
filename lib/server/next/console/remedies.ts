// Where the console has the setting that mends a refused login, by its reason.
import type { Reason } from '../../../kernel/reasons'

/** `member` is the path of the setting on that page. */
export type Remedy = { kind: 'client' | 'connection' | 'user' | 'page'; href: string; member?: string }

type Place = { kind: 'client' | 'connection' | 'user'; member?: string } | { kind: 'page'; href: string }

const at = (kind: 'client' | 'connection' | 'user', member?: string): Place => ({
  kind,
  ...(member === undefined ? {} : { member }),
})
const page = (href: string): Place => ({ kind: 'page', href: `/console/${href}` })

const PLACES: { readonly [Code in Reason]?: Place } = {
  unknown_client: page('applications'),
  missing_client_id: page('applications'),
  client_gone: page('applications'),
  wrong_secret: at('client', 'client_secret'),
  wrong_auth_method: at('client', 'token_endpoint_auth_method'),
  grant_not_allowed: at('client', 'grant_types'),
  response_type_not_allowed: at('client', 'grant_types'),
  refresh_not_allowed: at('client', 'grant_types'),
  callback_not_registered: at('client', 'callbacks'),
  callback_missing: at('client', 'callbacks'),
  web_origin_missing: at('client', 'web_origins'),
  origin_not_allowed: at('client', 'web_origins'),
  request_not_pushed: at('client', 'require_pushed_authorization_requests'),
  request_not_signed: at('client'),
  fapi2_required: at('client'),
  saml_not_enabled: at('client', 'addons'),
  wsfed_not_enabled: at('client', 'addons'),
  organization_required: at('client', 'organization_usage'),
  organization_not_allowed: at('client', 'organization_usage'),
  connection_unknown: page('connections'),
  connection_not_enabled: page('connections'),
  api_unknown: page('apis'),
  audience_missing: page('apis'),
  api_not_for_client: page('apis'),
  client_grant_missing: page('apis'),
  scope_not_granted: page('apis'),
  scope_unknown: page('apis'),
  offline_access_not_allowed: page('apis'),
  organization_unknown: page('organizations'),
  not_a_member: page('organizations'),
  member_of_none: page('organizations'),
  default_directory_missing: page('settings'),
  address_locked: page('security/blocks'),
  account_locked: page('security/blocks'),
  factor_not_enabled: page('security/factors'),
  factor_impossible: page('security/factors'),
  leaked_password: page('security'),
  wrong_password: at('user'),
  user_blocked: at('user', 'blocked'),
  address_unverified: at('user', 'email_verified'),
  upstream_audience: at('connection', 'options.entityId'),
  upstream_issuer: at('connection', 'options.idpEntityId'),
  upstream_address: at('connection'),
  upstream_expired: at('connection'),
  upstream_early: at('connection'),
  upstream_unfit: at('connection'),
  upstream_unreachable: at('connection', 'options'),
  upstream_denied: at('connection'),
  upstream_undecryptable: at('connection', 'options.signingCert'),
  upstream_no_account: at('connection', 'options.disable_signup'),
  unsolicited_not_allowed: at('connection', 'options.idpinitiated'),
  signature_missing: at('connection', 'options.signingCert'),
  signature_invalid: at('connection', 'options.signingCert'),
  signature_algorithm: at('connection'),
  sign_up_disabled: at('connection', 'options.disable_signup'),
}

/** The ids of what a login was about, where they are known. */
export type LoginSubjects = { client: string | null; connection: string | null; user: string | null }

export function remedyOf(reason: string | null, subjects: LoginSubjects): Remedy | null {
  const place = reason === null ? undefined : PLACES[reason as Reason]
  if (!place) return null
  if (place.kind === 'page') return place
  const id = subjects[place.kind]
  return id === null
    ? null
    : { ...place, href: `/console/${place.kind === 'client' ? 'application' : place.kind}s/${encodeURIComponent(id)}` }
}
