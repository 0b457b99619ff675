// A picture that a person uploads: a JPEG, PNG or WebP that does not move, of bounded size, without metadata (docs/adr/0043-uploaded-pictures.md,
// threat-model.md PI2). What comes out is built from the parts that a decoder needs, so a file that is a picture and something else at
// once is only a picture afterwards.
import { cleanJpeg } from './jpeg'
import { cleanPng } from './png'
import { cleanWebp } from './webp'

export type PictureSize = { width: number; height: number }

export const PICTURE_TYPES = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const
export type PictureExtension = keyof typeof PICTURE_TYPES

export const MAX_PICTURE_BYTES = 1024 * 1024
/** On each side. A page that lists users decodes many pictures, four bytes a pixel. */
export const MAX_PICTURE_SIDE = 2048

export type CleanPicture = { extension: PictureExtension; bytes: Uint8Array }

/** `type`: none of the formats, animated or broken. */
export type PictureRefusal = 'type' | 'size'

export async function cleanPicture(file: Uint8Array): Promise<CleanPicture | PictureRefusal> {
  if (file.length > MAX_PICTURE_BYTES) return 'size'
  const png = await cleanPng(file, fits)
  if (png === 'pixels') return 'size'
  if (png !== 'type') return bounded('png', png.bytes)
  for (const [extension, clean] of [
    ['jpg', cleanJpeg],
    ['webp', cleanWebp],
  ] as const) {
    const cleaned = clean(file)
    if (cleaned) return fits(cleaned.size) ? bounded(extension, cleaned.bytes) : 'size'
  }
  return 'type'
}

const fits = ({ width, height }: PictureSize): boolean =>
  Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_PICTURE_SIDE

/** Compressed anew, a picture may have become larger. */
const bounded = (extension: PictureExtension, bytes: Uint8Array): CleanPicture | PictureRefusal =>
  bytes.length <= 2 * MAX_PICTURE_BYTES ? { extension, bytes } : 'size'
