// What a tenant's template of a mail or of a text message may name: the vendor's variables. What is unknown is absent, so that a
// condition on it is false.
// - Names that administrators chose are shown as they are. What a person typed before the recipient was proven is shown only where no
//   mail program could make a link of it (BF8).
import type { Client } from '../../data/clients/client'
import type { MailedOrganization } from '../../data/outbox/message'
import { isJsonObject, type JsonObject, objectIn } from '../../kernel/json'
import { parseUrl } from '../../kernel/url'
import { named, type TemplateScope } from './liquid'
import { plainName } from './templates'

export type TemplateApplication = Pick<Client, 'clientId' | 'name' | 'isRegistered'> & {
  settings: Partial<Client['settings']>
}

export type TemplateUser = {
  /** As the Management API shows the user. */
  record: JsonObject
  /** The recipient's address or number is one that the user has verified. */
  isProven: boolean
  /** The picture that this server makes for the user. */
  drawnPicture: string | null
}

export type TemplateInvitation = {
  inviter: string
  roles: readonly { id: string; name: string; description: string | null }[]
  userMetadata: JsonObject
  appMetadata: JsonObject
}

export type TemplateTenant = {
  name: string
  friendlyName: string
  supportEmail?: string | undefined
  supportUrl?: string | undefined
  homeUrl?: string | undefined
  logoUrl?: string | undefined
}

export type TemplateValues = {
  /** The recipient, an address or a number. */
  to: string
  locale: string
  tenant: TemplateTenant
  /** The custom domain of the message's links. */
  customDomain?: string | undefined
  user: TemplateUser | null
  application: TemplateApplication | null
  connection: string | null
  organization: MailedOrganization | null
  invitation?: TemplateInvitation | undefined
  ip?: string | undefined
}

/** `inUrl`: names are written for an address, as at the vendor. */
export function scopeOf(values: TemplateValues, { inUrl = false } = {}): TemplateScope {
  const { tenant, connection, locale, customDomain, invitation } = values
  const application = applicationIn(values, inUrl)
  const user = userIn(values)
  return {
    application,
    client: application,
    connection: connection === null ? undefined : named(connection, { name: connection }),
    organization: organizationScope(values),
    custom_domain: customDomain === undefined ? undefined : { domain: customDomain, domain_metadata: {} },
    request_language: locale,
    locale,
    tenant: named(tenant.name, {
      name: tenant.name,
      friendlyName: tenant.friendlyName,
      friendly_name: tenant.friendlyName,
    }),
    friendly_name: tenant.friendlyName,
    support_email: tenant.supportEmail,
    support_url: tenant.supportUrl,
    home_url: tenant.homeUrl,
    logo_url: tenant.logoUrl,
    user,
    user_metadata: invitation?.userMetadata ?? user?.user_metadata,
    app_metadata: invitation?.appMetadata ?? user?.app_metadata,
    inviter: invitation && { name: plainName(invitation.inviter) },
    roles: invitation?.roles,
  }
}

/** A mail that no application caused is the tenant's. */
function applicationIn({ application, tenant, organization }: TemplateValues, inUrl: boolean): TemplateScope {
  const written = (name: string | undefined) =>
    inUrl && name !== undefined ? encodeURIComponent(name.toWellFormed()) : name
  if (!application) return { name: written(tenant.friendlyName) }
  const { clientId, name, isRegistered, settings } = application
  const metadata = settings.client_metadata ?? {}
  const { description, logo_uri, initiate_login_uri, app_type } = settings
  return {
    name: written(isRegistered ? plainName(name) : name),
    clientID: clientId,
    client_id: clientId,
    client_metadata: metadata,
    clientMetadata: metadata,
    metadata,
    callback_domain: callbackDomain(settings.callbacks ?? [], organization),
    app_type,
    // Anyone may register a client, and chooses these.
    ...(!isRegistered && { description, logo_uri, initiate_login_uri }),
  }
}

