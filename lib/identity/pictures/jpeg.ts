// JPEG (ITU T.81): the segments that a decoder needs are copied, everything else is dropped: EXIF with its place and time, XMP, comments,
// thumbnails, colour profiles, and what follows the end of the picture. Of EXIF only the orientation stays, or photographs would lie on
// their side.
import type { PictureSize } from './picture-file'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const DQT = 0xdb
const DHT = 0xc4
const DRI = 0xdd
const APP1 = 0xe1
const APP14 = 0xee
/** Baseline, extended sequential, progressive: what browsers show. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])
/** A progressive picture has about ten; each costs a decoder a pass over the picture. */
const MAX_SCANS = 32

type Read = { kept: Uint8Array[]; size: PictureSize | null; orientation: number; scans: number }

/** Null for what is no JPEG that browsers show. */
export function cleanJpeg(file: Uint8Array): { size: PictureSize; bytes: Uint8Array } | null {
  const read: Read = { kept: [], size: null, orientation: 1, scans: 0 }
  if (file[0] !== 0xff || file[1] !== SOI) return null
  for (let at = 2; at < file.length; ) {
    if (file[at] !== 0xff) return null
    const marker = file[at + 1]
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) return read.size && read.scans > 0 ? { size: read.size, bytes: write(read) } : null
    const end = at + 2 + (((file[at + 2] ?? 0) << 8) | (file[at + 3] ?? 0))
    if (marker === undefined || end > file.length || end < at + 4) return null
    const next = marker === SOS ? endOfScan(file, end) : end
    if (!take(marker, file.subarray(at + 4, end), file.subarray(at, next), read)) return null
    at = next
  }
  return null
}

function take(marker: number, payload: Uint8Array, segment: Uint8Array, read: Read): boolean {
  if (FRAMES.has(marker)) {
    const size = read.size === null ? sizeIn(payload) : null
    if (!size) return false
    read.size = size
  } else if (marker === SOS) {
    read.scans += 1
    if (!read.size || read.scans > MAX_SCANS) return false
  } else if (marker === APP1) {
    read.orientation = orientationIn(payload) ?? read.orientation
    return true
  } else if (marker === APP14) {
    if (!isAdobe(payload)) return true
  } else if (marker === DQT) {
    if (!isQuantization(payload)) return false
  } else if (marker === DHT) {
    if (!isHuffman(payload)) return false
  } else if (marker === DRI) {
    if (payload.length !== 2) return false
  } else return isDropped(marker)
  read.kept.push(segment)
  return true
}

/** APPn and comments. Anything else belongs to processes that browsers do not decode. */
const isDropped = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe

/** Where the next marker begins: in entropy-coded data 0xff is followed by 0, or by a restart marker. */
function endOfScan(file: Uint8Array, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  return file.length
}

/** Eight bits a sample, grey or three colours. */
function sizeIn(frame: Uint8Array): PictureSize | null {
  const components = frame[5] ?? 0
  if (frame[0] !== 8 || (components !== 1 && components !== 3) || frame.length !== 6 + 3 * components) return null
  const view = viewOf(frame)
  return { height: view.getUint16(1), width: view.getUint16(3) }
}

/** Names the colours of a file without JFIF. */
const isAdobe = (payload: Uint8Array): boolean =>
  payload.length === 12 && Buffer.from(payload.subarray(0, 5)).toString('latin1') === 'Adobe'

/** Tables of 64 values of one or two bytes. */
function isQuantization(payload: Uint8Array): boolean {
  let at = 0
  while (at < payload.length) at += 1 + ((payload[at] ?? 0) >> 4 === 0 ? 64 : 128)
  return at === payload.length
}

/** Tables of sixteen counts, and as many values as they sum up to. */
function isHuffman(payload: Uint8Array): boolean {
  let at = 0
  while (at < payload.length) {
    const values = payload.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0)
    if (values > 256) return false
    at += 17 + values
  }
  return at === payload.length
}

const ORIENTATION = 0x0112
const SHORT = 3

/** Of the first directory of EXIF (TIFF 6.0); undefined if it says none. */
function orientationIn(payload: Uint8Array): number | undefined {
  const tiff = payload.subarray(6)
  if (Buffer.from(payload.subarray(0, 6)).toString('latin1') !== 'Exif\0\0' || tiff.length < 14) return undefined
  const view = viewOf(tiff)
  const isLittle = view.getUint16(0) === 0x4949
  const directory = view.getUint32(4, isLittle)
  if (directory + 2 > tiff.length) return undefined
  const count = view.getUint16(directory, isLittle)
  for (let at = directory + 2; at + 12 <= tiff.length && at < directory + 2 + count * 12; at += 12) {
    if (view.getUint16(at, isLittle) !== ORIENTATION || view.getUint16(at + 2, isLittle) !== SHORT) continue
    const value = view.getUint16(at + 8, isLittle)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

function write({ kept, orientation }: Read): Uint8Array {
  const exif = orientation === 1 ? [] : [exifOf(orientation)]
  return Buffer.concat([Buffer.of(0xff, SOI), ...exif, ...kept, Buffer.of(0xff, EOI)])
}

/** One directory with one entry. */
function exifOf(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  return Buffer.concat([
    Buffer.of(0xff, APP1, 0, 2 + 6 + tiff.length),
    Buffer.from('Exif\0\0', 'latin1'),
    Buffer.from(tiff),
  ])
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)
