// The accounts by which the user signs in, and the way to a provider where the user proves another (threat-model.md UP8).

import { PORTAL_CLIENT, PORTAL_PATH } from '../../data/clients/portal'
import { type Connection, connectionLabel } from '../../data/connections/connection'
import { connectable } from '../../data/connections/upstream/connected-account'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import { oldestProof, type Session } from '../../data/sessions/session'
import { checkAddressProven } from '../../data/users/first-proof'
import { MAX_IDENTITIES } from '../../data/users/linked-accounts'
import { subjectOf } from '../../data/users/profile'
import { composeSignInMail } from '../../identity/accounts/sign-in-mail'
import { pathWithFailure, readCause } from '../../login/upstream/connect-failure'
import { departTo, leaveToConnect } from '../../login/upstream/upstream'
import type { UnreachedView } from '../../pages/view'
import { respondToVisitor } from '../login-http/respond'
import type { Runtime } from '../runtime/runtime'
import { definePage, type PortalCall } from './page'

export const connections = definePage('connections', {
  async view({ user, session, input, runtime }) {
    const [found, all, offered] = await Promise.all([
      runtime.profiles.find(user.id),
      runtime.connections.all(),
      offeredIn(runtime),
    ])
    const identities = found?.identities ?? []
    return {
      accounts: identities.map((identity) => {
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
      connectable:
        identities.length < MAX_IDENTITIES
          ? offered.map((connection) => ({ connection: connection.name, label: connectionLabel(connection) }))
          : [],
      ...unreachedView(input, session.sid, all, runtime),
    }
  },
  actions: {
    connect: {
      fresh: true,
      async run({ user, session, input, runtime }) {
        await checkAddressProven(user, runtime)
        const connection = (await offeredIn(runtime)).find(({ name }) => name === input.connection)
        if (!connection) return { notice: 'portal_gone' }
        const provenAt = provenAtIn(session).toISOString()
        const path = `${PORTAL_PATH}/connections`
        const connecting = { userId: user.id, sid: session.sid, provenAt, path }
        const away = await leaveToConnect(connection, connecting, {}, runtime)
        if (away instanceof UpstreamError) return { to: pathWithFailure(connecting, connection, away, runtime) }
        return { response: await respondToVisitor(departTo(away, 'see-other'), runtime) }
      },
    },
    unlink: {
      fresh: true,
      async run({ user, session, input, runtime, management }) {
        const { provider = '', user_id: providerUserId = '' } = input
        if (subjectOf({ provider, providerUserId }) === user.id) return { notice: 'portal_gone' }
        const mails = [await composeSignInMail(user, { what: 'removed', ways: ['connected-account'] }, runtime)]
        const unlinking = { userId: user.id, provider, providerUserId, at: runtime.clock.now(), mails }
        const login = { sid: session.sid, provenAt: provenAtIn(session) }
        const left = await management.managedLinks.unlink(unlinking, login)
        if (typeof left === 'string') return { notice: 'portal_gone' }
        runtime.wakeDispatcher()
        runtime.trail.record('changed', { user, change: 'account unlinked' })
        return { notice: 'portal_removed' }
      },
    },
  },
})

/** Beside the notice of a provider that gave no answer. */
function unreachedView(
  { notice, cause: sealed }: PortalCall['input'],
  sid: string,
  all: readonly Connection[],
  runtime: Runtime,
): { unreached?: UnreachedView } {
  const cause = notice === 'upstream_failed' ? readCause(sealed, sid, runtime) : null
  const connection = cause && all.find(({ id }) => id === cause.connectionId)
  return connection ? { unreached: { provider: connectionLabel(connection), why: cause.why } } : {}
}

const provenAtIn = ({ evidence, createdAt }: Session): Date => oldestProof(evidence) ?? createdAt

async function offeredIn({ clients, connections: stored }: Runtime) {
  const portal = await clients.find(PORTAL_CLIENT)
  return portal ? connectable(await stored.all(), portal) : []
}