/** The origin of the first callback that has one. Of a registered client too: the template is the tenant's. */
const callbackDomain = (callbacks: readonly string[], organization: MailedOrganization | null): string | undefined =>
  callbacks
    .map((callback) => parseUrl(callback.replaceAll('{organization_name}', organization?.name ?? '*'))?.origin)
    .find((origin) => origin !== undefined && origin !== 'null' && !origin.includes('*'))

function organizationScope({ organization }: TemplateValues): TemplateScope | undefined {
  if (!organization) return undefined
  const { id, name, settings } = organization
  const { display_name = name, metadata = {}, branding = {} } = settings
  return { id, name, display_name, metadata, branding }
}

const NAMES = ['name', 'given_name', 'family_name', 'nickname', 'middle_name', 'preferred_username']

/** What no person typed: the server or a manager wrote it. */
const RECORDED = [
  ...['user_id', 'created_at', 'updated_at', 'last_login', 'last_ip', 'logins_count', 'last_password_reset'],
  ...['phone_verified', 'multifactor', 'blocked', 'app_metadata'],
]

function userIn({
  user,
  to,
  ip,
}: TemplateValues): (TemplateScope & { user_metadata?: unknown; app_metadata?: unknown }) | undefined {
  if (!user) return to.includes('@') ? { email: to, email_verified: false, source_ip: ip || undefined } : undefined
  const { record, isProven, drawnPicture } = user
  const own = isProven ? record : picked(record, RECORDED)
  const identities = Array.isArray(record.identities)
    ? record.identities.map((each) => withoutProfile(each, isProven))
    : undefined
  return {
    ...own,
    ...namesIn(record, to, isProven),
    ...(to.includes('@') ? { email: to, email_verified: isProven } : addressIn(record, to)),
    picture: isProven ? record.picture : (drawnPicture ?? undefined),
    identities,
    login_count: record.logins_count,
    user_metadata: isProven ? objectIn(record.user_metadata) : plainParts(objectIn(record.user_metadata)),
    source_ip: ip || undefined,
  }
}

const picked = (record: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))

/** A name that is the recipient's own address, or its first part, is no news to the recipient. */
function namesIn(record: JsonObject, to: string, isProven: boolean): TemplateScope {
  const known = [to, ...(record.email_verified === true ? [String(record.email)] : [])]
  const own = new Set(known.filter((each) => each.includes('@')).flatMap((each) => [each, each.split('@')[0]]))
  const shown = (value: unknown) =>
    typeof value === 'string' && own.has(value) ? value : plainName(typeof value === 'string' ? value : undefined)
  const names = [...NAMES, ...(isProven ? [] : ['username'])]
  return Object.fromEntries(names.map((name) => [name, shown(record[name])]))
}

/** In a text message. */
const addressIn = ({ email, email_verified, phone_number }: JsonObject, to: string): TemplateScope => ({
  email: email_verified === true ? email : undefined,
  email_verified: email_verified ?? undefined,
  phone_number: phone_number === to ? to : undefined,
})

const withoutProfile = (identity: unknown, isProven: boolean): unknown => {
  if (isProven || !isJsonObject(identity)) return identity
  const { profileData: _, ...rest } = identity
  return rest
}

/** The user who signs up chooses it: only what could be a name, at its first level. */
const plainParts = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      ([, value]) => typeof value === 'boolean' || (typeof value === 'string' && plainName(value) !== undefined),
    ),
  )

/** Of a person who does not exist, for previews and test messages. */
export const sampleValues = (tenant: TemplateTenant): TemplateValues => ({
  to: 'ada@example.com',
  locale: 'en',
  tenant,
  user: {
    record: {
      user_id: 'auth0|example',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      nickname: 'ada',
      user_metadata: {},
      app_metadata: {},
    },
    isProven: true,
    drawnPicture: null,
  },
  application: { clientId: 'example', name: 'Example', isRegistered: false, settings: {} },
  connection: 'Example',
  organization: { id: 'org_example', name: 'example', settings: { display_name: 'Example' } },
  invitation: {
    inviter: 'Grace',
    roles: [{ id: 'rol_example', name: 'Example', description: null }],
    userMetadata: {},
    appMetadata: {},
  },
  ip: '192.0.2.1',
})
