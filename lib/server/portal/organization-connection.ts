// The identity provider that an organization connects itself, where the tenant allows that: at most one, OpenID Connect or SAML.
// - It counts in logins for this organization alone, and its addresses never count as verified (threat-model.md OR13).
// - What a form says is validated as a body of the Management API; the provider must answer, through the guard of outgoing calls.
// - Its name is the organization's, so it is the only one, and no form names a connection.
import { type Connection, isSaml, isUpstream, ownerOf, toConnection } from '../../data/connections/connection'
import { audienceOf, consumerUrls, samlProviderOf } from '../../data/connections/upstream/saml-provider'
import { callbackUrl } from '../../data/connections/upstream/upstream'
import { type CountLimit, takeAllowance } from '../../data/users/allowance'
import { serverOf } from '../../identity/strategies/upstream-server'
import { DomainError } from '../../kernel/errors'
import { type JsonObject, objectIn } from '../../kernel/json'
import { NO_SCOPES } from '../../management/operations/member-access'
import { withRank } from '../../management/operations/rank'
import { type ConnectionResourceRow, changedConnection, newConnection } from '../../management/resources/connections'
import type { OrganizationRow } from '../../management/resources/organizations'
import type { NoticeCode } from '../../pages/view'
import type { PortalCall } from './page'

const MAX_SAVED = 20
const HOUR = 3600
const STRATEGIES = ['oidc', 'samlp'] as const

const nameFor = ({ id }: OrganizationRow): string => `sso-${id.replaceAll(/[^A-Za-z0-9]/g, '-').replace(/^org-/, '')}`

const isOffered = ({ runtime }: PortalCall): boolean => runtime.settings.tenant.organization_connections

async function ownRow(
  organization: OrganizationRow,
  { management }: PortalCall,
): Promise<ConnectionResourceRow | null> {
  const { rows } = await management.managedConnections.list({ name: nameFor(organization) }, { offset: 0, limit: 1 })
  return rows.find(({ settings }) => settings.organization_id === organization.id) ?? null
}

