// Invitations to an organization. The link is the application's: its login page gets the ticket and forwards
// it to /authorize.

import * as z from 'zod'
import { isMailAddress, type MailedOrganization } from '../../data/outbox/message'
import type { OutboxRow } from '../../data/outbox/outbox'
import type { LinkMaker } from '../../data/tickets/ticket'
import { addSeconds } from '../../kernel/clock'
import { isJsonObject, type JsonObject, objectIn } from '../../kernel/json'
import { canonical } from '../../kernel/mail-address'
import { alphanumeric } from '../../kernel/random'
import { mint, type Vault } from '../../kernel/secret'
import { inexistent, invalidBody } from '../operations/errors'
import { answerList, fieldsQuery, type Page, pageQuery, selectFields, type Window } from '../operations/list'
import { makerOf } from '../operations/maker'
import { allMembers } from '../operations/members'
import { operationsWith, type Secret } from '../operations/operation'
import type { RankDeps } from '../operations/rank'
import type { ClientResourceRow } from './clients'
import { existingOrganization, mailedOrganization, type OrganizationDeps, type OrganizationRow } from './organizations'
import type { RoleRow, RoleStore } from './roles'

export type InvitationRow = {
  id: string
  organizationId: string
  ticketDigest: Uint8Array
  /** The whole link, with the ticket. */
  sealedLink: Uint8Array
  clientId: string
  connectionId: string | null
  inviterName: string
  email: string
  roles: string[]
  userMetadata: JsonObject
  appMetadata: JsonObject
  /** It ends with this right. */
  maker: LinkMaker | null
  createdAt: Date
  expiresAt: Date
}

const SORTS = ['created_at:1', 'created_at:-1'] as const

export type InvitationStore = {
  find(organizationId: string, id: string): Promise<InvitationRow | null>
  list(organizationId: string, newestFirst: boolean, window: Window): Promise<Page<InvitationRow>>
  /**
   * Stores it with its mail, in one transaction. `unknown` are the roles that do not exist; nothing is stored then. Null if the
   * organization is absent. 'full' where `mostOpen` invitations of the organization are open already.
   */
  insert(
    row: InvitationRow,
    mail: OutboxRow | null,
    mostOpen: number | null,
  ): Promise<'done' | 'full' | { unknown: string[] } | null>
  remove(organizationId: string, id: string): Promise<InvitationRow | null>
}

export type InvitationToSend = {
  to: string
  inviter: string
  organization: MailedOrganization
  clientId: string
  connectionId: string | null
  roles: readonly RoleRow[]
  userMetadata: JsonObject
  appMetadata: JsonObject
  link: string
  until: Date
}

export type InvitationDeps = OrganizationDeps &
  RankDeps & {
    vault: Vault
    managedClients: { find(id: string): Promise<ClientResourceRow | null> }
    invitations: InvitationStore
    roles: Pick<RoleStore, 'find'>
    invitationMailer: { compose(mail: InvitationToSend): Promise<OutboxRow>; wake(): void }
    /** Where people log in to an application that names no address of its own. */
    defaultRedirectionUri: string | undefined
  }

const operation = operationsWith<InvitationDeps>()

const LINK: Secret = { scopes: ['create:organization_invitations'], otherwise: 'masked' }
/** For those who may make one: it makes its bearer a member with its roles, and the address verified. */
const secrets = { invitation_url: LINK, ticket_id: LINK }
/** Who accepts the link gets the roles. */
const secretsOf = { kind: 'roles', member: 'roles' } as const

const WEEK = 604_800
const MAX_LIFETIME = 2_592_000
const TICKET_BYTES = 24
const PURPOSE = 'organization-invitation'

const newInvitation = z.looseObject({
  inviter: z.object({ name: z.string().min(1).max(300) }),
  invitee: z.object({ email: z.string().max(320).refine(isMailAddress, 'must be one e-mail address') }),
  client_id: z.string().min(1),
  connection_id: z.string().min(1).nullish(),
  ttl_sec: z.number().int().min(0).max(MAX_LIFETIME).nullish(),
  roles: z.array(z.string().min(1).max(300)).max(50).nullish(),
  send_invitation_email: z.boolean().nullish(),
  app_metadata: z.looseObject({}).nullish(),
  user_metadata: z.looseObject({}).nullish(),
})

type NewInvitation = z.output<typeof newInvitation>

