// PNG (third edition): the pixels are decompressed and compressed anew, off the event loop, and every chunk that only describes them is
// dropped: texts, times, EXIF, colour profiles. So nothing of the file is left but the picture.
import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'
import type { PictureSize } from './picture-file'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Bits of one pixel by colour type, for one bit of depth; and the depths it may have. */
const COLOURS: Readonly<Record<number, { channels: number; depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}

/** Needed to show the pixels, with the largest size. */
const KEPT: Readonly<Record<string, number>> = { PLTE: 768, tRNS: 256, gAMA: 4, sRGB: 1 }

type Chunk = { type: string; data: Uint8Array }
type Header = PictureSize & { bits: number; isInterlaced: boolean }

export type PngRefusal = 'type' | 'pixels'

/** `fits` is asked before anything is decompressed. */
export async function cleanPng(
  file: Uint8Array,
  fits: (size: PictureSize) => boolean,
): Promise<{ size: PictureSize; bytes: Uint8Array } | PngRefusal> {
  const chunks = chunksOf(file)
  const [first, ...rest] = chunks ?? []
  const header = first?.type === 'IHDR' ? headerIn(first.data) : null
  if (!first || !header || !rest.every(isShown)) return 'type'
  const { width, height } = header
  if (!fits({ width, height })) return 'pixels'
  const pixels = await pixelsIn(rest, bytesOfPixels(header))
  if (!pixels) return 'type'
  const before = rest.slice(
    0,
    rest.findIndex(({ type }) => type === 'IDAT'),
  )
  const kept = before.filter(({ type }) => Object.hasOwn(KEPT, type))
  if (new Set(kept.map(({ type }) => type)).size !== kept.length) return 'type'
  const chunked = [first, ...kept, { type: 'IDAT', data: pixels }, { type: 'IEND', data: new Uint8Array() }]
  return { size: { width, height }, bytes: Buffer.concat([SIGNATURE, ...chunked.map(write)]) }
}

/** All chunks up to the last one; null if one is broken or the last one is missing. */
function chunksOf(file: Uint8Array): Chunk[] | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return null
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) return null
    const type = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, end)
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null
    if (type === 'IEND') return chunks
    chunks.push({ type, data })
    at = end + 4
  }
  return null
}

/** `acTL` makes it an animation; a capital first letter says that a decoder must know the chunk. */
const isShown = ({ type, data }: Chunk): boolean =>
  type !== 'acTL' &&
  (/^[a-z]/.test(type) || type === 'PLTE' || type === 'IDAT') &&
  data.length <= (KEPT[type] ?? Infinity)

function headerIn(data: Uint8Array): Header | null {
  if (data.length !== 13) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [depth = 0, colour = 0, compression, filter, interlace = 2] = data.subarray(8)
  const known = COLOURS[colour]
  if (!known?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return null
  const size = { width: view.getUint32(0), height: view.getUint32(4) }
  return { ...size, bits: known.channels * depth, isInterlaced: interlace === 1 }
}

/** The passes of Adam7: where each begins, and its steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Each row begins with the byte of its filter. */
function bytesOfPixels({ width, height, bits, isInterlaced }: Header): number {
  const passes = isInterlaced ? PASSES : [[0, 0, 1, 1] as const]
  return passes.reduce((sum, [x, y, dx, dy]) => {
    const columns = Math.ceil((width - x) / dx)
    const rows = Math.ceil((height - y) / dy)
    return columns > 0 && rows > 0 ? sum + rows * (1 + Math.ceil((columns * bits) / 8)) : sum
  }, 0)
}

/** Compressed again; null if they are not as many as the header says. */
async function pixelsIn(chunks: readonly Chunk[], length: number): Promise<Uint8Array | null> {
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((each) => each.data))
  const pixels = await promisify(inflate)(data, { maxOutputLength: length }).catch(() => null)
  return pixels?.length === length ? promisify(deflate)(pixels) : null
}

function write({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(data.length)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}
