// A load balancer as small as one can be: in turn to every instance whose /readyz says yes, asked four times a second.
// - It sends again only what was not sent: a connection that could not be opened. What was sent and not answered is cut off,
//   for it may have happened.
// - With no ready instance it asks any that can be reached, as balancers do; what those say is theirs.
// - It has no answer of its own: every status that a client sees is the server's.
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

  /** Every backend once, the ready ones first, beginning with another one each time. */
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
