// The organizations that the user is a member of, and one that the user administers.
import { ADMINISTRATION, managedView, nameOf } from './organization-administration'
import { definePage, type PortalCall } from './page'

export const organizations = definePage('organizations', {
  isOffered: ({ user, runtime }) => runtime.organizations.hasAny(user.id),
  async view(call) {
    const { user, runtime, management } = call
    const [found, managed] = await Promise.all([
      management.organizations.ofUser(user.id, { offset: 0, limit: 100 }),
      runtime.organizations.administered(user.id),
    ])
    return {
      organizations: (found?.rows ?? []).map((row) => ({
        id: row.id,
        name: nameOf(row),
        manages: managed.includes(row.id),
      })),
      ...(await managedView(named(call, managed))),
    }
  },
  actions: ADMINISTRATION,
})

/** A user who administers one organization only need not name it. */
function named(call: PortalCall, [only, ...others]: readonly string[]): PortalCall {
  if (only === undefined || others.length > 0 || call.input.organization !== undefined) return call
  return { ...call, input: { ...call.input, organization: only } }
}
