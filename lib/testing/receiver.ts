// Services on this machine, for requests that leave the server.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../kernel/json'

export type Receiver = { origin: string; close(): void }

export type ServiceRequest = { method: string; path: string; headers: IncomingHttpHeaders; text: string }
export type ServiceAnswer = { status?: number; type?: string; text: string }

export async function openService(answer: (request: ServiceRequest) => ServiceAnswer): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url = '', headers } = request
    const {
      status = 200,
      type = 'application/json',
      text,
    } = answer({
      ...{ method, path: url, headers },
      text: Buffer.concat(parts).toString('utf8'),
    })
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

/** A service that accepts whatever is posted to it as JSON. */
export const openReceiver = (receive: (body: JsonObject) => void): Promise<Receiver> =>
  openService(({ text }) => {
    receive(JSON.parse(text))
    return { text: '{}' }
  })
