// The database under an address that does not look like this machine's, as a database on another machine has: to the product it is
// then a second source of time, and its clock is not stepped.
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Undefined on a machine without a network. */
export async function startRelay(url) {
  const host = Object.values(networkInterfaces())
    .flat()
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address
  if (host === undefined) return undefined
  const relayed = new URL(url)
  const target = targetOf(relayed)
  const open = new Set()
  const server = createServer((incoming) => {
    const outgoing = connect(target)
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise((listening) => server.listen(0, host, listening))
  relayed.hostname = host
  relayed.port = String(server.address().port)
  relayed.searchParams.delete('host')
  return {
    url: relayed.href,
    async stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** The embedded database listens on a socket in the folder that `host` names, where there are such sockets. */
function targetOf({ hostname, port, searchParams }) {
  const folder = searchParams.get('host')
  return folder === null ? { host: hostname, port: Number(port) } : { path: `${folder}/.s.PGSQL.${port || 5432}` }
}
