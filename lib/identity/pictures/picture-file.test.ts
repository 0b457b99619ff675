// Which files are pictures, and what is left of them (threat-model.md PI2).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JPEG, png, pngChunk, TRANSPARENT_WEBP, WEBP } from '../../testing/pictures'
import { type CleanPicture, cleanPicture, MAX_PICTURE_BYTES, MAX_PICTURE_SIDE } from './picture-file'

const SECRET = 'GPS 52.5200 N <script>alert(1)</script>'

async function cleaned(file: Uint8Array): Promise<CleanPicture> {
  const picture = await cleanPicture(file)
  if (typeof picture === 'string') throw new Error(`refused: ${picture}`)
  return picture
}

const segment = (marker: number, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(0xff, marker, (payload.length + 2) >> 8, (payload.length + 2) & 0xff), payload])

/** The JPEG with segments after its start. */
const jpegWith = (...segments: Buffer[]): Buffer => Buffer.concat([JPEG.subarray(0, 2), ...segments, JPEG.subarray(2)])

function exif(orientation: number, order: 'II' | 'MM'): Buffer {
  const tiff = Buffer.alloc(26 + SECRET.length)
  tiff.write(order)
  const isLittle = order === 'II'
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const long = (value: number, at: number) => (isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at))
  short(42, 2)
  long(8, 4)
  short(1, 8)
  short(0x0112, 10)
  short(3, 12)
  long(1, 14)
  short(orientation, 18)
  tiff.write(SECRET, 26)
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]))
}

function riff(...chunks: [type: string, data: Uint8Array][]): Buffer {
  const parts = chunks.map(([type, data]) => {
    const head = Buffer.alloc(8, type)
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  })
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(12, 'RIFF....WEBP')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}
const LOSSY = WEBP.subarray(WEBP.indexOf('VP8 ') + 8)

describe('an accepted picture', () => {
  it.each([
    ['jpg', JPEG],
    ['webp', WEBP],
    ['webp', TRANSPARENT_WEBP],
    ['png', png()],
    ['png', png({ width: 5, height: 3, interlace: 1, pixels: Buffer.alloc(22) })],
  ] as const)('a picture is accepted, and unchanged when cleaned again: %s', async (extension, file) => {
    const once = await cleaned(file)
    expect(once.extension).toBe(extension)
    expect(await cleaned(once.bytes)).toEqual(once)
  })

  it.each([
    ['EXIF of a JPEG', jpegWith(exif(1, 'II'))],
    ['XMP of a JPEG', jpegWith(segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${SECRET}`)))],
    ['a comment of a JPEG', jpegWith(segment(0xfe, Buffer.from(SECRET)))],
    ['what follows a JPEG', Buffer.concat([JPEG, Buffer.from(SECRET)])],
    ['a text of a PNG', png({ before: [pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`))] })],
    ['EXIF of a PNG', png({ before: [pngChunk('eXIf', Buffer.from(SECRET))] })],
    ['what follows a PNG', png({ after: Buffer.from(SECRET) })],
    ['EXIF of a WebP', riff(['VP8 ', LOSSY], ['EXIF', Buffer.from(SECRET)], ['XMP ', Buffer.from(SECRET)])],
    ['what follows a WebP', Buffer.concat([WEBP, Buffer.from(SECRET)])],
  ])('a cleaned picture does not contain %s', async (_name, file) => {
    expect(file.includes(SECRET)).toBe(true)
    expect(Buffer.from((await cleaned(file)).bytes).includes(SECRET)).toBe(false)
  })

  it('a cleaned picture has no colour profile', async () => {
    for (const file of [JPEG, WEBP, TRANSPARENT_WEBP])
      expect(Buffer.from((await cleaned(file)).bytes).includes('Google')).toBe(false)
  })

  it.each(['II', 'MM'] as const)('a cleaned picture keeps the orientation of a photograph (%s)', async (order) => {
    const turned = await cleaned(jpegWith(exif(6, order)))
    expect((await cleaned(turned.bytes)).bytes).toEqual(turned.bytes)
    expect(turned.bytes).toHaveLength((await cleaned(JPEG)).bytes.length + 36)
    expect(Buffer.from(turned.bytes).readUInt8(31)).toBe(6)
  })
})

