// Requests of actions to the tenant itself, which a test server answers without a socket.
import { Readable } from 'node:stream'
import type { Exchanged, ExchangeRequest } from '../identity/tenant-code/services/exchange'
import type { TestServer } from './server'

export const OWN_HOST = 'id.test'

export async function ownAnswer(
  url: URL,
  { method, headers, body }: ExchangeRequest,
  server: Pick<TestServer, 'browser'>,
): Promise<Exchanged> {
  const { host: _host, ...own } = headers
  const answer = await server
    .browser({ described: false })
    .send(method, url.pathname + url.search, { headers: own, ...(body ? { body } : {}) })
  return exchanged(answer.status, [...answer.headers] as [string, string][], answer.text)
}

export const exchanged = (status: number, headers: [string, string][], text: string): Exchanged => ({
  ...{ status, statusText: '', headers: headers.filter(([name]) => !/^content-(encoding|length)$/i.test(name)) },
  body: Readable.from([Buffer.from(text)]),
})
