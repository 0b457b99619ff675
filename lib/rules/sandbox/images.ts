// Which image a run begins in: the small one of its thread, or the large one, once its code has used what only that has. The first slice
// that needs a large image makes it; it is kept for all threads.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { once } from '../../kernel/lazy'
import type { Image, Job, Large } from './job'

export type Images = {
  of(job: Pick<Job, 'code'>): { image: Image | null; large: Large | null }
  /** From now on, runs of this code begin in the large image. */
  enlarge(job: Pick<Job, 'code'>): void
  keep(image: Image): void
}

/** Of codes that are known to need the large image. */
const MAX_CODES = 1000

/** @param platform the file of the platform's interfaces (lib/node/platform.mjs) */
export function createImages(platform: string): Images {
  const source = once(() => readFileSync(platform, 'utf8'))
  const enlarged = new Set<string>()
  let large: Image | null = null
  return {
    of: ({ code }) =>
      enlarged.has(keyOf(code))
        ? { image: large, large: { platform: source(), bundle: null } }
        : { image: null, large: null },
    enlarge({ code }) {
      enlarged.add(keyOf(code))
      const [oldest = ''] = enlarged
      if (enlarged.size > MAX_CODES) enlarged.delete(oldest)
    },
    keep(image) {
      large ??= image
    },
  }
}

const keyOf = (code: string): string => createHash('sha256').update(code).digest('base64')
