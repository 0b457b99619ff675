// The organizations that the user is a member of, invitations that wait for the user, and one organization that the user administers.
import type { User } from '../../data/users/user'
import { openedLink } from '../../management/resources/organization-invitations'
import { ADMINISTRATION, managedView, nameOf } from './organization-administration'
import { definePage, type PortalCall } from './page'

export const organizations = definePage('organizations', {
  isOffered: ({ user, runtime }) => runtime.organizations.hasAny(user.id, provenAddress(user), runtime.clock.now()),
  async view(call) {
    const { user, runtime, management } = call
    const [found, managed, waiting] = await Promise.all([
      management.organizations.ofUser(user.id, { offset: 0, limit: 100 }),
      runtime.organizations.administered(user.id),
      runtime.organizations.waiting(provenAddress(user), runtime.clock.now()),
    ])
    return {
      organizations: (found?.rows ?? []).map((row) => ({
        id: row.id,
        name: nameOf(row),
        manages: managed.includes(row.id),
      })),
      waiting: waiting.flatMap(({ sealedLink, expiresAt, ...invitation }) => {
        const link = openedLink({ sealedLink }, runtime.vault)
        return link === undefined ? [] : [{ ...invitation, link, until: expiresAt.toISOString() }]
      }),
      ...(await managedView(named(call, managed))),
    }
  },
  actions: ADMINISTRATION,
})

/** The link makes its bearer a member, so only the user with the proven address sees it. */
const provenAddress = ({ email, emailVerified }: User): string | null => (emailVerified ? email : null)

/** A user who administers one organization only need not name it. */
function named(call: PortalCall, [only, ...others]: readonly string[]): PortalCall {
  if (only === undefined || others.length > 0 || call.input.organization !== undefined) return call
  return { ...call, input: { ...call.input, organization: only } }
}
