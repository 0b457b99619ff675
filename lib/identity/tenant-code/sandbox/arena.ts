// The memory of images that come and go: they are lists of pieces of one memory. Memory that threads share is not freed in time, because no
// thread counts it as garbage of its own. What was never used of it is not resident.
import { once } from '../../../kernel/lazy'
import { PIECE } from './pieces.mjs'

export type Arena = {
  bytes(): SharedArrayBuffer
  /** In pieces. */
  room(): number
  /** Copies the content. Null if there is no room. */
  keep(content: Uint8Array): number[] | null
  free(pieces: readonly number[]): void
}

export const piecesFor = (bytes: number): number => Math.ceil(bytes / PIECE)

export function createArena(limit: number): Arena {
  const unused = Array.from({ length: Math.floor(limit / PIECE) }, (_, index) => index).reverse()
  const bytes = once(() => new SharedArrayBuffer(limit))
  return {
    bytes,
    room: () => unused.length,
    keep(content) {
      const count = piecesFor(content.length)
      if (count > unused.length) return null
      const pieces = unused.splice(-count).reverse()
      const memory = new Uint8Array(bytes())
      pieces.forEach((piece, index) => {
        memory.set(content.subarray(index * PIECE, (index + 1) * PIECE), piece * PIECE)
      })
      return pieces
    },
    free: (pieces) => void unused.push(...pieces),
  }
}
