// Accounts of a user: linking another user's accounts, and unlinking one.
import * as z from 'zod'
import { ADDRESS_UNPROVEN } from '../../data/users/first-proof'
import type { ManagedLinkPort } from '../../data/users/linked-accounts'
import { type PresentedIdentity, presentIdentities, subjectOf } from '../../data/users/profile'
import {
  composeSignInMailOfAdministrator,
  type ManagedSignInMailDeps,
  onceEach,
} from '../../identity/accounts/sign-in-mail'
import { invalidRequest, notFound } from '../../kernel/errors'
import { inexistent, invalidBody } from '../operations/errors'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import { shownIdentity } from './present-user'
import type { ManagedUserStore } from './user-list'

export type UserIdentityDeps = ManagedSignInMailDeps & {
  managedUsers: Pick<ManagedUserStore, 'find' | 'accounts'>
  managedLinks: ManagedLinkPort
  wakeDispatcher(): void
}

const operation = operationsWith<UserIdentityDeps>()

const linkBody = z.strictObject({
  provider: z.string().min(1).max(100),
  user_id: z.union([z.string().min(1).max(300), z.number().int()]).transform(String),
  connection_id: z.string().min(1).max(100).optional(),
})

/** The user who is named after the account; the body may have the id with or without its provider. */
const otherIdOf = ({ provider, user_id: given }: z.output<typeof linkBody>): string =>
  given.startsWith(`${provider}|`) ? given : `${provider}|${given}`

const shown = (identities: PresentedIdentity[]) => ({ identities: identities.map((identity) => ({ ...identity })) })

export const userIdentities = {
  identitiesLink: operation({
    name: 'users.identities.link',
    console: true,
    danger: true,
    method: 'POST',
    path: '/users/:id/identities',
    summary: 'Link the accounts of another user',
    scopes: ['update:users'],
    target: ({ params, body }) => ({ users: [params.id ?? '', otherIdOf(body)] }),
    body: linkBody,
    status: 201,
    answer: z.array(shownIdentity),
    async handle({ params, body, deps }) {
      const user = await deps.managedUsers.find(params.id ?? '')
      if (!user) throw inexistent('user')
      const { connection_id: connectionId } = body
      const otherId = otherIdOf(body)
      if (otherId === user.user.id) throw invalidBody('Main account and secondary account are the same')
      const accounts = await deps.managedUsers.accounts(otherId)
      const named = accounts.find((account) => subjectOf(account) === otherId)
      if (!named || (connectionId !== undefined && named.connectionId !== connectionId)) throw unknownIdentity()
      const absorbed = await deps.managedUsers.find(otherId)
      const change = { what: 'added', ways: ['connected-account'] } as const
      const mails = onceEach([
        await composeSignInMailOfAdministrator(user.user, change, deps),
        absorbed && (await composeSignInMailOfAdministrator(absorbed.user, change, deps)),
      ])
      const linked = await deps.managedLinks.link(user.user.id, otherId, deps.clock.now(), mails)
      if (linked === 'unknown') throw unknownIdentity()
      if (linked === 'address_unproven') throw invalidRequest(ADDRESS_UNPROVEN)
      if (linked === 'too_many') throw invalidRequest('Too many accounts are linked')
      deps.wakeDispatcher()
      const identities = presentIdentities(linked)
      return { body: identities, before: shown(presentIdentities(user.identities)), after: shown(identities) }
    },
  }),
  identitiesUnlink: operation({
    name: 'users.identities.unlink',
    console: true,
    danger: true,
    method: 'DELETE',
    path: '/users/:id/identities/:provider/:user_id',
    summary: 'Unlink an account of a user',
    scopes: ['update:users'],
    target: inPath('users'),
    status: 200,
    answer: z.array(shownIdentity),
    async handle({ params, deps }) {
      const { id = '', provider = '', user_id: providerUserId = '' } = params
      const user = await deps.managedUsers.find(id)
      if (!user) throw inexistent('user')
      if (subjectOf({ provider, providerUserId }) === id)
        throw invalidRequest('The account that the user is named after cannot be unlinked')
      const change = { what: 'removed', ways: ['connected-account'] } as const
      const mails = [await composeSignInMailOfAdministrator(user.user, change, deps)]
      const left = await deps.managedLinks.unlink({ userId: id, provider, providerUserId, at: deps.clock.now(), mails })
      if (typeof left === 'string') throw unknownIdentity()
      deps.wakeDispatcher()
      const identities = presentIdentities(left)
      return { body: identities, before: shown(presentIdentities(user.identities)), after: shown(identities), id }
    },
  }),
}

const unknownIdentity = () => notFound('The account does not exist', { members: { errorCode: 'inexistent_identity' } })
