// The accounts by which the user signs in.
import { connectionLabel } from '../../connections/connection'
import { subjectOf } from '../../users/profile'
import { definePage } from './page'

export const connections = definePage('connections', {
  async view({ user, runtime }) {
    const [found, all] = await Promise.all([runtime.profiles.find(user.id), runtime.connections.all()])
    return {
      accounts: (found?.identities ?? []).map((identity) => {
        const connection = all.find(({ name }) => name === identity.connection)
        const { email, nickname } = identity.profile
        const name = [email, nickname].find((each) => typeof each === 'string')
        const isMain = subjectOf(identity) === user.id
        return {
          provider: identity.provider,
          userId: identity.providerUserId,
          connection: connection ? connectionLabel(connection) : identity.connection,
          ...(typeof name === 'string' ? { name } : isMain && user.email !== null ? { name: user.email } : {}),
          isMain,
        }
      }),
    }
  },
  actions: {
    unlink: {
      fresh: true,
      async run({ user, input, runtime, management }) {
        const { provider = '', user_id: providerUserId = '' } = input
        if (subjectOf({ provider, providerUserId }) === user.id) return { notice: 'portal_gone' }
        const left = await management.managedLinks.unlink(user.id, provider, providerUserId, runtime.clock.now())
        if (left === 'unknown') return { notice: 'portal_gone' }
        runtime.wakeDispatcher()
        runtime.trail.record('changed', { user, change: 'account unlinked' })
        return { notice: 'portal_removed' }
      },
    },
  },
})
