// Which image a run begins in: the small one of its thread; the large one, once its code has used what only that has; or that of its packages.
// - An image is made once, by a thread, also if many runs need it at the same time.
// - Images of packages are kept by tenant and digest, the most recently used ones up to a limit. Those of runs under way stay. One tenant
//   holds half of the limit at most (threat-model.md AC7).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DomainError, temporarilyUnavailable } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import { createArena, piecesFor } from './arena'
import type { BuiltImage, Image, LoadableBundle, MadeImage, Making, SandboxJob } from './job'

type Needs = Pick<SandboxJob, 'code' | 'bundle'>

/** `image` is null for the small one. Those of packages stay until they are released. */
export type Beginning = { image: Image | null; release(): void } | { failure: string }

export type Images = {
  /** Rejects with 503 if there is no room. */
  of(tenant: string, job: Needs): Promise<Beginning>
  /** From now on, runs of this code begin in the large image. */
  enlarge(job: Needs): void
}

export type ImagesOptions = {
  /** The file of the platform's interfaces (lib/server/node/platform.mjs). */
  platform: string
  /** Null if the thread failed. */
  make(making: Omit<Making, 'milliseconds'>): Promise<BuiltImage | null>
  limit?: number | undefined
  retryAfter?: number | undefined
}

/** Of codes that are known to need the large image, and of images. */
const MAX_CODES = 1000
const MAX_BYTES = 256 * 1024 * 1024
/** An image that could not be made, or not completely, is made again after this time. */
const RETRY_MS = 5 * 60_000
/** The same for one that there was no room for. */
const BUSY_MS = 1000

const BUSY = 'Too many rules with packages run, try again shortly'

/** `until`: when it is made again. */
type Kept = { tenant: string; made: Promise<Image | string>; pieces: number[]; users: number; until: number }

export function createImages({ platform, make, limit = MAX_BYTES, retryAfter = RETRY_MS }: ImagesOptions): Images {
  const source = once(() => readFileSync(platform, 'utf8'))
  const enlarged = new Set<string>()
  let large: Promise<Image | null> | null = null
  /** The least recently used first. */
  const images = new Map<string, Kept>()
  const arena = createArena(limit)
  const makeInTurn = inTurn(make)

  function ofPlatform(tenant: string): Promise<Image | null> {
    const forget = (): void => {
      large = null
    }
    large ??= make({ tenant, base: null, source: source() }).then((made) => {
      if (made?.image) return { ...made.image, bytes: sharedOf(made.image.bytes) }
      forget()
      return null
    })
    large.catch(forget)
    return large
  }

  function open(tenant: string, bundle: LoadableBundle): Kept {
    const kept: Kept = { tenant, made: Promise.resolve(''), pieces: [], users: 0, until: Number.POSITIVE_INFINITY }
    const makeAgain = (milliseconds: number): void => {
      kept.until = performance.now() + milliseconds
    }
    const made = async (): Promise<Image | string> => {
      const base = await ofPlatform(tenant)
      const made = base && (await makeInTurn({ tenant, base, source: await bundle.code() }))
      if (!made?.image || made.incomplete) makeAgain(retryAfter)
      return made?.image ? placed(kept, made.image) : 'the packages of this action could not be loaded'
    }
    kept.made = made()
    kept.made.catch((error) => makeAgain(error instanceof DomainError ? BUSY_MS : 0))
    return kept
  }

  const held = (tenant: string): number =>
    [...images.values()].reduce((sum, each) => sum + (each.tenant === tenant ? each.pieces.length : 0), 0)

  /** Gives up images that no run uses, the least recently used ones first. */
  function makeRoom(tenant: string | null, isEnough: () => boolean): void {
    for (const [key, each] of images) {
      if (isEnough()) return
      if (each.users > 0 || (tenant !== null && each.tenant !== tenant)) continue
      images.delete(key)
      arena.free(each.pieces)
    }
  }

  function placed(kept: Kept, { bytes, ...image }: MadeImage): Image {
    const content = new Uint8Array(bytes)
    const wanted = piecesFor(content.length)
    const isWithinShare = (): boolean => held(kept.tenant) + wanted <= piecesFor(limit) / 2
    makeRoom(kept.tenant, isWithinShare)
    if (isWithinShare()) makeRoom(null, () => arena.room() >= wanted)
    const pieces = isWithinShare() ? arena.keep(content) : null
    if (!pieces)
      throw temporarilyUnavailable(BUSY, { retryAfter: 1, detail: `images in use leave no room for ${wanted} pieces` })
    kept.pieces = pieces
    return { ...image, bytes: arena.bytes(), pieces }
  }

  function find(key: string, tenant: string, bundle: LoadableBundle): Kept {
    const found = images.get(key)
    const kept = found && found.until > performance.now() ? found : open(tenant, bundle)
    if (found && found !== kept && found.users === 0) arena.free(found.pieces)
    images.delete(key)
    images.set(key, kept)
    makeRoom(null, () => images.size <= MAX_CODES)
    return kept
  }

  async function ofPackages(tenant: string, bundle: LoadableBundle): Promise<Beginning> {
    const key = `${tenant} ${bundle.digest}`
    const kept = find(key, tenant, bundle)
    kept.users += 1
    const release = (): void => {
      kept.users -= 1
      if (kept.users === 0 && images.get(key) !== kept) arena.free(kept.pieces)
    }
    try {
      const image = await kept.made
      if (typeof image !== 'string') return { image, release }
      release()
      return { failure: image }
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

/** For one image that stays. */
function sharedOf(bytes: ArrayBuffer): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(shared).set(new Uint8Array(bytes))
  return shared
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
