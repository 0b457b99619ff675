// The deletion of an account that its owner asked for: what is planned, the requests that wait, and the decision about one.
import * as z from 'zod'
import type { TenantSettings } from '../../data/tenants/settings'
import type { AccountDeletion, AccountDeletionPort, DeletionRequest } from '../../data/users/account-deletion'
import type { User } from '../../data/users/user'
import { composeDeletionMail } from '../../identity/accounts/deletion-mail'
import type { ManagedSignInMailDeps } from '../../identity/accounts/sign-in-mail'
import { addSeconds } from '../../kernel/clock'
import { conflict, inexistent } from '../operations/errors'
import { answerList, pageQuery } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import type { ManagedUserStore } from './user-list'

export type UserDeletionDeps = {
  accountDeletions: AccountDeletionPort
  managedUsers: Pick<ManagedUserStore, 'find'>
  settings: TenantSettings
} & ManagedSignInMailDeps

const operation = operationsWith<UserDeletionDeps>()

const state = z.object({
  user_id: z.string(),
  status: z.enum(['none', 'requested', 'scheduled']),
  requested_at: z.iso.datetime().optional(),
  delete_at: z.iso.datetime().optional(),
})

const request = z.object({ user_id: z.string(), email: z.string().optional(), requested_at: z.iso.datetime() })

const present = (userId: string, planned: AccountDeletion): z.output<typeof state> => ({
  user_id: userId,
  status: planned.status,
  ...(planned.status === 'requested' ? { requested_at: planned.requestedAt.toISOString() } : {}),
  ...(planned.status === 'scheduled' ? { delete_at: planned.dueAt.toISOString() } : {}),
})

const presentRequest = ({ userId, email, requestedAt }: DeletionRequest) => ({
  user_id: userId,
  ...(email === null ? {} : { email }),
  requested_at: requestedAt.toISOString(),
})

async function existing(id: string | undefined, { managedUsers }: UserDeletionDeps): Promise<User> {
  const found = id === undefined ? null : await managedUsers.find(id)
  if (!found) throw inexistent('user')
  return found.user
}

const nothingWaits = () => conflict('No deletion of this user waits for an approval', 'no_deletion_request')

/** The tenant may have switched deletions off since the request. */
const DEFAULT_DAYS = 7

export const userDeletion = {
  list: operation({
    name: 'deletion_requests.list',
    method: 'GET',
    path: '/deletion-requests',
    summary: 'List the users whose deletion waits for an approval',
    scopes: ['read:users'],
    list: 'deletion_requests',
    query: z.object(pageQuery),
    status: 200,
    answer: z.array(request),
    async handle({ query, deps }) {
      const body = await answerList(query, {
        key: 'deletion_requests',
        load: (window) =>
          deps.accountDeletions.requests('offset' in window ? window : { offset: 0, limit: window.limit }),
        present: presentRequest,
        id: ({ userId }) => userId,
      })
      return { body }
    },
  }),
  deletionRead: operation({
    name: 'users.deletion.read',
    method: 'GET',
    path: '/users/:id/deletion',
    summary: 'Read whether the deletion of a user is requested or planned',
    scopes: ['read:users'],
    status: 200,
    answer: state,
    async handle({ params: { id = '' }, deps }) {
      const planned = await deps.accountDeletions.find(id)
      if (!planned) throw inexistent('user')
      return { body: present(id, planned) }
    },
  }),
  deletionApprove: operation({
    name: 'users.deletion.approve',
    console: true,
    danger: true,
    method: 'POST',
    path: '/users/:id/deletion/approve',
    summary: 'Approve the deletion that a user asked for',
    scopes: ['delete:users'],
    target: inPath('users'),
    status: 200,
    answer: state,
    async handle({ params, deps }) {
      const { accountDeletions, settings, clock, mailer } = deps
      const user = await existing(params.id, deps)
      const dueAt = addSeconds(clock.now(), (settings.tenant.account_deletion_days || DEFAULT_DAYS) * 86_400)
      const mail = await composeDeletionMail('deletion_scheduled', user, { ip: '' }, deps)
      if (!(await accountDeletions.approve(user.id, dueAt, mail))) throw nothingWaits()
      mailer.wake()
      const shown = present(user.id, { status: 'scheduled', dueAt })
      return { body: shown, after: shown, id: user.id }
    },
  }),
  deletionRefuse: operation({
    name: 'users.deletion.refuse',
    console: true,
    method: 'POST',
    path: '/users/:id/deletion/refuse',
    summary: 'Refuse the deletion that a user asked for',
    scopes: ['delete:users'],
    target: inPath('users'),
    status: 200,
    answer: state,
    async handle({ params, deps }) {
      const user = await existing(params.id, deps)
      const mail = await composeDeletionMail('deletion_refused', user, { ip: '' }, deps)
      if (!(await deps.accountDeletions.refuse(user.id, mail))) throw nothingWaits()
      deps.mailer.wake()
      const shown = present(user.id, { status: 'none' })
      return { body: shown, after: shown, id: user.id }
    },
  }),
}
