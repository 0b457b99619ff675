// The hash chain of a tenant's records. Each hash covers the previous hash and the whole record; the personal part is covered by a salted
// digest, so part and salt can be erased and the chain stays valid (docs/adr/0020).
// - The head is authenticated by a key derived from LATCHKEY_SECRET: with write access to the tables but without the secret, the chain can
//   be neither truncated nor forged (threat-model.md AU2).
// - The hash input is lines of text. No stored value contains a line break (JSON escapes them), so the input is unambiguous.
import type { Random } from '../../kernel/random'
import { digestHex, type Vault } from '../../kernel/secret'
import type { AuditRecord } from './record'

/** Appended to the records of a batch, concatenated: 16 bytes of salt and 32 bytes per digest. */
export type Links = { salts: Buffer; personalDigests: Buffer; hashes: Buffer }

export type ChainEnd = { seq: number; hash: Uint8Array; storedAt: Date; anchorSeq: number; anchorHash: Uint8Array }

const START = Buffer.alloc(32)

/** The head of an empty chain. */
export const emptyChain = (at: Date): ChainEnd => ({
  seq: 0,
  hash: START,
  storedAt: at,
  anchorSeq: 0,
  anchorHash: START,
})

const SALT_BYTES = 16
const SALT_DIGITS = SALT_BYTES * 2

/** Links the records to `end`, all with one time of storage, and returns the new head. */
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

/** Salt and digests are hexadecimal text: many small buffers cost more than the hashing. */
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

/** Authenticates a head as written by a server with this secret. */
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
