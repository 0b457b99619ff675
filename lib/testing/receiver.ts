// A service on this machine that accepts whatever is posted to it as JSON.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../kernel/json'

export type Receiver = { origin: string; close(): void }

export async function openReceiver(receive: (body: JsonObject) => void): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    receive(JSON.parse(Buffer.concat(parts).toString('utf8')))
    response.end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}
