// `api.cache`: short texts that outlive a run, per tenant and trigger, in one thread of one process. An entry may be gone at any
// time, as the vendor documents; the cache is bounded per tenant and in total.
const MAX_CACHES = 200
const MAX_RECORDS = 20
const MAX_CHARACTERS = 4096
/** The vendor's, in bytes of UTF-8: of a key, and of all records of a cache. */
const MAX_KEY = 64
const MAX_BYTES = 8192
const LIFETIME = 15 * 60_000
const MAX_LIFETIME = 24 * 60 * 60_000

/** @type {Map<string, Map<string, { value: string, expires_at: number }>>} */
const caches = new Map()

/** @param {string} name of the tenant and trigger */
export function cacheOf(name) {
  const records = caches.get(name) ?? new Map()
  caches.delete(name)
  caches.set(name, records)
  if (caches.size > MAX_CACHES) caches.delete(caches.keys().next().value)
  return { get: getFrom(records), set: setIn(records), delete: deleteFrom(records) }
}

const getFrom = (records) => (key, now) => {
  const record = records.get(key)
  return record && record.expires_at > now ? record : undefined
}

const setIn = (records) => (key, value, options, now) => {
  if (typeof key !== 'string' || typeof value !== 'string') return { type: 'error', code: 'InvalidArgument' }
  const size = Buffer.byteLength(key) + Buffer.byteLength(value)
  if (Buffer.byteLength(key) > MAX_KEY || key.length + value.length > MAX_CHARACTERS || size > MAX_BYTES)
    return { type: 'error', code: 'ItemSizeExceeded' }
  const wanted = Number(options.expires_at ?? now + Number(options.ttl ?? LIFETIME))
  if (!Number.isFinite(wanted)) return { type: 'error', code: 'InvalidExpiry' }
  records.delete(key)
  const record = { value, expires_at: Math.min(wanted, now + MAX_LIFETIME) }
  records.set(key, record)
  while (records.size > MAX_RECORDS || bytesOf(records) > MAX_BYTES) {
    const [oldest] = records.keys()
    records.delete(oldest)
  }
  return { type: 'success', record }
}

const bytesOf = (records) =>
  [...records].reduce((sum, [key, { value }]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)

const deleteFrom = (records) => (key) =>
  records.delete(key) ? { type: 'success' } : { type: 'error', code: 'CacheKeyDoesNotExist' }
