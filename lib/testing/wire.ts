// A TCP proxy to a test's PostgreSQL that can go silent (connections stay open, no data passes) or be cut.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export type Wire = {
  /** The address of the database through the proxy. */
  url: string
  silence(): void
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function layWire(url: string): Promise<Wire> {
  const target = addressOf(new URL(url))
  const sockets = new Set<Socket>()
  let state: 'whole' | 'silent' | 'cut' = 'whole'
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (state === 'cut') return void near.destroy()
    const far = connect(target)
    keep(far)
    near.on('data', (bytes) => state === 'whole' && far.write(bytes)).on('close', () => far.destroy())
    far.on('data', (bytes) => state === 'whole' && near.write(bytes)).on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: throughPort(url, (server.address() as AddressInfo).port),
    silence() {
      state = 'silent'
    },
    cut() {
      state = 'cut'
      endAll()
    },
    mend() {
      state = 'whole'
    },
    async close() {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** PostgreSQL on a TCP port of this machine, or on a socket in a folder, as `?host=` names it. */
export function addressOf(url: URL): NetConnectOpts {
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port }
}

export function throughPort(url: string, port: number): string {
  const through = new URL(url)
  through.search = ''
  through.hostname = '127.0.0.1'
  through.port = String(port)
  return through.href
}
