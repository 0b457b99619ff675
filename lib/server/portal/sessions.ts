// Where the user is signed in, this browser first, and which browsers are remembered.

import { PORTAL_CLIENT } from '../../data/clients/portal'
import { enrollableFactors } from '../../identity/mfa/policy'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { definePage, WINDOW } from './page'
import { whereOf } from './where'

export const sessions = definePage('sessions', {
  async view({ user, session, runtime, management }) {
    const { rows } = await management.userLogins.sessions(user.id, WINDOW, runtime.clock.now())
    const rank = ({ sid, lastSeenAt }: (typeof rows)[number]): number =>
      sid === session.sid ? Number.POSITIVE_INFINITY : lastSeenAt.getTime()
    const shown = rows.toSorted((a, b) => rank(b) - rank(a))
    return {
      remembers: enrollableFactors(runtime.settings).length > 0,
      sessions: await mapBounded(
        shown,
        async ({ sid, authTime, lastSeenAt, initialIp, initialUserAgent, participants }) => ({
          id: sid,
          isThis: sid === session.sid,
          signedInAt: authTime.toISOString(),
          seenAt: lastSeenAt.toISOString(),
          where: await whereOf(initialUserAgent, initialIp),
          clients: await namesOf(participants, runtime),
        }),
      ),
    }
  },
  actions: {
    end: {
      async run({ user, input, runtime, management }) {
        const found = await management.userLogins.session(input.session ?? '', runtime.clock.now())
        if (found?.userId !== user.id) return { notice: 'portal_gone' }
        if (!(await management.userLogins.endSession(found.sid, runtime.clock.now(), true)))
          return { notice: 'portal_gone' }
        runtime.wakeDispatcher()
        runtime.trail.record('changed', { user, change: 'session ended' })
        return { notice: 'portal_ended' }
      },
    },
    'end-all': {
      async run({ user, runtime, management }) {
        await management.userLogins.endAll(user.id, runtime.clock.now())
        runtime.wakeDispatcher()
        runtime.trail.record('changed', { user, change: 'all sessions ended' })
        return { notice: 'portal_ended' }
      },
    },
    'forget-browsers': {
      async run({ user, runtime }) {
        await runtime.knownBrowsers.forget(user.id)
        runtime.trail.record('changed', { user, change: 'remembered browsers forgotten' })
        return { notice: 'portal_removed' }
      },
    },
  },
})

type Clients = { clients: { find(id: string): Promise<{ name: string } | null> } }

/** Of the applications that still exist; the portal itself is left out. */
async function namesOf(ids: readonly string[], { clients }: Clients): Promise<string[]> {
  const others = ids.filter((id) => id !== PORTAL_CLIENT)
  const found = await mapBounded(others, (id) => clients.find(id))
  return found.flatMap((client) => client?.name ?? [])
}
