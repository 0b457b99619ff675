// Loaded before the server (--expose-gc --require): asked by a message, it collects all garbage and tells what is left. What
// a server holds on to can be told from what it has not collected yet by nothing else.
process.on('message', () => {
  const { rss } = process.memoryUsage()
  globalThis.gc()
  process.send({ rss, heap: process.memoryUsage().heapUsed })
})
process.channel.unref()