/** What the page shows of it; undefined where the tenant does not offer it. No secret is shown. */
export async function ownConnectionView(organization: OrganizationRow, call: PortalCall) {
  if (!isOffered(call)) return undefined
  const row = await ownRow(organization, call)
  const connection = row && toConnection(row)
  if (!row || !connection) return { connected: null }
  const options = objectIn(row.settings.options)
  const use = await call.management.organizationConnections.find(organization.id, row.id)
  return {
    connected: {
      strategy: row.strategy,
      address: textIn(options.discovery_url ?? options.metadataUrl),
      clientId: textIn(options.client_id),
      assigns: use?.assignMembership === true,
      ...addressesOf(connection, call),
    },
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What the administrator enters at the provider. */
function addressesOf(connection: Connection, { runtime }: PortalCall): { callback: string; entityId?: string } {
  return isSaml(connection)
    ? { callback: consumerUrls(connection, runtime)[0], entityId: audienceOf(connection, runtime) }
    : { callback: callbackUrl(runtime) }
}

const savedBy = ({ id }: OrganizationRow): CountLimit => ({
  name: 'organization-connection',
  of: [id],
  most: MAX_SAVED,
  seconds: HOUR,
})

/** A provider says who a person is, so it is out of reach once people with rights over the tenant sign in there. */
const acting = <T>({ id }: { id: string }, { management }: PortalCall, work: () => Promise<T>): Promise<T> =>
  withRank(NO_SCOPES, { connections: [id] }, management, work)

export async function saveConnection(organization: OrganizationRow, call: PortalCall): Promise<NoticeCode> {
  const { user, input, runtime, management } = call
  if (!isOffered(call)) return 'portal_gone'
  if (!(await takeAllowance([savedBy(organization)], runtime))) return 'too_many_attempts'
  const before = await ownRow(organization, call)
  const row = rowOf(before, organization, call)
  if (!row || !(await answers(row, call))) return 'portal_provider_failed'
  const { managedConnections, organizationConnections } = management
  const now = runtime.clock.now()
  const stored = before
    ? await acting(row, call, () =>
        managedConnections.change(row.id, (current) => rowOf(current, organization, call) ?? current, now),
      )
    : await managedConnections.insert(row, now)
  if (!stored || stored === 'taken') return 'portal_gone'
  const assignMembership = input.assign === 'true'
  // One that the tenant switched off for the organization stays so.
  const used = await organizationConnections.change(organization.id, row.id, async (use) => ({
    ...use,
    assignMembership,
  }))
  const use = { assignMembership, showAsButton: true, signupEnabled: false, enabled: true, kept: {} }
  if (!used) await organizationConnections.insert(organization.id, { connectionId: row.id, ...use })
  const change = `connection ${before ? 'changed' : 'created'}`
  runtime.trail.record('changed', { user, organization, change, target: row.id })
  return 'portal_saved'
}

export async function deleteConnection(organization: OrganizationRow, call: PortalCall): Promise<NoticeCode> {
  const { user, runtime, management } = call
  const row = isOffered(call) ? await ownRow(organization, call) : null
  const removed = row && (await acting(row, call, () => management.managedConnections.remove(row.id, () => undefined)))
  if (!removed) return 'portal_gone'
  runtime.trail.record('changed', { user, organization, change: 'connection deleted', target: removed.id })
  return 'portal_removed'
}

/** The row that the form asks for; null if it is invalid. The strategy of a stored one stays. */
function rowOf(
  before: ConnectionResourceRow | null,
  organization: OrganizationRow,
  { input, management }: PortalCall,
): ConnectionResourceRow | null {
  const strategy = before?.strategy ?? STRATEGIES.find((each) => each === input.strategy)
  const options = strategy === 'samlp' ? samlOptionsOf(input, before) : oidcOptionsOf(input)
  if (strategy === undefined || !options) return null
  const fixed: JsonObject = {
    organization_id: organization.id,
    suggest_account_linking: false,
    options: { ...options, should_trust_email_verified_connection: 'never_set_emails_as_verified' },
  }
  try {
    if (before) return changedConnection(before, fixed, management)
    const { settings } = organization
    const display_name = textIn(settings.display_name).slice(0, 128) || organization.name
    return newConnection({ ...fixed, display_name, name: nameFor(organization), strategy }, management)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

type Input = PortalCall['input']

/** An empty secret keeps the stored one. */
function oidcOptionsOf({ address = '', client_id = '', client_secret = '' }: Input): JsonObject | null {
  if (address.trim() === '' || client_id.trim() === '' || client_secret.length > 2000) return null
  const known: JsonObject = { discovery_url: address.trim(), client_id: client_id.trim() }
  return client_secret === '' ? known : { ...known, client_secret }
}

/** By an address or as text; a form with neither keeps the stored text. */
function samlOptionsOf(
  { address = '', metadata = '' }: Input,
  before: ConnectionResourceRow | null,
): JsonObject | null {
  if (metadata.trim() !== '') return { metadataXml: metadata }
  if (address.trim() !== '') return { metadataUrl: address.trim() }
  const { metadataXml } = objectIn(before?.settings.options)
  return typeof metadataXml === 'string' ? { metadataXml } : null
}

/** Whether the provider's document can be read and is complete. What was fetched is not kept: the login fetches it for itself. */
async function answers(row: ConnectionResourceRow, { runtime }: PortalCall): Promise<boolean> {
  const connection = toConnection(row)
  if (!isUpstream(connection) || ownerOf(connection) === null) return false
  const { baseUrl, vault, random, clock, callOut, readXml, keyring } = runtime
  const deps = { baseUrl, vault, random, clock, callOut, readXml, keyring, upstreamServers: new Map() }
  try {
    if (isSaml(connection)) await samlProviderOf(connection, deps)
    else if (connection.strategy === 'oidc') await serverOf(connection, deps)
    return true
  } catch {
    return false
  }
}
