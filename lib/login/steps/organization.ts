// The organization of a login: the one that the request names, else the one that the user chose, else none.
// - It belongs to the request, not to the session: a request without an organization gets tokens without one.
// - A membership is shown only to its own user, after every proof of the login: the requirements about members follow those about
//   proofs (requirements.ts).
// - A login without an organization costs no look-up.
import type { Client } from '../../clients/client'
import type { DatabaseConnection } from '../../connections/connection'
import { type Choices, findNamed, ORGANIZATION_REFUSALS, type Organization } from '../../organizations/organization'
import type { LoginDeps } from '../deps'
import type { Decisions, LoginOutcome, Wants } from '../transaction'
import { isAuthenticated, type LoginState, prompts } from './requirements'

/** `joins`: the user signed in by a connection whose people become members. */
export type Membership = 'member' | 'joins' | 'none'

/** `problem` is what the request is refused with. */
type NamedOrganization = { organization: Organization | null; problem: string | null }

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
    const found = await findNamed(value, client, deps)
    return 'refused' in found ? { organization: null, problem: found.refused } : { ...found, problem: null }
  }
  const isMissing = organization_usage === 'require' && organization_require_behavior === 'no_prompt'
  return isMissing ? { organization: null, problem: ORGANIZATION_REFUSALS.required } : NONE
}

/** An organization decides itself whether people sign up for it. */
export function signUpIn(
  organization: Organization | null,
  database: DatabaseConnection | null,
): DatabaseConnection | null {
  if (!organization || !database) return database
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

type Standing = { membership: Membership | null; choices: Choices | null }

/** What depends on the user. Null for a login without an organization, and before the user has signed in. */
export async function loadStanding(state: LoginState, deps: LoginDeps): Promise<Standing | null> {
  const { organization, user, decisions } = state
  if (!user || !isAuthenticated(state)) return null
  if (organization) return { membership: await membershipOf(organization, user.id, state, deps), choices: null }
  if (!prompts(state, 'post_login_prompt')) return null
  return { membership: null, choices: await deps.organizations.choices(user.id, decisions.organizationSearch ?? '') }
}

async function membershipOf(
  organization: Organization,
  userId: string,
  { evidence, connections }: LoginState,
  deps: LoginDeps,
): Promise<Membership> {
  if (await deps.organizations.isMember(organization.id, userId)) return 'member'
  const assigns = connections.filter(({ id }) => organization.connections[id]?.assignMembership)
  return evidence.some((proof) => assigns.some(({ name }) => name === proof.connection)) ? 'joins' : 'none'
}

/** Called when nothing else is missing, before the login finishes. */
export async function settleMembership(
  { organization, membership, user }: Pick<LoginState, 'organization' | 'membership' | 'user'>,
  deps: LoginDeps,
): Promise<void> {
  if (organization && user && membership === 'joins') await deps.organizations.join(organization.id, user.id)
}

export const outcomeIn = ({ organization }: Pick<LoginState, 'organization'>): Pick<LoginOutcome, 'organization'> =>
  organization === null ? {} : { organization }
