// Writes the new users of an import, many with one statement, and locks those that it changes.
import { DATABASE } from '../../../data/connections/database-options'
import { UserChanged } from '../../../management/jobs/job'
import type { UserWrite } from '../../../management/tenant-file/model'
import type { Db } from './management/transaction'
import { findUsers } from './tenant-file'

/** In the order of their names, so that imports with the same users rarely wait for each other in a circle. */
export async function insertUsers(tx: Db, tenantId: string, users: readonly UserWrite[], at: Date): Promise<void> {
  const ordered = users.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const rows = ordered.map(({ user }) => ({ ...user, createdAt: user.createdAt ?? at }))
  const added = await tx.$executeRaw`
    INSERT INTO "user" (tenant_id, id, email, email_verified, username, phone_number, phone_verified, name, given_name,
      family_name, nickname, picture, profile, user_metadata, app_metadata, blocked, created_at, updated_at)
    SELECT ${tenantId}, id, email, "emailVerified", username, "phoneNumber", "phoneVerified", name, "givenName",
      "familyName", nickname, picture, profile, "userMetadata", "appMetadata", blocked, "createdAt", ${at}::timestamptz
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (id text, email text, "emailVerified" boolean,
      username text, "phoneNumber" text, "phoneVerified" boolean, name text, "givenName" text, "familyName" text,
      nickname text, picture text, profile jsonb, "userMetadata" jsonb, "appMetadata" jsonb, blocked boolean,
      "createdAt" timestamptz)
    ON CONFLICT DO NOTHING`
  if (added !== rows.length) throw new UserChanged()
  const accounts = ordered.map(({ user, account, passwordHash }) => ({
    ...account,
    userId: user.id,
    passwordHash,
    fileCredential: account.fileCredential && Buffer.from(account.fileCredential).toString('hex'),
  }))
  const linked = await tx.$executeRaw`
    INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key, username_key,
      password_hash, password_changed_at, file_credential, profile)
    SELECT ${tenantId}, "connectionId", "providerUserId", ${DATABASE}, "userId", "emailKey", "usernameKey",
      "passwordHash", CASE WHEN "passwordHash" IS NOT NULL THEN ${at}::timestamptz END, decode("fileCredential", 'hex'), profile
    FROM json_to_recordset(${JSON.stringify(accounts)}::json) AS given ("connectionId" text, "providerUserId" text,
      "userId" text, "emailKey" text, "usernameKey" text, "passwordHash" text, "fileCredential" text, profile jsonb)
    ON CONFLICT DO NOTHING`
  if (linked !== accounts.length) throw new UserChanged()
  await addRoles(tx, tenantId, ordered)
  await addFactors(tx, tenantId, ordered, at)
}

const nameOf = ({ account }: UserWrite): string => account.emailKey ?? account.usernameKey ?? ''

async function addRoles(tx: Db, tenantId: string, users: readonly UserWrite[]): Promise<void> {
  const data = users.flatMap(({ user, roles = [] }) => roles.map((roleId) => ({ tenantId, userId: user.id, roleId })))
  if (data.length > 0) await tx.userRole.createMany({ data })
}

async function addFactors(tx: Db, tenantId: string, users: readonly UserWrite[], at: Date): Promise<void> {
  const data = users.flatMap(({ user, factors }) =>
    factors.map((factor) => ({
      ...factor,
      sealed: factor.sealed && new Uint8Array(factor.sealed),
      tenantId,
      userId: user.id,
      active: true,
      createdAt: at,
      confirmedAt: at,
    })),
  )
  if (data.length > 0) await tx.authenticator.createMany({ data })
}

/** Locked in the order of ids, so that two imports do not wait for each other. */
export async function lockedUsers(tx: Db, tenantId: string, ids: readonly string[]) {
  await tx.$queryRaw`SELECT id FROM "user" WHERE tenant_id = ${tenantId} AND id = ANY(${ids}) ORDER BY id FOR UPDATE`
  return findUsers(tx, { tenantId, id: { in: [...ids] } })
}

export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'P2034' || error.code === '40P01')) || isDeadlock(error.cause))
