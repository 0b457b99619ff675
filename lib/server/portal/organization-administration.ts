// What an administrator of an organization does on the page of organizations: invite people, withdraw invitations, remove members, and
// give and take the roles that the tenant marked for it, and connect an identity provider of the organization.
// - Administrator is who holds, in that organization, a role that is marked so; it is looked up for every page and every change.
// - Administering an organization is no right over the tenant: whom and what it may act on is judged as everywhere (lib/management/operations/rank.ts).
// - Whatever a form names is looked up within that organization (threat-model.md OR11).

import { isMailAddress } from '../../data/outbox/message'
import { type CountLimit, takeAllowance } from '../../data/users/allowance'
import { displayNameOf } from '../../data/users/user'
import { lazy } from '../../kernel/lazy'
import { NO_SCOPES } from '../../management/operations/member-access'
import { type ActedOn, aboveOf, isRankRefusal, withRank } from '../../management/operations/rank'
import { invite as makeInvitation, TooManyOpen } from '../../management/resources/organization-invitations'
import type { OrganizationRow } from '../../management/resources/organizations'
import type { NoticeCode } from '../../pages/view'
import type { PortalAction, PortalCall, PortalOutcome } from './page'

/** It needs clients of identity providers. */
const loadConnection = lazy(() => import('./organization-connection'))

const SHOWN = { offset: 0, limit: 100 }
/** Invitations that are open at the same time, and those sent in an hour, for one organization. */
const MAX_OPEN = 100
const MAX_SENT = 50
const HOUR = 3600

/** The organization that the request names; null if the user does not administer it. */
async function administered({ user, input, runtime, management }: PortalCall): Promise<OrganizationRow | null> {
  const id = input.organization ?? ''
  const ids = id === '' ? [] : await runtime.organizations.administered(user.id)
  return ids.includes(id) ? management.organizations.find(id) : null
}

export async function managedView(call: PortalCall) {
  const organization = await administered(call)
  if (!organization) return {}
  const { user, management } = call
  const [members, invitations, applications, marked, provider] = await Promise.all([
    management.organizationMembers.list(organization.id, SHOWN, true),
    management.invitations.list(organization.id, true, SHOWN),
    applicationsOf(call),
    management.roles.assignable(),
    loadConnection().then((own) => own.ownConnectionView(organization, call)),
  ])
  const above = await aboveOf(
    NO_SCOPES,
    'roles',
    marked.map(({ id }) => id),
    management,
  )
  const assignable = marked.filter(({ id }) => !above.has(id))
  const managed = {
    id: organization.id,
    name: nameOf(organization),
    members: members.rows.map(({ id, name, email, roles }) => ({
      id,
      name: name ?? email ?? id,
      ...(email === null ? {} : { email }),
      isSelf: id === user.id,
      roles: roles.map((role) => ({
        ...role,
        removable: assignable.some((each) => each.id === role.id && mayTake(each, id, user)),
      })),
      assignable: assignable
        .filter((role) => roles.every((held) => held.id !== role.id))
        .map((role) => ({ id: role.id, name: role.name })),
    })),
    invitations: invitations.rows.map(({ id, email, expiresAt }) => ({ id, email, until: expiresAt.toISOString() })),
    applications,
    ...(provider === undefined ? {} : { provider }),
  }
  return { managed }
}

export const nameOf = ({ name, settings }: OrganizationRow): string =>
  typeof settings.display_name === 'string' ? settings.display_name : name

/** The applications that people are invited to: those that take organizations and have a page that begins a login. */
async function applicationsOf({ management }: PortalCall): Promise<{ clientId: string; name: string }[]> {
  const { rows } = await management.managedClients.list({ is_global: false }, SHOWN)
  return rows
    .filter(({ settings }) => settings.organization_usage === 'allow' || settings.organization_usage === 'require')
    .filter(
      ({ settings }) => settings.initiate_login_uri !== undefined || management.defaultRedirectionUri !== undefined,
    )
    .map(({ clientId, name }) => ({ clientId, name }))
}

/** With no scope of the Management API. */
const acting = <T>(target: ActedOn, management: PortalCall['management'], work: () => Promise<T>): Promise<T> =>
  withRank(NO_SCOPES, target, management, work)

type Change = (organization: OrganizationRow, call: PortalCall) => Promise<NoticeCode>

