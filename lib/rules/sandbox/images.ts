// Which image a run begins in: the small one of its thread; the large one, once its code has used what only that has; or that of its packages.
// - An image is made once, by a thread, also if many runs need it at the same time.
// - Images of packages are kept by tenant and digest, the most recently used ones up to a limit. Those of runs under way stay. One tenant
//   holds half of the limit at most (threat-model.md AC7).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { temporarilyUnavailable } from '../../kernel/errors'
import { once } from '../../kernel/lazy'
import type { Bundle, Image, Job, Made, Making } from './job'

type Needs = Pick<Job, 'code' | 'bundle'>

/** `image` is null for the small one. Those of packages stay until they are released. */
export type Beginning = { image: Image | null; release(): void } | { failure: string }

export type Images = {
  /** Rejects with 503 if there is no room. */
  of(tenant: string, job: Needs): Promise<Beginning>
  /** From now on, runs of this code begin in the large image. */
  enlarge(job: Needs): void
}

export type ImagesOptions = {
  /** The file of the platform's interfaces (lib/node/platform.mjs). */
  platform: string
  /** Null if the thread failed. */
  make(making: Omit<Making, 'milliseconds'>): Promise<Made | null>
  limit?: number | undefined
  retryAfter?: number | undefined
}

/** Of codes that are known to need the large image. */
const MAX_CODES = 1000
const MAX_BYTES = 256 * 1024 * 1024
/** An image that could not be made, or not completely, is made again after this time. */
const RETRY_MS = 5 * 60_000

const BUSY = 'Too many rules with packages run, try again shortly'

type Kept = { tenant: string; made: Promise<Image | string>; bytes: number; users: number; until: number }

export function createImages({ platform, make, limit = MAX_BYTES, retryAfter = RETRY_MS }: ImagesOptions): Images {
  const source = once(() => readFileSync(platform, 'utf8'))
  const enlarged = new Set<string>()
  let large: Promise<Image | null> | null = null
  /** The least recently used first. */
  const images = new Map<string, Kept>()
  const makeInTurn = inTurn(make)

  function ofPlatform(tenant: string): Promise<Image | null> {
    const forget = (): void => {
      large = null
    }
    large ??= make({ tenant, base: null, source: source() }).then((made) => {
      if (!made?.image) forget()
      return made?.image ?? null
    })
    large.catch(forget)
    return large
  }

  function open(tenant: string, bundle: Bundle): Kept {
    const kept: Kept = { tenant, made: Promise.resolve(''), bytes: 0, users: 0, until: Number.POSITIVE_INFINITY }
    const retry = (): void => {
      kept.until = performance.now() + retryAfter
    }
    kept.made = (async () => {
      const base = await ofPlatform(tenant)
      const made = base && (await makeInTurn({ tenant, base, source: await bundle.code() }))
      if (!made?.image || made.incomplete) retry()
      if (!made?.image) return 'the packages of this action could not be loaded'
      kept.bytes = made.image.bytes.byteLength
      return made.image
    })()
    kept.made.catch(() => {
      kept.until = 0
    })
    return kept
  }

  const bytesOf = (tenant?: string): number =>
    [...images.values()].reduce(
      (sum, each) => sum + (tenant === undefined || each.tenant === tenant ? each.bytes : 0),
      0,
    )

  const isOver = (tenant: string): boolean => bytesOf(tenant) > limit / 2

  /** Gives up images that no run uses: of the tenant beyond its share, then of all. */
  function makeRoom(tenant: string): void {
    for (const [key, each] of images)
      if (each.users === 0 && each.tenant === tenant && isOver(tenant)) images.delete(key)
    for (const [key, { users }] of images) if (users === 0 && bytesOf() > limit) images.delete(key)
  }

  async function ofPackages(tenant: string, bundle: Bundle): Promise<Beginning> {
    const key = `${tenant} ${bundle.digest}`
    const found = images.get(key)
    const kept = found && found.until > performance.now() ? found : open(tenant, bundle)
    images.delete(key)
    images.set(key, kept)
    kept.users += 1
    const release = (): void => {
      kept.users -= 1
      makeRoom(tenant)
    }
    try {
      const image = await kept.made
      if (typeof image === 'string') {
        release()
        return { failure: image }
      }
      makeRoom(tenant)
      if (bytesOf() > limit || isOver(tenant))
        throw temporarilyUnavailable(BUSY, { retryAfter: 1, detail: `images in use hold ${bytesOf()} bytes` })
      return { image, release }
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    async of(tenant, job) {
      if (job.bundle) return ofPackages(tenant, job.bundle)
      if (!enlarged.has(keyOf(job.code))) return { image: null, release() {} }
      const image = await ofPlatform(tenant)
      return image ? { image, release() {} } : { failure: 'the platform of actions could not be loaded' }
    },
    enlarge({ code }) {
      enlarged.add(keyOf(code))
      const [oldest = ''] = enlarged
      if (enlarged.size > MAX_CODES) enlarged.delete(oldest)
    },
  }
}

const keyOf = (code: string): string => createHash('sha256').update(code).digest('base64')

/** One image of packages of a tenant at a time: it takes a thread for long, and the others need one too. */
function inTurn(make: ImagesOptions['make']): ImagesOptions['make'] {
  const last = new Map<string, Promise<unknown>>()
  return (making) => {
    const before = last.get(making.tenant) ?? Promise.resolve()
    const made = before.then(() => make(making))
    const ended = made
      .catch(() => {})
      .then(() => {
        if (last.get(making.tenant) === ended) last.delete(making.tenant)
      })
    last.set(making.tenant, ended)
    return made
  }
}
