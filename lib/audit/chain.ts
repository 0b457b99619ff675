// The hash chain of one tenant's records: each hash covers the one before it and everything that is kept of the record, the
// part about a person by a salted digest, so that part and salt can be erased and the chain still holds (docs/adr/0020).
// - The end is authenticated by a key derived from LATCHKEY_SECRET: whoever can write the tables, but lacks the secret, can
//   neither cut the chain short nor grow one of their own (threat-model.md AU2).
// - What is hashed are lines of text. Nothing that is stored has a line break (JSON escapes them, the rest is ours), so there
//   is one way to read them, whatever somebody puts into a field later.
import type { Random } from '../kernel/random'
import { digestHex, type Vault } from '../kernel/secret'
import type { AuditRecord } from './record'

/** What a batch adds to its records, one behind the other: 16 bytes of salt, 32 of each digest. */
export type Links = { salts: Buffer; personalDigests: Buffer; hashes: Buffer }

export type ChainEnd = { seq: number; hash: Uint8Array; storedAt: Date; anchorSeq: number; anchorHash: Uint8Array }

const START = Buffer.alloc(32)

/** Of a tenant that has no record yet. */
export const emptyChain = (at: Date): ChainEnd => ({
  seq: 0,
  hash: START,
  storedAt: at,
  anchorSeq: 0,
  anchorHash: START,
})

const SALT_BYTES = 16
const SALT_DIGITS = SALT_BYTES * 2

/** The records as the chain goes on from `end`, all stored at one moment, and where it ends then. */
export function linkRecords(
  tenantId: string,
  end: ChainEnd,
  records: readonly AuditRecord[],
  now: Date,
  random: Random,
): { links: Links; end: ChainEnd } {
  const storedAt = now > end.storedAt ? now : end.storedAt
  const stored = storedAt.toISOString()
  const salts = random.bytes(SALT_BYTES * records.length).toString('hex')
  let hash = hex(end.hash)
  let hashes = ''
  let personalDigests = ''
  for (const [i, record] of records.entries()) {
    const personalDigest = digestPersonal(salts.substring(i * SALT_DIGITS, (i + 1) * SALT_DIGITS), record.personal)
    hash = hashOf(hash, tenantId, end.seq + i + 1, stored, record, personalDigest)
    personalDigests += personalDigest
    hashes += hash
  }
  const links = { salts: bytes(salts), personalDigests: bytes(personalDigests), hashes: bytes(hashes) }
  return { links, end: { ...end, seq: end.seq + records.length, hash: bytes(hash), storedAt } }
}

/** Salt and answer in hexadecimal digits, as are all digests here: many small buffers cost more than the hashing. */
export const digestPersonal = (salt: string, personal: string): string => digestHex(salt + personal)

type Hashed = Pick<AuditRecord, 'logId' | 'type' | 'at' | 'content'>

export const hashOf = (
  previous: string,
  tenantId: string,
  seq: number,
  storedAt: string,
  { logId, type, at, content }: Hashed,
  personalDigest: string,
): string =>
  digestHex(
    `${previous}\n${personalDigest}\n${tenantId}\n${seq}\n${storedAt}\n${logId}\n${type}\n${at.toISOString()}\n${content}`,
  )

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const bytes = (digits: string): Buffer => Buffer.from(digits, 'hex')

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