describe('a refused file', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('hello')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
    ['a GIF that goes on as a script', Buffer.from('GIF89a=1;alert(1)')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['an archive', Buffer.from('PK\x03\x04')],
    ['AVIF', Buffer.from('\0\0\0\x1cftypavif')],
    ['an animated PNG', png({ before: [pngChunk('acTL', Buffer.alloc(8))] })],
    ['a PNG with a critical chunk that is unknown', png({ before: [pngChunk('EVIL', Buffer.alloc(8))] })],
    [
      'a PNG with two palettes',
      png({ before: [pngChunk('PLTE', Buffer.alloc(3)), pngChunk('PLTE', Buffer.alloc(3))] }),
    ],
    ['a PNG with too few pixels', png({ pixels: Buffer.alloc(3) })],
    ['a PNG with too many pixels', png({ pixels: Buffer.alloc(100) })],
    ['a PNG whose end is missing', png().subarray(0, -12)],
    ['an animated WebP', riff(['VP8X', Buffer.alloc(10)], ['ANIM', Buffer.alloc(6)], ['ANMF', LOSSY])],
    ['a WebP with two pictures', riff(['VP8 ', LOSSY], ['VP8 ', LOSSY])],
    ['a WebP without a key frame', riff(['VP8 ', Buffer.alloc(20, 1)])],
    ['a WebP whose chunk is longer than the file', Buffer.concat([WEBP.subarray(0, 40)])],
    ['a JPEG whose end is missing', JPEG.subarray(0, -2)],
    ['a JPEG without a picture', Buffer.of(0xff, 0xd8, 0xff, 0xd9)],
    [
      'a JPEG with two frames',
      jpegWith(JPEG.subarray(JPEG.indexOf(Buffer.of(0xff, 0xc0)), JPEG.indexOf(Buffer.of(0xff, 0xc4)))),
    ],
    ['a JPEG with an arithmetic frame', Buffer.from(JPEG.toString('latin1').replace('\xff\xc0', '\xff\xc9'), 'latin1')],
    ['a JPEG with an invalid table', jpegWith(segment(0xdb, Buffer.from(SECRET)))],
    ['a JPEG with an invalid code table', jpegWith(segment(0xc4, Buffer.from(SECRET)))],
  ])('a file is refused as a picture: %s', async (_name, file) => {
    expect(await cleanPicture(file)).toBe('type')
  })

  it.each([
    ['more bytes', Buffer.concat([JPEG, Buffer.alloc(MAX_PICTURE_BYTES)])],
    ['more pixels, before they are decompressed', png({ width: MAX_PICTURE_SIDE + 1, pixels: Buffer.alloc(1) })],
    ['as many pixels as can be written', png({ width: 0x7fffffff, height: 0x7fffffff, pixels: Buffer.alloc(1) })],
    ['no pixels', png({ width: 0, pixels: Buffer.alloc(1) })],
  ])('a picture is refused if it has %s than it may have', async (_name, file) => {
    expect(await cleanPicture(file)).toBe('size')
  })

  it('a picture is refused if it has more scans than a browser should draw', async () => {
    const at = JPEG.indexOf(Buffer.of(0xff, 0xda))
    const scan = JPEG.subarray(at, -2)
    const file = Buffer.concat([JPEG.subarray(0, at), ...Array(40).fill(scan), JPEG.subarray(-2)])
    expect(await cleanPicture(file)).toBe('type')
  })
})

it('never fails on any file, and what it lets through stays as it is', async () => {
  const seeds = [JPEG, WEBP, TRANSPARENT_WEBP, png(), jpegWith(exif(6, 'II'))]
  const change = fc.record({ at: fc.nat(2000), bytes: fc.uint8Array({ maxLength: 8 }), cut: fc.nat(6) })
  const property = fc.asyncProperty(
    fc.constantFrom(...seeds),
    fc.array(change, { maxLength: 4 }),
    async (seed, changes) => {
      let file: Uint8Array = seed
      for (const { at, bytes, cut } of changes) {
        const place = at % (file.length + 1)
        file = Buffer.concat([file.subarray(0, place), bytes, file.subarray(place + cut)])
      }
      const picture = await cleanPicture(file)
      if (typeof picture !== 'string') expect(await cleanPicture(picture.bytes)).toEqual(picture)
    },
  )
  await fc.assert(property, { seed: 43, numRuns: 3000 })
})
