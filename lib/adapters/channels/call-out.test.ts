import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCallOut } from './call-out'

const STRICT = { allowLoopback: false, allowPrivate: false }
const DEMO = { allowLoopback: true, allowPrivate: false }

let server: Server
let base: string
const paths: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(request.url ?? '')
    if (request.url === '/moved') response.writeHead(302, { location: `${base}/elsewhere` }).end('gone')
    else if (request.url === '/endless') stream(response)
    else if (request.url === '/silent') return
    else if (request.url === '/hangup') request.socket.destroy()
    else if (request.url === '/half') response.writeHead(200, { 'content-length': '100' }).end('half')
    else {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        response.writeHead(201, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ method: request.method, body, headers: request.headers }))
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function stream(response: import('node:http').ServerResponse): void {
  const more = (): void => {
    if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(more)
    else response.once('drain', more)
  }
  more()
}

const get = (address: string, policy = DEMO) => createCallOut(policy)(address, { method: 'GET', headers: {} })
const failure = (address: string, policy = DEMO): Promise<unknown> => get(address, policy).catch((error) => error)

describe('calling another server (threat-model.md SE8)', () => {
  it('sends the given request and returns the complete response', async () => {
    const answer = await createCallOut(DEMO)(`${base}/token`, {
      method: 'POST',
      headers: { authorization: 'Basic eA==', 'accept-encoding': 'gzip' },
      body: 'a=b',
    })
    expect(answer).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' } })
    const seen = JSON.parse(Buffer.from(answer.body).toString())
    expect(seen).toMatchObject({ method: 'POST', body: 'a=b' })
    expect(seen.headers).toMatchObject({
      authorization: 'Basic eA==',
      'user-agent': 'latchkey',
      'accept-encoding': 'identity',
    })
  })

  it('takes every name below localhost for this machine (RFC 6761), and no other name', async () => {
    const address = base.replace('127.0.0.1', 'acme.localhost')
    expect(await get(`${address}/token`)).toMatchObject({ status: 201 })
    expect(await failure(address, STRICT)).toMatchObject({ reason: 'EPLAINHTTP' })
    expect(await failure('https://acme.localhost/', STRICT)).toMatchObject({ reason: 'EFORBIDDENADDRESS' })
    expect(await failure('http://notlocalhost/')).toMatchObject({ reason: 'EPLAINHTTP' })
    expect(await failure('http://localhost.example/')).toMatchObject({ reason: 'EPLAINHTTP' })
  })

  it('follows no redirect', async () => {
    expect(await get(`${base}/moved`)).toMatchObject({ status: 302 })
    expect(paths).not.toContain('/elsewhere')
  })

  it('stops reading what is too large', async () => {
    expect(await failure(`${base}/endless`)).toMatchObject({ name: 'CallOutError', reason: 'ETOOLARGE' })
  })

  it.each(['/hangup', '/half'])('has no answer but a whole one: %s', async (path) => {
    expect(await failure(base + path)).toMatchObject({ name: 'CallOutError' })
  })

  it('has no answer of a server that keeps silent longer than the request may wait', async () => {
    const silent = createCallOut(DEMO)(`${base}/silent`, { method: 'GET', headers: {}, seconds: 0.05 })
    await expect(silent).rejects.toMatchObject({ name: 'CallOutError' })
  })

  it.each([
    ['https://169.254.169.254/latest/meta-data', 'EFORBIDDENADDRESS'],
    ['https://localhost/', 'EFORBIDDENADDRESS'],
    ['https://10.0.0.1/', 'EFORBIDDENADDRESS'],
    ['http://93.184.215.14/', 'EPLAINHTTP'],
    ['file:///etc/passwd', 'EUNKNOWNSCHEME'],
    ['no address', 'EUNKNOWNSCHEME'],
  ])('never reaches %s', async (address, reason) => {
    expect(await failure(address, STRICT)).toMatchObject({ reason })
  })
})
