// Randomness as a dependency. The system source is the operating system's generator. The seeded source makes tests repeatable
// and must never be reachable from product code.
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'

export type Random = {
  bytes(count: number): Buffer
  /** URL-safe secret of `bytes` × 8 bits; 256 bits by default. */
  token(bytes?: number): string
  /** Lower-case hexadecimal id of `characters` digits. */
  hex(characters: number): string
  /** Uniform decimal code, leading zeros kept. */
  digits(count: number): string
  uuid(): string
}

const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

/** Serves many small values from one system call; used bytes are wiped from the pool. */
function take<T>(count: number, copy: (from: Buffer, start: number, end: number) => T): T {
  if (count > POOL_BYTES) return copy(randomBytes(count), 0, count)
  if (pool.length - used < count) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  const start = used
  used += count
  const taken = copy(pool, start, used)
  pool.fill(0, start, used)
  return taken
}

const asBytes = (from: Buffer, start: number, end: number): Buffer => Buffer.from(from.subarray(start, end))
const asToken = (from: Buffer, start: number, end: number): string => from.toString('base64url', start, end)
const asHex = (from: Buffer, start: number, end: number): string => from.toString('hex', start, end)

export const systemRandom: Random = {
  bytes: (count) => take(count, asBytes),
  token: (bytes = 32) => take(bytes, asToken),
  hex: (characters) => take(Math.ceil(characters / 2), asHex).slice(0, characters),
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(''),
  uuid: () => randomUUID(),
}

/** Letters and digits, the alphabet of the vendor's ids. */
export function alphanumeric(random: Random, length: number): string {
  let text = ''
  while (text.length < length) text += random.token(32).replace(/[-_]/g, '')
  return text.slice(0, length)
}

/** Deterministic stream for tests: SHA-256 of seed and counter. */
export function seededRandom(seed = 'latchkey'): Random {
  let counter = 0
  const bytes = (count: number): Buffer => {
    const blocks: Buffer[] = []
    for (let size = 0; size < count; size += 32) {
      blocks.push(createHash('sha256').update(`${seed}:${counter++}`).digest())
    }
    return Buffer.concat(blocks).subarray(0, count)
  }
  return {
    bytes,
    token: (size = 32) => bytes(size).toString('base64url'),
    hex: (characters) =>
      bytes(Math.ceil(characters / 2))
        .toString('hex')
        .slice(0, characters),
    digits: (count) => Array.from(bytes(count), (byte) => byte % 10).join(''),
    uuid: () => {
      const value = bytes(16)
      value[6] = ((value[6] ?? 0) & 0x0f) | 0x40
      value[8] = ((value[8] ?? 0) & 0x3f) | 0x80
      const hex = value.toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
  }
}
