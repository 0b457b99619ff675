// The hash chain of one tenant's records: each hash covers the one before it and everything that is kept of the record, the
// part about a person by a salted digest, so that part and salt can be erased and the chain still holds (docs/adr/0020).
// - The end is authenticated by a key derived from LATCHKEY_SECRET: whoever can write the tables, but lacks the secret, can
//   neither cut the chain short nor grow one of their own (threat-model.md AU2).
// - Hashed bytes are a JSON array of texts: one way to read them, whatever stands in a field.
import type { Random } from '../kernel/random'
import { digest, type Vault } from '../kernel/secret'
import type { AuditRecord } from './record'

export type Link = {
  seq: number
  storedAt: Date
  personalDigest: Buffer
  salt: Buffer
  hash: Buffer
}

export type ChainEnd = { seq: number; hash: Uint8Array; storedAt: Date; anchorSeq: number; anchorHash: Uint8Array }

export const START = Buffer.alloc(32)

/** Of a tenant that has no record yet. */
export const emptyChain = (at: Date): ChainEnd => ({
  seq: 0,
  hash: START,
  storedAt: at,
  anchorSeq: 0,
  anchorHash: START,
})

const SALT_BYTES = 16

/** The records as the chain goes on from `end`, all stored at one moment, and where it ends then. */
export function linkRecords(
  tenantId: string,
  end: ChainEnd,
  records: readonly AuditRecord[],
  now: Date,
  random: Random,
): { links: Link[]; end: ChainEnd } {
  const storedAt = now > end.storedAt ? now : end.storedAt
  let { seq, hash } = end
  const links = records.map((record) => {
    const salt = random.bytes(SALT_BYTES)
    const personalDigest = digestPersonal(salt, record.personal)
    seq += 1
    hash = hashOf({ tenantId, seq, storedAt, previous: hash, personalDigest, ...record })
    return { seq, storedAt, personalDigest, salt, hash: Buffer.from(hash) }
  })
  return { links, end: { ...end, seq, hash, storedAt } }
}

export const digestPersonal = (salt: Uint8Array, personal: string): Buffer =>
  digest(Buffer.concat([salt, Buffer.from(personal)]))

type Hashed = Pick<AuditRecord, 'logId' | 'type' | 'at' | 'content'> & {
  tenantId: string
  seq: number
  storedAt: Date
  previous: Uint8Array
  personalDigest: Uint8Array
}

export const hashOf = ({
  tenantId,
  seq,
  storedAt,
  previous,
  personalDigest,
  logId,
  type,
  at,
  content,
}: Hashed): Buffer =>
  digest(
    JSON.stringify([
      hex(previous),
      tenantId,
      String(seq),
      storedAt.toISOString(),
      logId,
      type,
      at.toISOString(),
      content,
      hex(personalDigest),
    ]),
  )

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Proves an end to have been written by a server with this secret. */
export const macOf = (tenantId: string, end: ChainEnd, vault: Vault): Buffer =>
  vault.mac(
    'audit-chain',
    JSON.stringify([
      tenantId,
      String(end.seq),
      hex(end.hash),
      end.storedAt.toISOString(),
      String(end.anchorSeq),
      hex(end.anchorHash),
    ]),
  )