/** A change needs a recent authentication. A user who is no administrator learns no more than of an absent organization. */
const change = (make: Change): PortalAction => ({
  fresh: true,
  async run(call): Promise<PortalOutcome> {
    const organization = await administered(call)
    if (!organization) return { notice: 'portal_gone' }
    const notice = await make(organization, call).catch((error: unknown) => {
      if (isRankRefusal(error)) return 'portal_above' as const
      throw error
    })
    return { to: `/account/organizations?${new URLSearchParams({ organization: organization.id, notice })}` }
  },
})

/** No administrator takes the mark of administrators from itself, so that an organization keeps one. */
const mayTake = (role: { administersOrganization: boolean }, from: string, { id }: PortalCall['user']): boolean =>
  !(role.administersOrganization && from === id)

/** The role that a form names, if the tenant lets administrators give it. */
const assignableRole = async ({ input, management }: PortalCall) =>
  (await management.roles.assignable()).find(({ id }) => id === input.role)

const sentBy = ({ id }: OrganizationRow): CountLimit => ({
  name: 'organization-invitations',
  of: [id],
  most: MAX_SENT,
  seconds: HOUR,
})

export const ADMINISTRATION: Readonly<Record<string, PortalAction>> = {
  invite: change(async (organization, call) => {
    const { user, input, runtime, management } = call
    const email = (input.email ?? '').trim()
    if (email.length > 320 || !isMailAddress(email)) return 'invalid_email'
    const application = (await applicationsOf(call)).find(({ clientId }) => clientId === input.client)
    if (!application) return 'portal_gone'
    if (!(await takeAllowance([sentBy(organization)], runtime))) return 'too_many_messages'
    const body = {
      inviter: { name: displayNameOf(user).slice(0, 300) },
      invitee: { email },
      client_id: application.clientId,
    }
    try {
      const maker = { member: user.id, organization: organization.id }
      const { id } = await makeInvitation(organization, body, maker, management, MAX_OPEN)
      runtime.trail.record('changed', { user, organization, change: 'invitation sent', target: id })
      return 'portal_invited'
    } catch (error) {
      if (error instanceof TooManyOpen) return 'too_many_messages'
      throw error
    }
  }),
  withdraw: change(async (organization, { user, input, runtime, management }) => {
    const id = input.invitation ?? ''
    const removed = await acting({ invitations: [id] }, management, () =>
      management.invitations.remove(organization.id, id),
    )
    if (!removed) return 'portal_gone'
    runtime.trail.record('changed', { user, organization, change: 'invitation withdrawn', target: removed.id })
    return 'portal_removed'
  }),
  remove: change(async (organization, { user, input, runtime, management }) => {
    const id = input.member ?? ''
    const remove = () => management.organizationMembers.remove(organization.id, [id])
    const removed = id === user.id ? [] : await acting({ users: [id] }, management, remove)
    if (removed.length === 0) return 'portal_gone'
    runtime.trail.record('changed', { user, organization, change: 'member removed', target: id })
    return 'portal_removed'
  }),
  connect: change(async (...called) => (await loadConnection()).saveConnection(...called)),
  disconnect: change(async (...called) => (await loadConnection()).deleteConnection(...called)),
  give: change(async (organization, call) => {
    const { user, input, runtime, management } = call
    const role = await assignableRole(call)
    const target = input.member ?? ''
    const give = (roleId: string) => () => management.organizationMembers.addRoles(organization.id, target, [roleId])
    const given = role && (await acting({ users: [target], roles: [role.id] }, management, give(role.id)))
    if (given !== 'done') return 'portal_gone'
    runtime.trail.record('changed', { user, organization, change: `role ${role?.id} given`, target })
    return 'portal_saved'
  }),
  take: change(async (organization, call) => {
    const { user, input, runtime, management } = call
    const role = await assignableRole(call)
    const target = input.member ?? ''
    if (!role || !mayTake(role, target, user)) return 'portal_gone'
    const take = () => management.organizationMembers.removeRoles(organization.id, target, [role.id])
    const taken = await acting({ users: [target], roles: [role.id] }, management, take)
    if (!taken || taken.length === 0) return 'portal_gone'
    runtime.trail.record('changed', { user, organization, change: `role ${role.id} taken`, target })
    return 'portal_saved'
  }),
}
