// The database account that a passkey or a password belongs to, as a request may name it.
import * as z from 'zod'
import { DATABASE } from '../../../data/connections/database-options'
import type { AccountKey } from '../../../data/users/account'
import type { MyAccountCall } from './kind'

/** The members that name it, in the body of `begin`. */
export const accountMembers = () => ({
  connection: z.string().min(1).max(128).optional(),
  identity_user_id: z.string().min(1).max(300).optional(),
})

type Named = { connection?: string | undefined; identity_user_id?: string | undefined }

/** Whether an account is the named one, or any if none is named. */
export async function isNamed(
  { connection, identity_user_id }: Named,
  { runtime }: MyAccountCall,
): Promise<(account: AccountKey) => boolean> {
  const named = (await runtime.connections.all()).find(({ name }) => name === connection)
  return ({ connectionId, providerUserId }) =>
    (connection === undefined || connectionId === named?.id) &&
    (identity_user_id === undefined || [providerUserId, identityOf(providerUserId)].includes(identity_user_id))
}

export const identityOf = (providerUserId: string): string => `${DATABASE}|${providerUserId}`
