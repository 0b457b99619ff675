// The database account of a user, as requests name it: by the user's id, and by an identity where the user has several.
import * as z from 'zod'
import { DATABASE } from '../../data/connections/database-options'
import type { User } from '../../data/users/user'
import { inexistent, invalidBody } from '../operations/errors'

export type ManagedDatabaseAccount = {
  connectionId: string
  providerUserId: string
  email: string | null
  user: Pick<User, 'id' | 'name' | 'givenName' | 'profile' | 'emailVerified'>
}

export type AccountFinder = {
  /** The accounts of a user at databases, the first one first; null if there is no such user. */
  databaseAccounts(userId: string): Promise<ManagedDatabaseAccount[] | null>
  /** The account of a canonical address. */
  accountOf(connectionId: string, emailKey: string): Promise<ManagedDatabaseAccount | null>
}

export const identityBody = z.object({
  user_id: z.string().min(1).max(300),
  provider: z.string().min(1).max(64),
  connection_id: z.string().min(1).max(300).optional(),
})

export async function databaseAccount(
  userId: string,
  identity: z.output<typeof identityBody> | undefined,
  { accountFinder }: { accountFinder: AccountFinder },
): Promise<ManagedDatabaseAccount> {
  const accounts = await accountFinder.databaseAccounts(userId)
  if (!accounts) throw inexistent('user')
  if (identity && identity.provider !== DATABASE) throw invalidBody('The identity must be one of a database')
  const account = accounts.find(
    ({ providerUserId, connectionId }) =>
      !identity || (providerUserId === identity.user_id && (identity.connection_id ?? connectionId) === connectionId),
  )
  if (!account) throw invalidBody('The user has no such account at a database')
  if (account.email === null) throw invalidBody('The user has no e-mail address')
  return account
}
