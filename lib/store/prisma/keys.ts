// Signing keys on PostgreSQL. A change locks the tenant's row, so two rotations cannot interleave.
import type { Prisma } from '../../../prisma/generated/client'
import type { PublicJwk, SigningKeyRecord } from '../../keys/key'
import type { SigningKeyPort } from '../../keys/keyring'
import type { Database } from '../database'

type Row = Omit<SigningKeyRecord, 'publicJwk'> & { publicJwk: unknown }

const toRecord = (row: Row): SigningKeyRecord => ({ ...row, publicJwk: row.publicJwk as PublicJwk })

export const signingKeyStore = (db: Database, tenantId: string): SigningKeyPort => ({
  async list() {
    const prisma = await db.prisma()
    return (await prisma.signingKey.findMany({ where: { tenantId } })).map(toRecord)
  },
  async change(decide) {
    const prisma = await db.prisma()
    await prisma.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR UPDATE`
        const records = (await tx.signingKey.findMany({ where: { tenantId } })).map(toRecord)
        for (const change of await decide(records)) await apply(tx, tenantId, change)
      },
      { timeout: 30_000, maxWait: 30_000 },
    )
  },
})

async function apply(
  tx: Prisma.TransactionClient,
  tenantId: string,
  change: Awaited<ReturnType<Parameters<SigningKeyPort['change']>[0]>>[number],
): Promise<void> {
  if (!('add' in change)) {
    await tx.signingKey.update({ where: { tenantId_kid: { tenantId, kid: change.kid } }, data: change.set })
    return
  }
  const { sealedPrivate, ...rest } = change.add
  await tx.signingKey.create({
    data: { ...rest, tenantId, algorithm: 'RS256', sealedPrivate: new Uint8Array(sealedPrivate) },
  })
}
