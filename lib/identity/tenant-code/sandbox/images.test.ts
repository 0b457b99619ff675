// Which images are made, kept and given up (threat-model.md AC7).
import { describe, expect, it } from 'vitest'
import { createImages, type ImagesOptions } from './images'
import type { BuiltImage, Image, MadeImage } from './job'
import { addressOf, PIECE } from './pieces.mjs'

/** Each piece of the content has its own number. */
const imageOf = (pieces: number, mark = 1): MadeImage => {
  const bytes = new ArrayBuffer(pieces * PIECE)
  for (let at = 0; at < pieces; at += 1) new Uint8Array(bytes).fill(mark + at, at * PIECE, (at + 1) * PIECE)
  return { id: '', end: pieces, bytes, pointers: '' }
}
const bundle = (digest: string, pieces = 10) => ({ digest, code: async () => `${pieces}` })

/** Each image has as many pieces as its source says, and 100 fit. */
function images(more: Partial<ImagesOptions> = {}) {
  const made: string[] = []
  const make = async ({ tenant, base, source }: Parameters<ImagesOptions['make']>[0]): Promise<BuiltImage> => {
    made.push(base === null ? 'platform' : `${tenant} ${source}`)
    return { outcome: 'made', image: imageOf(base === null ? 1 : Number(source)), incomplete: false }
  }
  const all = createImages({ platform: import.meta.filename, make, limit: 100 * PIECE, ...more })
  async function begin(tenant: string, digest: string, pieces?: number) {
    const beginning = await all.of(tenant, { code: '', bundle: bundle(digest, pieces) })
    if ('failure' in beginning) throw new Error(beginning.failure)
    return beginning
  }
  return { ...all, made, begin, use: async (...of: Parameters<typeof begin>) => (await begin(...of)).release() }
}

