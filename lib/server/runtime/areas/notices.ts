import type { DatabaseConnection } from '../../../data/connections/connection'
import { enqueue } from '../../../data/outbox/outbox'
import { writeUnblockTicket } from '../../../data/users/unblock'
import type { DatabaseAccount, User } from '../../../data/users/user'
import { guessedOf } from '../../../data/users/user'
import { requestLink } from '../../../identity/accounts/account-link'
import { mayNotify } from '../../../identity/accounts/account-mail'
import { LEAKED } from '../../../identity/accounts/reset-password'
import type { LoginPlace } from '../../../identity/strategies/database'
import type { Clock } from '../../../kernel/clock'
import { lazy } from '../../../kernel/lazy'
import type { MessageTenant } from '../mailer'
import {
  applyTemplate,
  causeFor,
  createMailer,
  createMessenger,
  linkSettings,
  mailContext,
  nameIn,
  renderMail,
} from '../mailer'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'
import type { Shared } from '../shared'
import type { TenantStores } from '../stores'

export const openSender = ({ portray }: Pick<Runtime, 'portray'>, opening: Opening): MessageTenant => {
  const { tenant, site, stores, shared, mailTemplates, verificationOff, phoneTemplates } = opening
  return {
    ...stores,
    tenant,
    baseUrl: site.baseUrl,
    templates: mailTemplates,
    verificationOff,
    phoneTemplates,
    portray,
    findRecord: async (id) => (await loadManagedUsers()).managedUsers(shared.db, tenant.id).find(id),
  }
}

export const openNotices = (sender: MessageTenant, { stores, shared }: Opening) =>
  ({
    sender,
    wakeDispatcher: shared.wakeDispatcher,
    mailer: createMailer(sender, shared),
    messenger: createMessenger(sender, shared),
    notifyBlocked(account, ip, place) {
      notifyBlocked(account, { ...place, ip }, sender, { ...stores, clock: shared.clock }, shared).catch(
        (error: unknown) => shared.log.error({ err: error }, 'The owner of a blocked account could not be notified.'),
      )
    },
    notifyLeaked(this: Runtime, connection, user, ip, place) {
      this.afterwards(notifyLeaked(connection, user, { ...place, ip }, this))
    },
  }) satisfies Partial<Runtime>

const loadManagedUsers = lazy(() => import('../../../adapters/store/sql/management/users'))

async function notifyBlocked(
  account: DatabaseAccount,
  { ip, clientId = null, organization }: LoginPlace & { ip: string },
  sender: MessageTenant,
  stores: Pick<TenantStores, 'outboxWriter' | 'attemptCounters'> & { clock: Clock },
  shared: Shared,
): Promise<void> {
  const { user, connectionId, providerUserId: accountId } = account
  const { tenant, baseUrl } = sender
  if (!tenant.settings.attackProtection.bruteForceProtection.shields.includes('user_notification')) return
  if (user.email === null || !(await mayNotify('blocked_account', { connectionId, accountId }, stores))) return
  const to = user.email
  const context = await mailContext({ tenant, baseUrl, to, user, organization })
  const about = { to, user, ip, clientId, organization, connectionId, language: context.locale }
  const blocked = { connectionId, identifier: guessedOf(account), ip, userId: user.id }
  const ticket = writeUnblockTicket(blocked, shared, await linkSettings('blocked_account', about, sender, shared))
  const unblockUrl = `${baseUrl}/u/unblock?ticket=${ticket}`
  const plain = await renderMail({ kind: 'blocked_account', userName: nameIn(user), ip, unblockUrl }, context)
  const mail = await applyTemplate('blocked_account', plain, about, sender, shared)
  const cause = causeFor('blocked_account', about)
  await enqueue({ ...mail, cause }, stores.outboxWriter, { ...shared, tenantId: tenant.id })
  shared.wakeDispatcher()
}

async function notifyLeaked(
  connection: DatabaseConnection,
  { id, email }: User,
  { ip, clientId = null, organization = null }: LoginPlace & { ip: string },
  runtime: Runtime,
): Promise<void> {
  const { shields } = runtime.settings.attackProtection.breachedPasswordDetection
  if (email === null || !shields.includes('user_notification')) return
  if (!(await mayNotify('stolen_credentials', { connectionId: connection.id, accountId: id }, runtime))) return
  await requestLink(LEAKED, connection, email, { clientId, organization, ip, locale: undefined }, runtime)
}
