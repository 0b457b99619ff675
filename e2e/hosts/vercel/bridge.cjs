// Runs in the process of one function instance: receives requests from the router, calls the handler as the platform does, and
// reports when all work that may follow a response is done (`waitUntil`). The router then freezes the process.
const { AsyncLocalStorage } = require('node:async_hooks')
const { createServer } = require('node:http')
const { join } = require('node:path')

const { handler: file, useWebApi } = JSON.parse(process.argv[2])
const contexts = new AsyncLocalStorage()
globalThis[Symbol.for('@vercel/request-context')] = { get: () => contexts.getStore() }
const loaded = require(join(process.cwd(), file))

async function callWebHandler(handler, incoming, outgoing) {
  const url = `http://${incoming.headers.host}${incoming.url}`
  const answer = await handler(new Request(url, { method: incoming.method, headers: incoming.headers }))
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value)
  if (answer.headers.getSetCookie().length > 0) outgoing.setHeader('set-cookie', answer.headers.getSetCookie())
  outgoing.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
}

const server = createServer((incoming, outgoing) => {
  const waiting = []
  const answered = new Promise((resolve) => outgoing.once('close', resolve))
  const context = { headers: incoming.headers, url: incoming.url, waitUntil: (work) => void waiting.push(work) }
  const handled = contexts.run(context, async () => {
    const handler = (await loaded).default ?? (await loaded)
    return useWebApi ? callWebHandler(handler, incoming, outgoing) : handler(incoming, outgoing)
  })
  handled.catch((error) => {
    console.error(error)
    outgoing.writeHead(500).end()
  })
  void answered.then(async () => {
    await handled.catch(() => {})
    // Such work may register more.
    while (waiting.length > 0) await Promise.allSettled(waiting.splice(0))
    process.send({ rested: true })
  })
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