describe('the images that runs begin in', () => {
  it('are the small one, until the code needs the large one, which is made once', async () => {
    const { of, enlarge, made } = images()
    const job = { code: 'fetch' }
    expect(await of('a', job)).toMatchObject({ image: null })
    enlarge(job)
    const [one, two] = await Promise.all([of('a', job), of('b', job)])
    expect(one).toMatchObject({ image: { end: 1 } })
    expect(one).toMatchObject({ image: 'image' in two ? two.image : 'none' })
    expect(await of('a', { code: 'other' })).toMatchObject({ image: null })
    expect(made).toEqual(['platform'])
  })

  it('are those of the packages, one for each tenant and digest', async () => {
    const { use, made } = images()
    await Promise.all([use('a', '1'), use('a', '1'), use('b', '1'), use('a', '2')])
    expect(made.sort()).toEqual(['a 10', 'a 10', 'b 10', 'platform'])
  })

  it('are given up beyond the limit, the least recently used one first', async () => {
    const { use, made } = images()
    for (const tenant of ['a', 'b', 'c']) await use(tenant, '1', 30)
    await use('a', '1', 30)
    await use('d', '1', 30)
    await use('a', '1', 30)
    expect(made).toEqual(['platform', 'a 30', 'b 30', 'c 30', 'd 30'])
    await use('b', '1', 30)
    expect(made.at(-1)).toBe('b 30')
  })

  it('of one tenant hold half of the limit, and those of others stay', async () => {
    const { use, made } = images()
    await use('b', '1', 40)
    for (const digest of ['1', '2', '3', '1']) await use('a', digest, 25)
    await use('b', '1', 40)
    expect(made).toEqual(['platform', 'b 40', 'a 25', 'a 25', 'a 25', 'a 25'])
  })

  it('stay while a run uses them; beyond that the answer is 503', async () => {
    const { begin, use, made } = images()
    const [one, two] = [await begin('a', '1', 25), await begin('a', '2', 25)]
    const busy = { code: 'temporarily_unavailable' }
    await expect(begin('a', '3', 1)).rejects.toMatchObject(busy)
    const others = await begin('b', '1', 50)
    await expect(begin('c', '1', 1)).rejects.toMatchObject(busy)
    one.release()
    await use('a', '3', 1)
    await use('a', '2', 25)
    others.release()
    two.release()
    expect(made).toEqual(['platform', 'a 25', 'a 25', 'a 1', 'b 50', 'c 1', 'a 1'])
  })

  it('have their content, also in pieces that others left', async () => {
    const { begin, use } = images({
      make: async ({ base, source }) => ({
        outcome: 'made',
        image: base ? imageOf(Number(source), Number(source)) : imageOf(1),
      }),
    })
    for (const tenant of ['a', 'b', 'c', 'd']) await use(tenant, '1', 20)
    await use('b', '1', 20)
    const [one, other] = [await begin('e', '1', 45), await begin('f', '1', 30)]
    for (const [{ image }, count] of [
      [one, 45],
      [other, 30],
    ] as const) {
      const memory = new Uint8Array(image?.bytes ?? new ArrayBuffer(0))
      const found = Array.from({ length: count }, (_, at) => memory[addressOf(image ?? {}, at * PIECE + at)])
      expect(found).toEqual(found.map((_, at) => count + at))
    }
    expect(new Set([...(one.image?.pieces ?? []), ...(other.image?.pieces ?? [])]).size).toBe(75)
  })

  it('images that are made again leave their room when the last run is over', async () => {
    const make = async ({ base, source }: { base: Image | null; source: string }): Promise<BuiltImage> => ({
      ...{ outcome: 'made', image: imageOf(base ? Number(source) : 1), incomplete: true },
    })
    const { begin } = images({ make, retryAfter: 0 })
    const first = await begin('a', '1', 40)
    const second = await begin('b', '1', 50)
    await expect(begin('a', '1', 40)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    first.release()
    const third = await begin('a', '2', 50)
    for (const each of [second, third]) each.release()
    for (let i = 0; i < 5; i += 1) (await begin('c', '1', 50)).release()
  })

  it('of one tenant are made one after the other, those of several side by side', async () => {
    const under: string[] = []
    let most = 0
    const make = async ({ tenant, base }: Parameters<ImagesOptions['make']>[0]): Promise<BuiltImage> => {
      if (base === null) return { outcome: 'made', image: imageOf(1) }
      under.push(tenant)
      most = Math.max(most, under.length)
      expect(under.filter((each) => each === tenant)).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, 5))
      under.splice(under.indexOf(tenant), 1)
      return { outcome: 'made', image: imageOf(1) }
    }
    const { use } = images({ make })
    await Promise.all([use('a', '1'), use('a', '2'), use('a', '3'), use('b', '1')])
    expect(most).toBe(2)
  })

  it.each([
    ['because the thread failed', null],
    ['because it failed', { outcome: 'broken' } as const],
  ])('an image that could not be made is made again after a time: %s', async (_, answer) => {
    const attempts = async (retryAfter: number) => {
      let count = 0
      const make = async ({ base }: { base: Image | null }): Promise<BuiltImage | null> => {
        if (base === null) return { outcome: 'made', image: imageOf(1) }
        count += 1
        return answer
      }
      const { of } = images({ make, retryAfter })
      for (let i = 0; i < 2; i += 1) {
        const beginning = await of('a', { code: '', bundle: bundle('1') })
        expect(beginning).toEqual({ failure: 'the packages of this action could not be loaded' })
      }
      return count
    }
    expect([await attempts(0), await attempts(60_000)]).toEqual([2, 1])
  })

  it('are made again after a refusal of the queue', async () => {
    let refusals = 2
    const make = async ({ base }: { base: Image | null }): Promise<BuiltImage> => {
      refusals -= 1
      if (refusals >= 0) throw new Error(base === null ? 'platform' : 'packages')
      refusals = base === null ? 1 : 0
      return { outcome: 'made', image: imageOf(1) }
    }
    const { begin } = images({ make })
    const outcomes: string[] = []
    for (let i = 0; i < 4; i += 1)
      outcomes.push(
        await begin('a', '1').then(
          () => 'made',
          ({ message }) => message,
        ),
      )
    expect(outcomes).toEqual(['platform', 'platform', 'packages', 'made'])
  })
})
