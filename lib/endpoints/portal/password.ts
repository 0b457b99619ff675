// The password: the page of the mailed link sets it, by a step of this session. So a policy, a history and a notification are the same
// in both.
import type { LinkPayload } from '../../accounts/account-link'
import { RESET } from '../../accounts/reset-password'
import type { DatabaseAccount } from '../../management/resources/user-account'
import { PORTAL_PATH } from '../../protocols/portal/portal'
import { issueTicket, type Maker, ticketKind } from '../../tickets/ticket'
import { definePage, type PortalCall } from './page'
import { makerIn, STEP_SECONDS } from './step'

export const PASSWORD_STEP = ticketKind<LinkPayload & Maker>('portal-password', STEP_SECONDS)

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
          email: account.email,
          ...makerIn(call),
          proves: false,
          resultUrl: runtime.baseUrl + PORTAL_PATH,
        }
        const ticket = await issueTicket(PASSWORD_STEP, payload, runtime, { subject: payload.userId })
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
