// Where the console has the setting that mends a refused login, by its reason.
import type * as z from 'zod'
import type { Reason } from '../../../kernel/reasons'
import { memberAt, metaOf } from '../../../kernel/schema-meta'
import type { Reference } from '../../../management/console-call'
import { attackProtection } from '../../../management/resources/attack-protection'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { tenantSettings } from '../../../management/resources/tenant-settings'
import { users } from '../../../management/resources/users'
import { APPLICATION_PAGES } from './application-pages'
import { connectionBodies } from './connection-options'
import { controlId } from './field'
import { bodyOf } from './form'

type Subject = 'client' | 'connection' | 'user'

/** `member` is the path of the setting, whose control the link leads to; `label` is what that control is called. */
export type Remedy = { kind: Subject | 'page'; href: string; member?: string; label?: string }

/** A setting of the object; a panel of one of its pages; a setting or a panel of a page of the tenant, or a page that is a list. */
type Place =
  | { kind: Subject; member: string }
  | { kind: Subject; path: string; panel: string }
  | { kind: 'page'; path: string; setting?: { operation: Reference; member: string }; panel?: string }

const at = (kind: Subject, member: string): Place => ({ kind, member })
const panelOf = (kind: Subject, path: string, panel: string): Place => ({ kind, path, panel })
const list = (path: string): Place => ({ kind: 'page', path })
const panel = (path: string, id: string): Place => ({ kind: 'page', path, panel: id })
const setting = (path: string, operation: Reference, member: string): Place => ({
  kind: 'page',
  path,
  setting: { operation, member },
})

/** Of several places, the first whose object is known. */
export const PLACES: { readonly [Code in Reason]?: readonly Place[] } = {
  unknown_client: [list('applications')],
  missing_client_id: [list('applications')],
  client_gone: [list('applications')],
  client_not_confidential: [at('client', 'token_endpoint_auth_method')],
  wrong_secret: [panelOf('client', 'credentials', 'secret')],
  wrong_auth_method: [at('client', 'token_endpoint_auth_method')],
  registration_disabled: [setting('settings', tenantSettings.update, 'flags.enable_dynamic_client_registration')],
  grant_not_allowed: [at('client', 'grant_types')],
  response_type_not_allowed: [at('client', 'grant_types')],
  refresh_not_allowed: [at('client', 'grant_types')],
  callback_not_registered: [at('client', 'callbacks')],
  callback_missing: [at('client', 'callbacks')],
  web_origin_missing: [at('client', 'web_origins')],
  origin_not_allowed: [at('client', 'web_origins')],
  logout_url_not_registered: [at('client', 'allowed_logout_urls')],
  request_not_pushed: [at('client', 'require_pushed_authorization_requests')],
  request_not_signed: [at('client', 'require_signed_request_object')],
  fapi2_required: [at('client', 'security_profile')],
  saml_not_enabled: [panelOf('client', 'protocols', 'samlp')],
  wsfed_not_enabled: [panelOf('client', 'protocols', 'wsfed')],
  organization_required: [at('client', 'organization_usage')],
  organization_not_allowed: [at('client', 'organization_usage')],
  organization_name_not_allowed: [
    setting('settings', tenantSettings.update, 'allow_organization_name_in_authentication_api'),
  ],
  connection_unknown: [panelOf('client', 'access', 'connections'), list('connections')],
  connection_not_enabled: [panelOf('client', 'access', 'connections'), list('connections')],
  api_unknown: [list('apis')],
  audience_missing: [setting('settings', tenantSettings.update, 'default_audience')],
  api_not_for_client: [panelOf('client', 'access', 'grants'), list('apis')],
  client_grant_missing: [panelOf('client', 'access', 'grants'), list('apis')],
  scope_not_granted: [panelOf('client', 'access', 'grants'), list('apis')],
  scope_unknown: [list('apis')],
  offline_access_not_allowed: [list('apis')],
  organization_unknown: [list('organizations')],
  not_a_member: [panelOf('user', 'rights', 'organizations'), list('organizations')],
  member_of_none: [panelOf('user', 'rights', 'organizations'), list('organizations')],
  default_directory_missing: [setting('settings', tenantSettings.update, 'default_directory')],
  address_locked: [panel('security/blocks', 'address')],
  account_locked: [panelOf('user', 'sign-in', 'check'), panel('security/blocks', 'account')],
  factor_not_enabled: [panel('security/factors', 'factors')],
  factor_impossible: [panel('security/factors', 'factors')],
  leaked_password: [setting('security', attackProtection.breachedPasswords.update, 'enabled')],
  too_many_sign_ups: [setting('security', attackProtection.suspiciousIps.update, 'enabled')],
  wrong_password: [panelOf('user', 'sign-in', 'check')],
  user_blocked: [panelOf('user', '', 'access')],
  address_unverified: [at('user', 'email_verified')],
  passkeys_disabled: [at('connection', 'options.authentication_methods.passkey.enabled')],
  reset_disabled: [at('connection', 'options.disable_self_service_change_password')],
  upstream_audience: [at('connection', 'options.entityId')],
  upstream_issuer: [at('connection', 'options.idpEntityId')],
  upstream_address: [at('connection', 'options')],
  upstream_expired: [at('connection', 'options')],
  upstream_early: [at('connection', 'options')],
  upstream_unfit: [at('connection', 'options')],
  upstream_unreachable: [at('connection', 'options')],
  upstream_denied: [at('connection', 'options')],
  upstream_undecryptable: [at('connection', 'options.signingCert')],
  upstream_no_account: [at('connection', 'options.disable_signup')],
  unsolicited_not_allowed: [at('connection', 'options.idpinitiated.enabled')],
  signature_missing: [at('connection', 'options.signingCert')],
  signature_invalid: [at('connection', 'options.signingCert')],
  signature_algorithm: [at('connection', 'options')],
  sign_up_disabled: [at('connection', 'options.disable_signup')],
}

