// The organization of a login: the one that the request names, else the one that the user chose, else none.
// - It belongs to the request, not to the session: a request without an organization gets tokens without one.
// - A membership is shown only to its own user, after every proof of the login: the requirements about members follow those about
//   proofs (steps/index.ts).
// - A login without an organization costs no look-up.

import type { Client } from '../../data/clients/client'
import type { Connection, DatabaseConnection } from '../../data/connections/connection'
import {
  findNamed,
  ORGANIZATION_REFUSALS,
  ORGANIZATION_REQUIRED,
  type Organization,
  type OrganizationChoices,
  type OrganizationInvitation,
  type OrganizationProblem,
} from '../../data/organizations/organization'
import type { Evidence } from '../../data/sessions/session'
import type { User } from '../../data/users/user'
import { type DomainError, invalidRequest } from '../../kernel/errors'
import { canonical } from '../../kernel/mail-address'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../login-state'
import type { Decisions, LoginOutcome, Wants } from '../transaction'
import { isAuthenticated } from './authenticated'

/**
 * `joins`: the user signed in by a connection whose people become members. `invited`: the request has an invitation to the user's
 * address; `uninvited`: to another one.
 */
export type Membership = 'member' | 'joins' | 'invited' | 'uninvited' | 'none'

/** `problem` is what the request is refused with. */
type NamedOrganization = { organization: Organization | null; problem: OrganizationProblem | null }

const NONE: NamedOrganization = { organization: null, problem: null }

export async function findOrganization(
  { organization: requested }: Pick<Wants, 'organization'>,
  { organization: chosen }: Decisions,
  client: Client,
  deps: LoginDeps,
): Promise<NamedOrganization> {
  const { organization_usage, organization_require_behavior } = client.settings
  const value = requested ?? chosen
  if (value !== undefined) {
    const found = await findNamed(value, client.settings, deps)
    return 'refused' in found ? { organization: null, problem: found.refused } : { ...found, problem: null }
  }
  const isMissing = organization_usage === 'require' && organization_require_behavior === 'no_prompt'
  return isMissing ? { organization: null, problem: ORGANIZATION_REQUIRED } : NONE
}

/** The invitation of the request; null if there is none, and if it is not for this client and organization. */
export async function findInvitation(
  { invitation: ticket }: Pick<Wants, 'invitation'>,
  organization: Organization | null,
  { clientId }: Client,
  deps: LoginDeps,
): Promise<OrganizationInvitation | null> {
  if (ticket === undefined || !organization) return null
  const found = await deps.organizations.invitation(Buffer.from(ticket, 'base64url'), deps.clock.now())
  return found?.organizationId === organization.id && found.clientId === clientId ? found : null
}

/** The connections that accept the invitation, if there is one. */
export const acceptingOf = <C extends Connection>(
  invitation: OrganizationInvitation | null,
  connections: readonly C[],
) => connections.filter(({ id }) => (invitation?.connectionId ?? id) === id)

/**
 * An organization decides itself whether people sign up for it. An invited person may always sign up; the invitation proves
 * the address, so that no other proof of it is needed, unless it gives power over the tenant.
 */
export function databaseIn(
  organization: Organization | null,
  invitation: OrganizationInvitation | null,
  database: DatabaseConnection,
): DatabaseConnection {
  if (!organization) return database
  if (invitation)
    return withOptions(database, {
      disable_signup: false,
      require_verified_email: invitation.givesPower,
      hide_existing_accounts: false,
    })
  const disable_signup = organization.connections[database.id]?.signupEnabled !== true
  return withOptions(database, { disable_signup })
}

const withOptions = (
  database: DatabaseConnection,
  options: Partial<DatabaseConnection['settings']['options']>,
): DatabaseConnection => ({
  ...database,
  settings: { ...database.settings, options: { ...database.settings.options, ...options } },
})

export type OrganizationStanding = { membership: Membership | null; choices: OrganizationChoices | null }

/** What depends on the user. Null for a login without an organization, and before the user has signed in. */
export async function loadStanding(state: LoginState, deps: LoginDeps): Promise<OrganizationStanding | null> {
  const { organization, user, decisions } = state
  if (!user || !isAuthenticated(state)) return null
  if (organization) return { membership: await membershipOf(organization, user, state, deps), choices: null }
  if (!asksForOrganization(state, 'post_login_prompt')) return null
  return { membership: null, choices: await deps.organizations.choices(user.id, decisions.organizationSearch ?? '') }
}

async function membershipOf(
  organization: Organization,
  user: User,
  { evidence, connections, invitation }: LoginState,
  deps: LoginDeps,
): Promise<Membership> {
  if (invitation) return isInvited(invitation, user, evidence) ? 'invited' : 'uninvited'
  if (await deps.organizations.isMember(organization.id, user.id)) return 'member'
  const assigns = connections.filter(({ id }) => organization.connections[id]?.assignMembership)
  return evidence.some((proof) => assigns.some(({ name }) => name === proof.connection)) ? 'joins' : 'none'
}

/**
 * Acceptance marks the address as verified. A session may be one that another person made with this address and put into the
 * browser, so for an address that is not verified the user has to sign in anew. The link passes through the application, whose editors can
 * read it: where it gives power over the tenant, it is no proof of the address.
 */
const isInvited = ({ email, givesPower }: OrganizationInvitation, user: User, evidence: readonly Evidence[]): boolean =>
  user.email !== null &&
  canonical(user.email) === canonical(email) &&
  (user.emailVerified || (!givesPower && evidence.some(({ inherited }) => !inherited)))

type Settling = Pick<LoginState, 'organization' | 'membership' | 'user' | 'invitation' | 'wants' | 'now'>

/**
 * Called when nothing else is missing, before the login finishes. Returns the user as a member; null if another request used the
 * invitation and the user is no member.
 */
export async function settleMembership(state: Settling, deps: LoginDeps): Promise<User | null> {
  const { organization, membership, user, invitation, wants, now } = state
  if (!organization || !user) return user
  if (membership === 'joins') await deps.organizations.join(organization.id, user.id)
  if (membership !== 'invited') return user
  const accepted = await deps.organizations.accept(Buffer.from(wants.invitation ?? '', 'base64url'), user.id, now)
  if (accepted)
    deps.trail.record('changed', { user: accepted, change: 'invitation accepted', target: invitation?.id ?? '' })
  return accepted ?? ((await deps.organizations.isMember(organization.id, user.id)) ? user : null)
}

export const invitationGone = (): DomainError =>
  invalidRequest(ORGANIZATION_REFUSALS.invitationGone, { reason: 'invitation_over' })

export const outcomeIn = ({ organization }: Pick<LoginState, 'organization'>): Pick<LoginOutcome, 'organization'> =>
  organization === null ? {} : { organization }

type Prompting = Pick<LoginState, 'client' | 'organization'>

/** Whether the user has to name an organization before the login, or to choose one after it. */
export const asksForOrganization = (
  { client: { settings }, organization }: Prompting,
  when: 'pre_login_prompt' | 'post_login_prompt',
): boolean =>
  organization === null && settings.organization_usage === 'require' && settings.organization_require_behavior === when
