// A TLS-terminating proxy with a throw-away authority, as in front of a server in production.
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from './certificates'

export type TlsFront = {
  /** The authority's certificate, for NODE_EXTRA_CA_CERTS. */
  caFile: string
  close(): Promise<void>
}

/** Listens on `port` for https and passes everything on to `target`, with the forwarding headers of a proxy. */
export async function startTlsFront(port: number, target: number): Promise<TlsFront> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-ca-'))
  const { ca, cert, key } = await makeCertificates()
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, ca)
  // A tool that computes for longer than the default would use a connection that was closed in the meantime.
  const server = createServer({ cert, key, keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    const { method, url, headers, socket } = incoming
    const forwarded = { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '', 'x-forwarded-proto': 'https' }
    const onward = request({ host: 'localhost', port: target, method, path: url, headers: forwarded }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return {
    caFile,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
