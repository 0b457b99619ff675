// An organization: a customer of the tenant. Its members sign in to it by the connections that it enables, and have roles that
// count in it alone. A login is for one organization or for none; the session belongs to the person, whatever the organization.

import * as z from 'zod'
import { webUrl } from '../../kernel/address'
import { invalidRequest } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import { type Connection, ownerOf } from '../connections/connection'
import type { MailBrand } from '../outbox/message'
import type { User } from '../users/user'

const colour = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a hex colour like #1f6feb')

/** The stored record, with the vendor's field names. */
export const organizationSettings = z.object({
  display_name: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ title: 'Name', help: 'Users see it.', group: 'basics', order: 12 }),
  branding: z
    .object({
      logo_url: webUrl.max(2048).optional().meta({ title: 'Logo', help: 'The https address of an image.' }),
      colors: z
        .object({
          primary: colour.optional().meta({ title: 'Colour of buttons and links', help: 'Such as #1f6feb.' }),
          page_background: colour.optional().meta({ title: 'Colour of the page' }),
        })
        .optional()
        .meta({ title: 'Colours' }),
    })
    .optional()
    .meta({ title: 'Login page', group: 'look', order: 21 }),
  metadata: z
    .record(z.string().min(1).max(255), z.string().max(255))
    .refine((metadata) => Object.keys(metadata).length <= 25, 'must have at most 25 properties')
    .optional()
    .meta({ title: 'Metadata', group: 'look', order: 22 }),
})

type OrganizationSettings = z.output<typeof organizationSettings>

/** How an organization uses a connection that it enables. */
export type OrganizationConnection = {
  /** A login by it makes its person a member. */
  assignMembership: boolean
  showAsButton: boolean
  /** People may sign up for the organization, whether or not the connection takes sign-ups itself. */
  signupEnabled: boolean
}

export type Organization = {
  id: string
  /** In lower case, unique in its tenant. */
  name: string
  settings: OrganizationSettings
  /** The enabled connections, by id. */
  connections: Readonly<Record<string, OrganizationConnection>>
}

/**
 * Of the connections that the client may use, those that the organization enables; a connection that belongs to an organization counts
 * in its logins alone.
 */
export const enabledIn = <C extends Connection>(organization: Organization | null, connections: readonly C[]) =>
  connections.filter((connection) => {
    const owner = ownerOf(connection)
    if (organization === null) return owner === null
    return Object.hasOwn(organization.connections, connection.id) && (owner ?? organization.id) === organization.id
  })

export const spokenName = ({ name, settings }: Pick<Organization, 'name' | 'settings'>): string =>
  settings.display_name ?? name

/** Logo and colours of its pages; the tenant's where it has none. */
export function brandOf({ settings: { branding } }: Pick<Organization, 'settings'>) {
  const { logo_url, colors } = branding ?? {}
  return {
    ...(logo_url === undefined ? {} : { logoUrl: logo_url }),
    ...(colors?.primary === undefined ? {} : { accent: colors.primary }),
    ...(colors?.page_background === undefined ? {} : { pageBackground: colors.page_background }),
  }
}

/** The same in mails. */
export const mailBrandOf = (organization: Pick<Organization, 'name' | 'settings'>): MailBrand => {
  const { logoUrl, accent } = brandOf(organization)
  return { name: spokenName(organization), logoUrl, accent }
}

/** An organization as its members choose it. */
export type Choice = { id: string; name: string; logoUrl?: string }

export type OrganizationChoices = {
  found: Choice[]
  /** How many there are, whether or not they are among those found. */
  total: number
}

/** The number that a person chooses from; more are found by a search. */
export const MAX_CHOICES = 20

/** An invitation that was neither accepted nor withdrawn, and has not expired. */
export type OrganizationInvitation = {
  id: string
  organizationId: string
  clientId: string
  /** The only connection that accepts it; null for any of the organization. */
  connectionId: string | null
  email: string
  inviter: string
  /** One of its roles holds scopes of the Management API. */
  givesPower: boolean
}

/** An invitation that its person has not accepted yet. */
export type WaitingInvitation = {
  id: string
  organization: string
  inviter: string
  /** The link of the mail. */
  sealedLink: Uint8Array
  expiresAt: Date
}

