const CLOSED = new Set(['EPIPE', 'ERR_STREAM_DESTROYED'])

/**
 * A command whose reader closes, as `head` does, goes on to its end, so that its work is whole; what is left is not printed. Any
 * other failure of the output stays one.
 * @param {readonly NodeJS.WritableStream[]} streams
 */
export function outliveReader(streams) {
  for (const stream of streams) {
    stream.on('error', (error) => {
      if (!CLOSED.has(error.code)) throw error
    })
  }
}