/** The ids of what a login was about, where they are known. */
export type LoginSubjects = { client: string | null; connection: string | null; user: string | null }

export function remedyOf(reason: string | null, subjects: LoginSubjects): Remedy | null {
  const places = (reason === null ? undefined : PLACES[reason as Reason]) ?? []
  for (const place of places) {
    const found = remedyAt(place, subjects)
    if (found) return found
  }
  return null
}

function remedyAt(place: Place, subjects: LoginSubjects): Remedy | null {
  if (place.kind === 'page') {
    const { path, setting: found, panel: id } = place
    const anchor = found ? controlId(found.operation.name, found.member) : id
    const named = found && { member: found.member, ...labelled([bodyOf(found.operation)], found.member) }
    return { kind: 'page', href: address(path, anchor), ...named }
  }
  const id = subjects[place.kind]
  if (id === null) return null
  const base = `${place.kind === 'client' ? 'application' : place.kind}s/${encodeURIComponent(id)}`
  if ('panel' in place) return { kind: place.kind, href: address(joined(base, place.path), place.panel) }
  const operation = UPDATES[place.kind]
  const member = controlOf(place.kind, place.member)
  const path = place.kind === 'client' && member !== undefined ? applicationPageOf(member) : ''
  const anchor = member === undefined ? undefined : controlId(operation.name, member)
  const named = { member: place.member, ...labelled(bodiesOf(place.kind), member ?? place.member) }
  return { kind: place.kind, href: address(joined(base, path), anchor), ...named }
}

const UPDATES = { client: clients.update, connection: connections.update, user: users.update } as const

const joined = (base: string, path: string): string => (path === '' ? base : `${base}/${path}`)

const address = (path: string, anchor: string | undefined): string =>
  `/console/${path}${anchor === undefined ? '' : `#${anchor}`}`

/** The member, or what it is a part of, that has a control; undefined where it has none of its own, as the options of a connection. */
function controlOf(kind: Subject, member: string): string | undefined {
  const bodies = bodiesOf(kind)
  const names = member.split('.')
  const paths = names.map((_, place) => names.slice(0, names.length - place).join('.'))
  return paths.find((path) => bodies.some((body) => groupIn(body, path) !== undefined))
}

const bodiesOf = (kind: Subject): readonly (z.ZodType | undefined)[] =>
  kind === 'connection' ? connectionBodies() : [bodyOf(UPDATES[kind])]

/** What the control of the member is called. */
function labelled(bodies: readonly (z.ZodType | undefined)[], path: string): { label?: string } {
  for (const body of bodies) {
    const member = memberAt(body, path)
    const title = member && metaOf(member).title
    if (title !== undefined) return { label: title }
  }
  return {}
}

function groupIn(body: z.ZodType | undefined, path: string): string | undefined {
  const member = memberAt(body, path)
  return member && metaOf(member).group
}

function applicationPageOf(member: string): string {
  const group = groupIn(bodyOf(clients.update), member)
  const found = Object.entries(APPLICATION_PAGES).find(([, groups]) => groups.some((each) => each === group))
  return found?.[0] ?? ''
}
