// The password: a sign-in for this purpose alone, then the page of the mailed link sets it (lib/protocols/portal/password-step.ts). So a
// policy, a history and a notification are the same in both.
import { PORTAL_CLIENT, PORTAL_PATH } from '../../data/clients/portal'
import { connectionLabel, isDatabase, isEnabledFor, isUpstream } from '../../data/connections/connection'
import { subjectOf } from '../../data/users/profile'
import { startLogin } from '../../login/begin/start'
import type { ManagedDatabaseAccount } from '../../management/resources/user-account'
import type { ViewOf } from '../../pages/screens'
import { portalOrigin, portalWants } from '../../protocols/portal/portal'
import { respondToVisitor } from '../login-http/respond'
import { readVisitor } from '../login-http/visitor'
import type { Runtime } from '../runtime/runtime'
import { definePage, type PortalCall } from './page'

export const password = definePage('password', {
  isOffered: async ({ runtime: { clients, connections } }) => {
    const portal = await clients.find(PORTAL_CLIENT)
    return (await connections.all()).some((each) => isDatabase(each) && portal !== null && isEnabledFor(each, portal))
  },
  async view(call) {
    return { hindrance: await hindranceFor(call) }
  },
  actions: {
    change: {
      async run(call) {
        const { user, request, runtime } = call
        const account = await accountOf(call)
        if (!account) return { notice: 'portal_gone' }
        const { connectionId, providerUserId, email } = account
        const since = runtime.clock.now().toISOString()
        const wish = { userId: user.id, connectionId, providerUserId, email, since }
        const wants = {
          ...portalWants(true, runtime.baseUrl),
          prompt: ['login' as const],
          subject: user.id,
          loginHint: email,
          connection: await connectionNamed(connectionId, runtime),
        }
        const origin = portalOrigin(`${PORTAL_PATH}/password?notice=portal_unproven`, wish)
        const login = await startLogin(origin, wants, readVisitor(request, runtime), runtime)
        return { response: await respondToVisitor(login, runtime) }
      },
    },
  },
})

async function hindranceFor(call: PortalCall): Promise<ViewOf<'account-password'>['hindrance']> {
  const accounts = await accountsOf(call)
  if (accounts.length > 0) return accounts.some(({ email }) => email !== null) ? null : 'no_address'
  const provider = await providerOf(call)
  return provider === null ? 'none' : { provider }
}

/** Its name; null where the portal does not sign people in by it, so they prove themselves in another way. */
async function connectionNamed(id: string, { clients, connections }: Runtime): Promise<string | null> {
  const portal = await clients.find(PORTAL_CLIENT)
  const found = (await connections.all()).find((connection) => connection.id === id)
  return found && portal && isEnabledFor(found, portal) ? found.name : null
}

type OwnAccount = ManagedDatabaseAccount & { email: string }

/** The user's first account at a database; null if there is none with an address. */
export const accountOf = async (call: PortalCall): Promise<OwnAccount | null> =>
  (await accountsOf(call)).find((account): account is OwnAccount => account.email !== null) ?? null

const accountsOf = async ({ user, management }: PortalCall): Promise<ManagedDatabaseAccount[]> =>
  (await management.accountFinder.databaseAccounts(user.id)) ?? []

/** The name of the provider at which the user signs in, and so has the password; null without one. */
async function providerOf({ user, runtime }: PortalCall): Promise<string | null> {
  const identities = (await runtime.profiles.find(user.id))?.identities ?? []
  const main = identities.find((each) => subjectOf(each) === user.id)
  const connection = (await runtime.connections.all()).find(({ name }) => name === main?.connection)
  return isUpstream(connection) ? connectionLabel(connection) : null
}
