// Compression for actions. What comes out is bounded, because a few bytes can expand to gigabytes.
import * as node from 'node:zlib'
import { given, LARGEST, refuse, whole } from './bounds.mjs'

const METHODS = {
  gzip: node.gzipSync,
  gunzip: node.gunzipSync,
  deflate: node.deflateSync,
  inflate: node.inflateSync,
  deflateRaw: node.deflateRawSync,
  inflateRaw: node.inflateRawSync,
  unzip: node.unzipSync,
  brotliCompress: node.brotliCompressSync,
  brotliDecompress: node.brotliDecompressSync,
}

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = node.constants
const MAX_LGWIN = 22
/** The best qualities of brotli take a second for each megabyte. */
const SMALL = 512 * 1024

export const zlib = {
  zlib({ method, level, windowBits, memLevel, strategy, params = {}, maxOutputLength = LARGEST }, bytes) {
    if (!Object.hasOwn(METHODS, method)) refuse(`there is no method ${method}`)
    const options = { maxOutputLength: whole(maxOutputLength, 'options.maxOutputLength', { min: 1, max: 2 ** 53 }) }
    options.maxOutputLength = Math.min(options.maxOutputLength, LARGEST)
    if (method.startsWith('brotli')) {
      const quality = params[BROTLI_PARAM_QUALITY] ?? 5
      const window = params[BROTLI_PARAM_LGWIN] ?? MAX_LGWIN
      if (method === 'brotliCompress')
        options.params = {
          [BROTLI_PARAM_QUALITY]: whole(quality, 'quality', { max: given(bytes).length > SMALL ? 9 : 11 }),
          [BROTLI_PARAM_LGWIN]: whole(window, 'lgwin', { min: 10, max: MAX_LGWIN }),
        }
    } else
      for (const [name, value] of Object.entries({ level, windowBits, memLevel, strategy }))
        if (value !== undefined) options[name] = whole(value, name, { min: -1, max: 15 })
    return METHODS[method](given(bytes), options)
  },
  'zlib.constants': () => ({ ...node.constants }),
  'zlib.crc32': ({ value = 0 }, bytes) => crc32(given(bytes), whole(value, 'value', { max: 0xffffffff })),
}

function crc32(bytes, value) {
  let crc = ~value
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
