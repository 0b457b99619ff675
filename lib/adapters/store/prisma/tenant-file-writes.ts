// Writes the rows of a tenant file: each is created or updated to the state in the file.

import type { Prisma } from '../../../../prisma/generated/client'
import { DATABASE } from '../../../data/connections/database-options'
import type { UserWrite, Write } from '../../../management/tenant-file/model'
import type { StoreWrite } from '../../../management/tenant-file/stores'
import { END_LOGINS, RECOVERED } from '../sql/end-logins'

type Db = Prisma.TransactionClient

export async function writeRow(tx: Db, tenantId: string, write: Exclude<Write, StoreWrite>, at: Date): Promise<void> {
  switch (write.table) {
    case 'user':
      return writeUser(tx, tenantId, write.row, at)
  }
}

async function writeUser(
  tx: Db,
  tenantId: string,
  { user, account, factors, roles, passwordHash }: UserWrite,
  at: Date,
): Promise<void> {
  const { id, createdAt, ...fields } = user
  await tx.user.upsert({
    where: { tenantId_id: { tenantId, id } },
    create: { tenantId, id, ...fields, createdAt: createdAt ?? at, updatedAt: at },
    update: { ...fields, updatedAt: at },
  })
  const { connectionId, providerUserId, fileCredential, ...keys } = account
  const mark = { fileCredential: fileCredential && new Uint8Array(fileCredential) }
  const values = { ...keys, ...mark, ...(passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: at }) }
  const where = { tenantId_connectionId_providerUserId: { tenantId, connectionId, providerUserId } }
  // A new account has no logins to end, and an import has thousands of accounts.
  const replaced = passwordHash !== undefined && (await tx.identity.findUnique({ where })) !== null
  await tx.identity.upsert({
    where,
    create: { tenantId, connectionId, providerUserId, provider: DATABASE, userId: id, ...values },
    update: values,
  })
  // A replaced password ends the logins that used it (threat-model.md RT7).
  if (replaced) {
    for (const { text } of END_LOGINS) await tx.$executeRawUnsafe(text, tenantId, id, at)
    await tx.$executeRawUnsafe(RECOVERED.text, tenantId, id)
  }
  if (roles) await giveRoles(tx, tenantId, id, roles)
  await tx.authenticator.createMany({
    data: factors.map((factor) => ({
      ...factor,
      sealed: factor.sealed && new Uint8Array(factor.sealed),
      tenantId,
      userId: id,
      active: true,
      createdAt: at,
      confirmedAt: at,
    })),
  })
}

async function giveRoles(tx: Db, tenantId: string, userId: string, roleIds: string[]): Promise<void> {
  await tx.userRole.deleteMany({ where: { tenantId, userId, roleId: { notIn: roleIds } } })
  await tx.userRole.createMany({ data: roleIds.map((roleId) => ({ tenantId, userId, roleId })), skipDuplicates: true })
}
