import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DeliveryError } from '../../data/outbox/message'
import { isAllowedAddress } from './outbound-guard'
import { postForm } from './post'

const STRICT = { allowLoopback: false, allowPrivate: false }
const DEMO = { allowLoopback: true, allowPrivate: false }
const OPEN = { allowLoopback: false, allowPrivate: true }

let server: Server
let base: string
const received: { path: string; body: string; type: string | undefined }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', body, type: request.headers['content-type'] })
      if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end()
      else if (request.url === '/busy') response.writeHead(429, { 'retry-after': '30' }).end()
      else if (request.url === '/endless') response.writeHead(200).write('x'.repeat(1_000_000))
      else if (request.url === '/hangup') request.socket.destroy()
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const failure = (address: string, policy = STRICT): Promise<unknown> =>
  postForm(address, { a: 'b' }, policy).catch((error: unknown) => error)

describe('a call to a registered address (threat-model.md SE8)', () => {
  it('posts a form and answers the status, reading nothing else', async () => {
    expect(await postForm(`${base}/out`, { logout_token: 'a.b&c' }, DEMO)).toEqual({ status: 204 })
    expect(received.at(-1)).toEqual({
      path: '/out',
      body: 'logout_token=a.b%26c',
      type: 'application/x-www-form-urlencoded',
    })
    expect(await postForm(`${base}/endless`, {}, DEMO)).toEqual({ status: 200 })
  })

  it('reads how long the server asks to wait', async () => {
    expect(await postForm(`${base}/busy`, {}, DEMO)).toEqual({ status: 429, retryAfter: '30' })
  })

  it('follows no redirect', async () => {
    expect(await postForm(`${base}/moved`, {}, DEMO)).toEqual({ status: 302 })
    expect(received.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  it('says by a code alone what went wrong', async () => {
    const error = await failure(`${base}/hangup`, DEMO)
    expect(error).toBeInstanceOf(DeliveryError)
    expect(error).toMatchObject({ permanent: false, reason: 'ECONNRESET' })
  })

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://100.64.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
  ])('never reaches %s', async (address) => {
    expect(await failure(address)).toMatchObject({ permanent: true, reason: 'EFORBIDDENADDRESS' })
  })

  it('judges what a name stands for, not the name', async () => {
    expect(await failure('https://localhost/')).toMatchObject({ permanent: true, reason: 'EFORBIDDENADDRESS' })
  })

  it('speaks plain http with this machine in demo mode alone, and where the operator allows it', async () => {
    expect(await failure(`${base}/out`)).toMatchObject({ permanent: true })
    expect(await failure('http://93.184.215.14/', DEMO)).toMatchObject({ permanent: true, reason: 'EPLAINHTTP' })
    expect(await postForm(`${base}/out`, {}, OPEN)).toEqual({ status: 204 })
  })

  it.each([
    ['93.184.215.14', true, true, true],
    ['2606:4700::1', true, true, true],
    ['127.0.0.1', false, true, true],
    ['10.1.2.3', false, false, true],
    ['fd00::1', false, false, true],
    ['169.254.169.254', false, false, false],
    ['0.0.0.0', false, false, false],
    ['224.0.0.1', false, false, false],
    ['255.255.255.255', false, false, false],
    ['64:ff9b::7f00:1', false, false, false],
    ['2002:7f00:1::', false, false, false],
  ])('%s is allowed: strictly %s, in demo mode %s, with private targets %s', (address, strict, demo, open) => {
    expect([STRICT, DEMO, OPEN].map((policy) => isAllowedAddress(address, policy))).toEqual([strict, demo, open])
  })
})
