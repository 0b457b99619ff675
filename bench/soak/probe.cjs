// Loaded before the server (--expose-gc --require): on a message it collects all garbage and reports the remaining heap. Only
// this distinguishes memory that the server holds from memory that is not collected yet.
process.on('message', () => {
  const { rss } = process.memoryUsage()
  globalThis.gc()
  process.send({ rss, heap: process.memoryUsage().heapUsed })
})
process.channel.unref()