const shownInvitation = z
  .object({
    id: z.string(),
    organization_id: z.string(),
    inviter: z.object({ name: z.string() }),
    invitee: z.object({ email: z.string() }),
    client_id: z.string(),
    connection_id: z.string().optional(),
    app_metadata: z.looseObject({}).optional(),
    user_metadata: z.looseObject({}).optional(),
    roles: z.array(z.string()).optional(),
    invitation_url: z.string().optional(),
    ticket_id: z.string().optional(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'OrganizationInvitation' })

export const organizationInvitations = {
  invitationsList: operation({
    name: 'organizations.invitations.list',
    method: 'GET',
    path: '/organizations/:id/invitations',
    summary: 'List the invitations to an organization',
    scopes: ['read:organization_invitations'],
    secrets,
    secretsOf,
    list: 'invitations',
    query: z.object({
      ...pageQuery,
      ...fieldsQuery,
      sort: z.enum(SORTS, `must be one of ${SORTS.join(', ')}`).optional(),
    }),
    status: 200,
    answer: z.array(shownInvitation),
    async handle({ params, query, deps }) {
      const { id } = await existingOrganization(params.id, deps)
      const body = await answerList(query, {
        key: 'invitations',
        load: (window) => deps.invitations.list(id, query.sort !== 'created_at:1', window),
        present: (row) => selectFields(presentInvitation(row, deps), query),
        id: (row) => row.id,
      })
      return { body }
    },
  }),
  invitationsRead: operation({
    name: 'organizations.invitations.read',
    method: 'GET',
    path: '/organizations/:id/invitations/:invitation_id',
    summary: 'Read an invitation to an organization',
    scopes: ['read:organization_invitations'],
    secrets,
    secretsOf,
    query: z.object(fieldsQuery),
    status: 200,
    answer: shownInvitation,
    async handle({ params, query, deps }) {
      const row = await deps.invitations.find(params.id ?? '', params.invitation_id ?? '')
      if (!row) throw inexistent('invitation')
      return { body: selectFields(presentInvitation(row, deps), query) }
    },
  }),
  invitationsCreate: operation({
    name: 'organizations.invitations.create',
    example: { inviter: { name: 'Ada' }, invitee: { email: 'grace@example.com' }, client_id: '<client>' },
    method: 'POST',
    path: '/organizations/:id/invitations',
    summary: 'Invite a user to an organization',
    scopes: ['create:organization_invitations'],
    target: ({ body }) => ({ roles: body.roles ?? [] }),
    guarded: {
      'create:organization_member_roles': ['roles'],
      'update:users': ['app_metadata', 'user_metadata'],
      'update:users_app_metadata': ['app_metadata'],
    },
    secrets,
    secretsOf,
    body: newInvitation,
    status: 201,
    answer: shownInvitation,
    async handle({ params, body, actor, deps }) {
      const organization = await existingOrganization(params.id, deps)
      const row = await invite(organization, body, makerOf(actor, 'create:organization_invitations', deps), deps)
      const shown = presentInvitation(row, deps)
      return { body: shown, after: shown, id: row.id }
    },
  }),
  invitationsDelete: operation({
    name: 'organizations.invitations.delete',
    method: 'DELETE',
    path: '/organizations/:id/invitations/:invitation_id',
    summary: 'Withdraw an invitation to an organization',
    scopes: ['delete:organization_invitations'],
    target: ({ params }) => ({ invitations: [params.invitation_id ?? ''] }),
    secrets,
    secretsOf,
    status: 204,
    async handle({ params, deps }) {
      const row = await deps.invitations.remove(params.id ?? '', params.invitation_id ?? '')
      return row ? { before: presentInvitation(row, deps), after: {}, id: row.id } : {}
    },
  }),
}

export class TooManyOpen extends Error {}

/** Stores the invitation, and its mail unless the body says otherwise; rejects with `TooManyOpen` beyond `mostOpen`. */
export async function invite(
  organization: OrganizationRow,
  body: NewInvitation,
  maker: LinkMaker | null,
  deps: InvitationDeps,
  mostOpen: number | null = null,
): Promise<InvitationRow> {
  const { row, link } = await makeInvitation(organization, body, maker, deps)
  const mail =
    body.send_invitation_email === false
      ? null
      : await deps.invitationMailer.compose({
          to: row.email,
          inviter: row.inviterName,
          organization: mailedOrganization(organization),
          clientId: row.clientId,
          connectionId: row.connectionId,
          roles: await rolesOf(row, deps),
          userMetadata: row.userMetadata,
          appMetadata: row.appMetadata,
          link,
          until: row.expiresAt,
        })
  const stored = await deps.invitations.insert(row, mail, mostOpen)
  if (stored === null) throw inexistent('organization')
  if (stored === 'full') throw new TooManyOpen()
  if (stored !== 'done')
    throw invalidBody(`One or more of the specified roles do not exist: ${stored.unknown.join(', ')}.`)
  if (mail) deps.invitationMailer.wake()
  return row
}

async function makeInvitation(
  organization: OrganizationRow,
  body: NewInvitation,
  maker: LinkMaker | null,
  deps: InvitationDeps,
) {
  const base = await loginRoute(body.client_id, deps)
  await checkConnection(body.connection_id, deps)
  const ticket = mint(deps.random, TICKET_BYTES)
  const url = new URL(base)
  url.searchParams.set('invitation', ticket.plain)
  url.searchParams.set('organization', organization.id)
  url.searchParams.set('organization_name', organization.name)
  const link = url.href
  const createdAt = deps.clock.now()
  const row: InvitationRow = {
    id: `uinv_${alphanumeric(deps.random, 16)}`,
    organizationId: organization.id,
    ticketDigest: ticket.digest,
    sealedLink: deps.vault.seal(PURPOSE, link, deps.random),
    clientId: body.client_id,
    connectionId: body.connection_id ?? null,
    inviterName: body.inviter.name,
    email: canonical(body.invitee.email),
    roles: [...new Set(body.roles ?? [])],
    userMetadata: objectIn(body.user_metadata),
    appMetadata: objectIn(body.app_metadata),
    maker,
    createdAt,
    expiresAt: addSeconds(createdAt, body.ttl_sec || WEEK),
  }
  return { row, link }
}

/** The page of the application that begins a login. */
async function loginRoute(
  clientId: string,
  { managedClients, defaultRedirectionUri }: InvitationDeps,
): Promise<string> {
  const client = await managedClients.find(clientId)
  if (!client || client.isGlobal) throw invalidBody('The specified client_id does not exist.')
  const { organization_usage, initiate_login_uri } = allMembers(client)
  if (organization_usage !== 'allow' && organization_usage !== 'require')
    throw invalidBody(`The specified client_id (${clientId}) does not allow organizations.`)
  const route = typeof initiate_login_uri === 'string' ? initiate_login_uri : defaultRedirectionUri
  if (route === undefined)
    throw invalidBody(
      'A default login route is required to generate the invitation url. Set initiate_login_uri of the client or default_redirection_uri of the tenant.',
    )
  return route
}

async function checkConnection(id: string | null | undefined, { managedConnections }: InvitationDeps): Promise<void> {
  if (id === null || id === undefined) return
  const connection = await managedConnections.find(id)
  if (!connection) throw invalidBody('The specified connection does not exist.')
  if (connection.strategy === 'email' || connection.strategy === 'sms')
    throw invalidBody('Passwordless connections are not supported.')
}

/** As a mail may name them; an unknown one is refused when the invitation is stored. */
async function rolesOf({ roles }: InvitationRow, deps: InvitationDeps): Promise<RoleRow[]> {
  const found = await Promise.all(roles.map((id) => deps.roles.find(id)))
  return found.flatMap((role) => (role ? [{ id: role.id, name: role.name, description: role.description }] : []))
}

/** A link that another root secret sealed is left out. */
export function presentInvitation(row: InvitationRow, { vault }: InvitationDeps): JsonObject {
  const link = openedLink(row, vault)
  return {
    id: row.id,
    organization_id: row.organizationId,
    inviter: { name: row.inviterName },
    invitee: { email: row.email },
    client_id: row.clientId,
    ...(row.connectionId === null ? {} : { connection_id: row.connectionId }),
    ...metadata('app_metadata', row.appMetadata),
    ...metadata('user_metadata', row.userMetadata),
    ...(row.roles.length === 0 ? {} : { roles: row.roles }),
    ...(link === undefined
      ? {}
      : { invitation_url: link, ticket_id: new URL(link).searchParams.get('invitation') ?? '' }),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}

/** Undefined if another root secret sealed it. */
export const openedLink = ({ sealedLink }: Pick<InvitationRow, 'sealedLink'>, vault: Vault): string | undefined =>
  vault.open(PURPOSE, sealedLink)?.toString('utf8')

const metadata = (name: string, value: JsonObject): JsonObject =>
  isJsonObject(value) && Object.keys(value).length > 0 ? { [name]: value } : {}
