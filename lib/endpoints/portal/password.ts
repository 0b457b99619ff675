// The password: the page of the mailed link sets it, with a link that is not mailed. So a policy, a history and a notification are the
// same in both.
import { linkSubject } from '../../accounts/account-link'
import { RESET } from '../../accounts/reset-password'
import type { DatabaseAccount } from '../../management/resources/user-account'
import { PORTAL_PATH } from '../../protocols/portal/portal'
import { issueTicket } from '../../tickets/ticket'
import { definePage, type PortalCall } from './page'

export const password = definePage('password', {
  view: async (call) => ({ hasPassword: (await accountOf(call)) !== null }),
  actions: {
    change: {
      fresh: true,
      async run(call) {
        const { runtime } = call
        const account = await accountOf(call)
        if (!account) return { notice: 'portal_gone' }
        const payload = {
          connectionId: account.connectionId,
          providerUserId: account.providerUserId,
          userId: account.user.id,
          email: account.email,
          clientId: null,
          proves: false,
          resultUrl: runtime.baseUrl + PORTAL_PATH,
        }
        const ticket = await issueTicket(RESET.ticket, payload, runtime, { subject: linkSubject(account) })
        return { to: `${RESET.path}?ticket=${ticket}` }
      },
    },
  },
})

type OwnAccount = DatabaseAccount & { email: string }

/** The user's first account at a database; null if there is none with an address. */
export async function accountOf({ user, management }: PortalCall): Promise<OwnAccount | null> {
  const accounts = (await management.accountFinder.databaseAccounts(user.id)) ?? []
  return accounts.find((account): account is OwnAccount => account.email !== null) ?? null
}
