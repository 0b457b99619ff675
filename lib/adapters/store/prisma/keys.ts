// Signing keys on PostgreSQL. A change locks the tenant's row, so that concurrent rotations are serialized.

import type { Prisma } from '../../../../prisma/generated/client'
import type { SigningAlgorithm } from '../../../crypto/keys/algorithms'
import type { PublicJwk, SigningKeyRecord } from '../../../crypto/keys/key'
import type { KeyChange, SigningKeyPort } from '../../../crypto/keys/keyring'
import { columns } from '../columns'
import { type Database, run } from '../database'

const LIST_KEYS = {
  name: 'key-list',
  text: `SELECT kid, algorithm, public_jwk AS "publicJwk", sealed_private AS "sealedPrivate", certificate, created_at AS "createdAt",
  activated_at AS "activatedAt", retired_at AS "retiredAt", revoked_at AS "revokedAt"
FROM signing_key WHERE tenant_id = $1 ORDER BY created_at`,
  row: columns<SigningKeyRecord>({
    kid: 'text',
    algorithm: 'text',
    publicJwk: 'json',
    sealedPrivate: 'bytes',
    certificate: 'text',
    createdAt: 'date',
    activatedAt: 'date?',
    retiredAt: 'date?',
    revokedAt: 'date?',
  }),
}

type Row = Omit<SigningKeyRecord, 'publicJwk' | 'algorithm'> & { publicJwk: unknown; algorithm: string }

const toRecord = (row: Row): SigningKeyRecord => ({
  ...row,
  algorithm: row.algorithm as SigningAlgorithm,
  publicJwk: row.publicJwk as PublicJwk,
})

export const signingKeyStore = (db: Database, tenantId: string): SigningKeyPort => ({
  list: () => run(db.pool, LIST_KEYS, [tenantId]),
  async change(decide) {
    const prisma = await db.prisma()
    await prisma.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR UPDATE`
        const records = (await tx.signingKey.findMany({ where: { tenantId } })).map(toRecord)
        for (const change of decide(records)) await apply(tx, tenantId, change)
      },
      { timeout: 30_000, maxWait: 30_000 },
    )
  },
})

async function apply(tx: Prisma.TransactionClient, tenantId: string, change: KeyChange): Promise<void> {
  if (!('add' in change)) {
    await tx.signingKey.update({ where: { tenantId_kid: { tenantId, kid: change.kid } }, data: change.set })
    return
  }
  const { sealedPrivate, ...rest } = change.add
  await tx.signingKey.create({
    data: { ...rest, tenantId, sealedPrivate: new Uint8Array(sealedPrivate) },
  })
}
