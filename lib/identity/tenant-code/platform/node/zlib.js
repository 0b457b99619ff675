// Compression by the host. A stream collects its input and makes its output at the end.

import { Buffer } from './buffer.js'
import { bufferFrom, callingBack, raw, received } from './bytes.js'

const METHODS = {
  gzip: 'Gzip',
  gunzip: 'Gunzip',
  deflate: 'Deflate',
  inflate: 'Inflate',
  deflateRaw: 'DeflateRaw',
  inflateRaw: 'InflateRaw',
  unzip: 'Unzip',
  brotliCompress: 'BrotliCompress',
  brotliDecompress: 'BrotliDecompress',
}

export function zlibOf(sys, Transform) {
  const run = (method, data, { level, windowBits, memLevel, strategy, params, maxOutputLength } = {}) =>
    received(
      sys.call(
        'zlib',
        { method, level, windowBits, memLevel, strategy, params, maxOutputLength },
        raw(bufferFrom(data, 'utf8', 'buffer')),
      ),
    )
  const constants = Object.freeze(sys.call('zlib.constants', {}))
  const module = {
    constants,
    codes: {},
    crc32: (data, value) => sys.call('zlib.crc32', { value }, raw(bufferFrom(data))),
  }
  for (const [method, name] of Object.entries(METHODS)) {
    const sync = (data, options) => run(method, data, options)
    module[`${method}Sync`] = sync
    module[method] = callingBack(sync)
    // A class that is also called without `new`.
    function Stream(options) {
      const parts = []
      const stream = new Transform({
        transform(chunk, encoding, done) {
          parts.push(bufferFrom(chunk, encoding))
          done()
        },
        flush(done) {
          try {
            done(null, run(method, Buffer.concat(parts), options))
          } catch (error) {
            done(error)
          }
        },
      })
      stream.close = (callback) => {
        stream.destroy()
        callback?.()
      }
      return stream
    }
    module[name] = Stream
    module[`create${name}`] = (options) => new Stream(options)
  }
  return Object.assign(module, constants)
}
