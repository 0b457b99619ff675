// Writes the users of an import and of a tenant file: new ones many with one statement, others one by one.
import { DATABASE } from '../../../data/connections/database-options'
import { blocks, changesSignIn, type UserFields } from '../../../data/users/managed-user'
import { UserChanged } from '../../../management/jobs/job'
import type { UserWrite } from '../../../management/tenant-file/model'
import { loginEndings, RECOVERED } from '../sql/end-logins'
import { REMOVE_PICTURE } from '../sql/user-pictures'
import type { Db } from './management/transaction'

/** In the order of their names, so that imports with the same users rarely wait for each other in a circle. */
export async function insertUsers(tx: Db, tenantId: string, users: readonly UserWrite[], at: Date): Promise<void> {
  const ordered = users.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const rows = ordered.map(({ user }) => Object.assign({}, user, { createdAt: user.createdAt ?? at }))
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
  const accounts = ordered.map(({ user, account, passwordHash }) =>
    Object.assign({}, account, {
      userId: user.id,
      passwordHash,
      fileCredential: account.fileCredential && Buffer.from(account.fileCredential).toString('hex'),
    }),
  )
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
  const given = users.flatMap(({ user, roles = [] }) => roles.map((roleId) => ({ userId: user.id, roleId })))
  if (given.length === 0) return
  await tx.$executeRaw`
    INSERT INTO user_role (tenant_id, user_id, role_id) SELECT ${tenantId}, "userId", "roleId"
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given ("userId" text, "roleId" text)
    ON CONFLICT DO NOTHING`
}

async function addFactors(tx: Db, tenantId: string, users: readonly UserWrite[], at: Date): Promise<void> {
  const given = users.flatMap(({ user, factors }) =>
    factors.map((factor) => ({
      ...factor,
      sealed: factor.sealed && Buffer.from(factor.sealed).toString('hex'),
      userId: user.id,
    })),
  )
  if (given.length === 0) return
  await tx.$executeRaw`
    INSERT INTO authenticator (tenant_id, id, user_id, type, channel, active, sealed, phone_number, email, created_at,
      confirmed_at)
    SELECT ${tenantId}, id, "userId", type, channel, true, decode(sealed, 'hex'), "phoneNumber", email, ${at}::timestamptz,
      ${at}::timestamptz
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (id text, "userId" text, type text, channel text,
      sealed text, "phoneNumber" text, email text)`
}

type Before = Pick<UserFields, 'email' | 'username' | 'phoneNumber' | 'picture' | 'blocked'>

/** The user of a change, who stays as it is until the transaction ends; other tables may refer to it meanwhile. */
export async function lockedUser(tx: Db, tenantId: string, id: string): Promise<Before | undefined> {
  const [user] = await tx.$queryRaw<Before[]>`
    SELECT email, username, phone_number AS "phoneNumber", picture, blocked FROM "user"
    WHERE tenant_id = ${tenantId} AND id = ${id} FOR NO KEY UPDATE`
  return user
}

/**
 * Ends what the same change by the Management API ends (sql/management/users.ts), except that no first proof of an address begins
 * (ADR 27).
 * @param before as it is under its lock
 */
export async function changeUser(
  tx: Db,
  tenantId: string,
  write: UserWrite,
  before: Before | undefined,
  at: Date,
): Promise<void> {
  const { user, account, roles, passwordHash } = write
  const { id, createdAt: _, ...fields } = user
  if (!before) throw new UserChanged()
  await tx.user.update({ where: { tenantId_id: { tenantId, id } }, data: { ...fields, updatedAt: at } })
  const { connectionId, providerUserId, fileCredential, ...keys } = account
  const mark = { fileCredential: fileCredential && new Uint8Array(fileCredential) }
  await tx.identity.update({
    where: { tenantId_connectionId_providerUserId: { tenantId, connectionId, providerUserId } },
    data: { ...keys, ...mark, ...(passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: at }) },
  })
  const hasNewPassword = passwordHash !== undefined
  if (hasNewPassword || blocks(before, fields)) {
    for (const { text } of loginEndings(hasNewPassword ? 'password-changed' : 'session-revoked'))
      await tx.$executeRawUnsafe(text, tenantId, id, at)
  }
  if (hasNewPassword || changesSignIn(before, fields)) await tx.$executeRawUnsafe(RECOVERED.text, tenantId, id)
  if (fields.picture !== before.picture) await tx.$executeRawUnsafe(REMOVE_PICTURE.text, tenantId, id)
  if (roles) await tx.userRole.deleteMany({ where: { tenantId, userId: id, roleId: { notIn: roles } } })
  await addRoles(tx, tenantId, [write])
  await addFactors(tx, tenantId, [write], at)
}

export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'P2034' || error.code === '40P01')) || isDeadlock(error.cause))
