// A minimal load balancer: round robin over every instance whose /readyz succeeds, checked four times a second.
// - It retries only requests that it could not send because the connection failed. A request without a response is cut off,
//   since it may have taken effect.
// - Without a ready instance it uses any reachable one, as load balancers do, and passes its response on.
// - It has no response of its own: every status that a client sees is the server's.
import { createServer, request as open } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const CHECK_MS = 250
const CHECK_PATIENCE_MS = 2000
const UNSENT = new Set(['ECONNREFUSED'])

const isReady = (port) =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(CHECK_PATIENCE_MS) }).then(
    (answer) => answer.arrayBuffer().then(() => answer.ok),
    () => false,
  )

export async function startProxy(port, targets) {
  const backends = targets.map((target) => ({ port: target, ready: true }))
  let turn = 0
  let stopped = false

  /** Every backend once, ready ones first, starting with a different one each time. */
  function inTurn() {
    turn += 1
    const from = turn % backends.length
    const all = [...backends.slice(from), ...backends.slice(0, from)]
    return [...all.filter(({ ready }) => ready), ...all.filter(({ ready }) => !ready)]
  }

  function forward(incoming, outgoing, body, [backend, ...others]) {
    if (!backend) return outgoing.destroy()
    const headers = { ...incoming.headers, connection: 'close' }
    const options = { host: '127.0.0.1', port: backend.port, method: incoming.method, path: incoming.url, headers }
    const upstream = open({ ...options, agent: false }, (answer) => {
      const { connection, ...kept } = answer.headers
      outgoing.writeHead(answer.statusCode, kept)
      answer.on('error', () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    upstream.on('error', (error) => {
      if (!UNSENT.has(error.code) || outgoing.headersSent) return outgoing.destroy()
      backend.ready = false
      forward(incoming, outgoing, body, others)
    })
    upstream.end(body)
  }

  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => forward(incoming, outgoing, Buffer.concat(chunks), inTurn()))
  })
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening))

  async function watch(backend) {
    while (!stopped) {
      backend.ready = await isReady(backend.port)
      await sleep(CHECK_MS)
    }
  }
  const watching = backends.map(watch)

  return {
    async stop() {
      stopped = true
      await Promise.all(watching)
      server.closeAllConnections()
      server.close()
    },
  }
}
