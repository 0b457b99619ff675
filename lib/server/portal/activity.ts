// What the audit log says about the user, in words, and the answer to what the user did not do.

import { codeOf, type EventName } from '../../data/audit/events'
import { PORTAL_CLIENT } from '../../data/clients/portal'
import { isDatabase } from '../../data/connections/connection'
import { authenticatesByScript, resetsPasswords } from '../../data/connections/custom-database'
import { requestReset } from '../../identity/accounts/reset-password'
import { changeByScript } from '../../identity/custom-databases/changes'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { localeOf } from '../../pages/respond'
import type { ViewOf } from '../../pages/screens'
import { definePage, type PortalCall } from './page'
import { accountOf } from './password'
import { whereOf } from './where'

type Kind = ViewOf<'account-activity'>['events'][number]['kind']

const KINDS: Readonly<Partial<Record<EventName, Kind>>> = {
  login: 'signed_in',
  login_refused: 'sign_in_failed',
  password_wrong: 'sign_in_failed',
  account_blocked: 'blocked',
  logout: 'signed_out',
  password_changed: 'password_changed',
  reset_requested: 'password_reset_sent',
  address_verified: 'address_verified',
  factor_enrolled: 'factor_added',
  factor_removed: 'factor_removed',
  factor_failed: 'factor_failed',
  factor_limited: 'factor_failed',
  tokens_revoked: 'tokens_revoked',
  changed: 'account_changed',
  deletion_requested: 'account_changed',
  deletion_cancelled: 'account_changed',
  sign_up: 'signed_up',
}

const BY_CODE = new Map(Object.entries(KINDS).map(([name, kind]) => [codeOf(name as EventName), kind]))
const SHOWN = 50

export const activity = definePage('activity', {
  async view({ user, management }) {
    const records = await management.logs.page({ userId: user.id }, { offset: 0, limit: 200, oldestFirst: false })
    const known = records.flatMap((record) => {
      const kind = BY_CODE.get(String(record.type))
      return kind === undefined ? [] : [{ kind, record }]
    })
    return { events: await mapBounded(known.slice(0, SHOWN), eventOf) }
  },
  actions: {
    /** Every login ends, and a password that may be known no longer signs in. */
    'not-me': {
      async run(call) {
        const { user, runtime, management } = call
        runtime.trail.record('changed', { user, change: 'activity disowned' })
        const isReset = await forceReset(call)
        if (!isReset) await management.userLogins.endAll(user.id, runtime.clock.now())
        runtime.wakeDispatcher()
        return { notice: isReset ? 'portal_reset_sent' : 'portal_ended' }
      },
    },
  },
})

type Found = { kind: Kind; record: Readonly<Record<string, unknown>> }

const clientOf = ({ client_id, client_name: name }: Found['record']) => {
  if (client_id === PORTAL_CLIENT) return { client: { name: PORTAL_CLIENT, isPortal: true as const } }
  return typeof name === 'string' && name !== '' ? { client: { name } } : {}
}

const eventOf = async ({ kind, record }: Found) => ({
  id: String(record.log_id),
  kind,
  at: String(record.date),
  ...clientOf(record),
  where: await whereOf(record.user_agent, record.ip),
})

/**
 * Only where the link for a new password reaches the owner: to a verified address, and within the limit of mails. Otherwise the owner would
 * be locked out. Links that the owner asked for before stay: an intruder may have pressed the button.
 */
async function forceReset(call: PortalCall): Promise<boolean> {
  const { user, request, runtime, management } = call
  const account = await accountOf(call)
  const connection = (await runtime.connections.all()).find(({ id }) => id === account?.connectionId)
  if (!account || !isDatabase(connection) || !user.emailVerified || account.email !== user.email) return false
  const context = { clientId: null, ip: request.ip, locale: localeOf(request, runtime.settings), sparesOlder: true }
  const unknown = runtime.random.token()
  if (authenticatesByScript(connection) && !resetsPasswords(connection)) return false
  if (!(await requestReset(connection, account.email, context, runtime))) return false
  const change = { script: 'change_password', password: unknown } as const
  if (await changeByScript(connection, account.email, change, { ip: request.ip }, runtime)) return false
  const hash = authenticatesByScript(connection) ? null : await runtime.passwords.hash(unknown)
  const password = { hash, keep: 0 }
  const forgotten = { fields: {}, account, password, byOwner: { forgetsPassword: true as const } }
  await management.managedUsers.change(user.id, forgotten, runtime.clock.now(), async () => {})
  return true
}
