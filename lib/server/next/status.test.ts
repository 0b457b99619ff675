import { Agent, createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepResponses, setDocumentStatus } from './status'

let server: Server
let url: string

// Paths of pages: the edge, which another file of the worker may have put in front, takes the router's headers from all others.
beforeAll(async () => {
  keepResponses()
  server = createServer(async (request, response) => {
    await new Promise(setImmediate)
    if (request.url === '/console/missing') setDocumentStatus(404)
    if (request.url === '/console/late') response.write('begun')
    if (request.url === '/console/late') setDocumentStatus(404)
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  agent.destroy()
  server.close()
})

/** Two connections, so that each has many requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 2 })

const statusOf = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url + path, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', reject)
  })

it('a page sets the status of its own document, also beside other requests on the same connections', async () => {
  const requested = Array.from({ length: 20 }, (_, n) => statusOf(n % 2 === 0 ? '/console/missing' : '/console/there'))
  expect(await Promise.all(requested)).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 404 : 200)))
})

it('what scripts ask for keeps its status', async () => {
  expect(await statusOf('/console/missing', { rsc: '1' })).toBe(200)
  expect(await statusOf('/console/missing', { 'next-action': '0'.repeat(42) })).toBe(200)
})

it('an answer that has started keeps its status', async () => {
  expect(await statusOf('/console/late')).toBe(200)
})

it('outside a request, no status is set', () => {
  expect(() => setDocumentStatus(404)).not.toThrow()
})
