// Verifies a tenant's chain, from the last record that retention removed to the authenticated head. Reports the first fault in words. Erased
// personal parts are counted and are no fault.
import { equalsConstantTime, type Vault } from '../../kernel/secret'
import { type ChainEnd, digestPersonal, hashOf, hex, macOf } from './chain'
import type { PersonalPart } from './record'

export type StoredRecord = {
  seq: number
  storedAt: Date
  logId: string
  type: string
  at: Date
  userId: string | null
  content: string
  personal: string | null
  salt: Uint8Array | null
  personalDigest: Uint8Array
  hash: Uint8Array
}

export type ChainReader = {
  end(tenantId: string): Promise<(ChainEnd & { mac: Uint8Array }) | null>
  /** Records after `after`, ordered by number, then by time of storage. */
  page(tenantId: string, after: ChainPosition, limit: number): Promise<StoredRecord[]>
}

/** Null: after every record of that number. */
export type ChainPosition = { seq: number; storedAt: Date | null }

export type ChainVerdict = { records: number; erased: number; head: string; problem: string | null }

/** A head noted earlier: `seq:hash`. */
export type NotedHead = { seq: number; hash: string }

const PAGE = 1000

export async function verifyChain(
  tenantId: string,
  reader: ChainReader,
  vault: Vault,
  noted: NotedHead | null = null,
): Promise<ChainVerdict> {
  const end = await reader.end(tenantId)
  if (!end) return withoutEnd(tenantId, reader, noted)
  const state: Walk = { ...behindAnchor(end), tenantId, records: 0, erased: 0, noted, seen: false }
  const problem = (await walk(state, reader)) ?? endProblem(state, end, vault) ?? notedProblem(state, end)
  return { records: state.records, erased: state.erased, head: headOf(end), problem }
}

const behindAnchor = ({ anchorSeq, anchorHash }: ChainEnd) => ({ seq: anchorSeq, storedAt: null, hash: anchorHash })

export const headOf = ({ seq, hash }: Pick<ChainEnd, 'seq' | 'hash'>): string => `${seq}:${hex(hash)}`

async function withoutEnd(tenantId: string, reader: ChainReader, noted: NotedHead | null): Promise<ChainVerdict> {
  const found = await reader.page(tenantId, { seq: 0, storedAt: null }, 1)
  const problem =
    found.length > 0
      ? 'There are records, and no end of the chain.'
      : noted && 'The chain of this head no longer exists.'
  return { records: 0, erased: 0, head: '', problem }
}

type Walk = ChainPosition & {
  tenantId: string
  hash: Uint8Array
  records: number
  erased: number
  noted: NotedHead | null
  seen: boolean
}

async function walk(state: Walk, reader: ChainReader): Promise<string | null> {
  state.seen = isNoted(state)
  for (;;) {
    const page = await reader.page(state.tenantId, state, PAGE)
    for (const record of page) {
      const problem = recordProblem(state, record)
      if (problem) return problem
      state.seq = record.seq
      state.storedAt = record.storedAt
      state.hash = record.hash
      state.records += 1
      if (record.personal === null) state.erased += 1
      state.seen ||= isNoted(state)
    }
    if (page.length < PAGE) return null
  }
}

const isNoted = ({ seq, hash, noted }: Walk): boolean => noted?.seq === seq && noted.hash === hex(hash)

function recordProblem({ tenantId, seq, hash }: Walk, record: StoredRecord): string | null {
  if (record.seq <= seq) return `Record ${record.seq} is there twice.`
  if (record.seq !== seq + 1) return `Record ${seq + 1} is missing.`
  const { storedAt, personalDigest } = record
  if (
    hashOf(hex(hash), tenantId, record.seq, storedAt.toISOString(), record, hex(personalDigest)) !== hex(record.hash)
  ) {
    return `Record ${record.seq} (${record.logId}) is not the one that was stored.`
  }
  return personalProblem(record)
}

function personalProblem({ seq, logId, personal, salt, userId, personalDigest }: StoredRecord): string | null {
  const mismatch = `The personal part of record ${seq} (${logId}) is not the one that was stored.`
  if (personal === null) return salt === null && userId === null ? null : mismatch
  if (salt === null || digestPersonal(hex(salt), personal) !== hex(personalDigest)) return mismatch
  return ((JSON.parse(personal) as PersonalPart).user_id ?? null) === userId ? null : mismatch
}

function endProblem({ tenantId, seq, hash }: Walk, end: ChainEnd & { mac: Uint8Array }, vault: Vault): string | null {
  if (!equalsConstantTime(macOf(tenantId, end, vault), end.mac)) {
    return 'The end of the chain was not written under this LATCHKEY_SECRET.'
  }
  if (seq < end.seq) return `The records from ${seq + 1} to ${end.seq} are missing.`
  if (seq > end.seq) return `There are records behind the end of the chain, record ${end.seq}.`
  return equalsConstantTime(hash, end.hash) ? null : `Record ${seq} is not the one that the chain ended with.`
}

function notedProblem({ noted, seen }: Walk, { anchorSeq }: ChainEnd): string | null {
  if (!noted || seen) return null
  return noted.seq < anchorSeq
    ? `Record ${noted.seq} was dropped by retention: its head cannot be compared any more.`
    : `The head that was noted at record ${noted.seq} is not part of this chain.`
}
