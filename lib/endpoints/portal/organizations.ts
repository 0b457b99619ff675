// The organizations that the user is a member of.
import { definePage } from './page'

export const organizations = definePage('organizations', {
  async view({ user, management }) {
    const found = await management.organizations.ofUser(user.id, { offset: 0, limit: 100 })
    return {
      organizations: (found?.rows ?? []).map(({ id, name, settings }) => ({
        id,
        name: typeof settings.display_name === 'string' ? settings.display_name : name,
      })),
    }
  },
  actions: {},
})