export type OrganizationPort = {
  find(id: string): Promise<Organization | null>
  findByName(name: string): Promise<Organization | null>
  /** The organization that has proven the domain and wants its people led to it. */
  findByDomain(domain: string): Promise<Organization | null>
  isMember(organizationId: string, userId: string): Promise<boolean>
  /** Whether the person is a member of an organization, or is invited to one at the address, which is known to be the person's. */
  hasAny(userId: string, address: string | null, now: Date): Promise<boolean>
  /** The open invitations to the address, newest first; none for null. */
  waiting(address: string | null, now: Date): Promise<WaitingInvitation[]>
  /** The ids of the organizations that the person manages in the account portal. */
  administered(userId: string): Promise<string[]>
  /** The organizations of a person whose names contain `search`, by name. */
  choices(userId: string, search: string): Promise<OrganizationChoices>
  /** Makes the person a member; without an effect if the organization or the person is gone. */
  join(organizationId: string, userId: string): Promise<void>
  /** The invitation whose ticket has this digest. */
  invitation(digest: Uint8Array, now: Date): Promise<OrganizationInvitation | null>
  /**
   * Uses the invitation: the user becomes a member with its roles and metadata, and the address counts as verified. Exactly one
   * caller gets the user; null for all others, for a user with another address, and for one with an unverified address where
   * the invitation gives power.
   */
  accept(digest: Uint8Array, userId: string, now: Date): Promise<User | null>
}

/** What a request for an organization is refused with. */
export const ORGANIZATION_REFUSALS = {
  required: 'parameter organization is required for this client',
  denied: 'parameter organization is not allowed for this client',
  notAnId: 'authorization request parameter organization must be an organization id',
  invitationGone: 'invitation not found or already used',
  notInvited: 'the specified account is not allowed to accept the current invitation',
  memberOfNone: 'client requires organization membership, but user does not belong to any organization',
} as const

const problem = (name: keyof typeof ORGANIZATION_REFUSALS, reason: Reason): OrganizationProblem => ({
  sentence: ORGANIZATION_REFUSALS[name],
  reason,
})

export const ORGANIZATION_REQUIRED = problem('required', 'organization_required')

const invalidOrganization = (value: string): string => `parameter organization is invalid: ${value.slice(0, 100)}`

export const notAMember = ({ id }: Pick<User, 'id'>, organization: Pick<Organization, 'id'>): string =>
  `user ${id} is not part of the ${organization.id} organization`

/** Whether the value has the form of an id, as the vendor's SDKs judge it. */
const isId = (value: string): boolean => value.startsWith('org_')

/** `sentence` is the vendor's. */
export type OrganizationProblem = { sentence: string; reason: Reason }

type Named = { organization: Organization } | { refused: OrganizationProblem }

/** The organization that a parameter names: by its id or, where the tenant allows it, its name. */
export async function findNamed(
  value: string,
  { organization_usage }: { organization_usage: 'deny' | 'allow' | 'require' },
  deps: {
    organizations: Pick<OrganizationPort, 'find' | 'findByName'>
    settings: { tenant: { allow_organization_name_in_authentication_api: boolean } }
  },
): Promise<Named> {
  if (organization_usage === 'deny') return { refused: problem('denied', 'organization_not_allowed') }
  const byName = !isId(value)
  if (byName && !deps.settings.tenant.allow_organization_name_in_authentication_api)
    return { refused: problem('notAnId', 'organization_name_not_allowed') }
  const organization = byName
    ? await deps.organizations.findByName(value.toLowerCase())
    : await deps.organizations.find(value)
  const reason = 'organization_unknown'
  return organization ? { organization } : { refused: { sentence: invalidOrganization(value), reason } }
}

/** The organization of a request that no page can ask for one; null if it names none and needs none. */
export async function namedIn(
  value: string | undefined,
  usage: 'deny' | 'allow' | 'require',
  deps: Parameters<typeof findNamed>[2],
): Promise<Organization | null> {
  if (value === undefined) {
    if (usage === 'require') throw invalidRequest(ORGANIZATION_REFUSALS.required, { reason: 'organization_required' })
    return null
  }
  const found = await findNamed(value, { organization_usage: usage }, deps)
  if ('refused' in found) throw invalidRequest(found.refused.sentence, { reason: found.refused.reason })
  return found.organization
}

/** `org_id`, and `org_name` where the tenant allows names. */
export type OrganizationClaims = { org_id: string; org_name?: string }
