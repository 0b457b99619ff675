// WebP (RFC 9649): the picture and its transparency are copied; animations are refused, and metadata, colour profiles and unknown chunks
// are dropped.
import type { PictureSize } from './picture-file'

type Chunk = { type: string; data: Uint8Array }

const ALPHA = 0x10

/** Null for what is no still WebP. */
export function cleanWebp(file: Uint8Array): { size: PictureSize; bytes: Uint8Array } | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const chunks = chunksOf(bytes.subarray(12, 8 + bytes.readUInt32LE(4)))
  if (!chunks || chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) return null
  const pictures = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const alphas = chunks.filter(({ type }) => type === 'ALPH')
  const [picture] = pictures
  const size = picture ? sizeOf(picture) : null
  if (!picture || !size || pictures.length > 1 || alphas.length > 1) return null
  const [alpha] = picture.type === 'VP8 ' ? alphas : []
  return { size, bytes: write(alpha ? [extended(size), alpha, picture] : [picture]) }
}

/** Null if one does not end within the file. */
function chunksOf(body: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = 0; at + 8 <= body.length; ) {
    const end = at + 8 + body.readUInt32LE(at + 4)
    if (end > body.length) return null
    chunks.push({ type: body.toString('latin1', at, at + 4), data: body.subarray(at + 8, end) })
    at = end + (end % 2)
  }
  return chunks
}

const sizeOf = ({ type, data }: Chunk): PictureSize | null => (type === 'VP8L' ? losslessSize(data) : lossySize(data))

/** A key frame with its start code (RFC 6386, 9.1). */
function lossySize(data: Uint8Array): PictureSize | null {
  const frame = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (frame.length < 10 || (frame.readUInt8(0) & 1) !== 0 || frame.readUIntBE(3, 3) !== 0x9d012a) return null
  return { width: frame.readUInt16LE(6) & 0x3fff, height: frame.readUInt16LE(8) & 0x3fff }
}

function losslessSize(data: Uint8Array): PictureSize | null {
  const stream = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (stream.length < 5 || stream.readUInt8(0) !== 0x2f) return null
  const bits = stream.readUInt32LE(1)
  return bits >>> 29 === 0 ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null
}

function extended({ width, height }: PictureSize): Chunk {
  const data = Buffer.alloc(10)
  data.writeUInt8(ALPHA)
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { type: 'VP8X', data }
}

function write(chunks: readonly Chunk[]): Buffer {
  const body = Buffer.concat(
    chunks.flatMap(({ type, data }) => [head(type, data.length), data, Buffer.alloc(data.length % 2)]),
  )
  return Buffer.concat([head('RIFF', body.length + 4), Buffer.from('WEBP', 'latin1'), body])
}

function head(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(8, type, 'latin1')
  bytes.writeUInt32LE(length, 4)
  return bytes
}
