// The organizations that the user is a member of, and one that the user administers.
import { ADMINISTRATION, managedView, nameOf } from './organization-administration'
import { definePage } from './page'

export const organizations = definePage('organizations', {
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
      ...(await managedView(call)),
    }
  },
  actions: ADMINISTRATION,
})
