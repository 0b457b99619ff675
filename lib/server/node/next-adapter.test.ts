// The bridge to the process in which Next runs, with a substitute process that reports the requests it receives.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, get, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../maintenance/log'
import { type NextAdapter, openNextAdapter } from './next-adapter'

/** Responds with the current request and all earlier ones; to /held not before a request for /release, which its own socket gets; to /partial and /torn in part, to /broken not at all. */
const PAGES = `
const { createServer } = require('node:http')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { socket } = JSON.parse(process.argv[2])
const seen = []
const held = []
let released = false
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => { body += chunk })
  request.on('end', () => {
    const { method, url, headers } = request
    seen.push({ method, url, headers, body })
    response.setHeader('connection', 'keep-alive')
    if (url === '/release') {
      released = true
      for (const each of held) each.end()
    }
    if (url === '/broken') request.socket.destroy()
    else if (url === '/partial' || url === '/torn') {
      response.write('[{')
      if (url === '/torn') setImmediate(() => request.socket.destroy())
    } else if (url === '/held' && !released) held.push(response)
    else response.end(JSON.stringify(seen))
  })
})
server.on('upgrade', (_request, socket) => socket.write('taken over'))
server.listen(socket, () => {
  writeFileSync(join(__dirname, 'socket'), socket)
  process.send('ready')
})
process.on('SIGTERM', () => process.exit())
`

let dir: string
let door: NextAdapter
let server: Server
/** How each request ended at the adapter: null, or its error. */
let ends: unknown[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'latchkey-door-'))
  await mkdir(join(dir, 'dist'))
  await writeFile(join(dir, 'dist', 'pages.js'), PAGES)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function open(dev = false): Promise<void> {
  await rm(join(dir, 'dist', 'socket'), { force: true })
  door = openNextAdapter({
    dir,
    dev,
    hostname: '127.0.0.1',
    port: 0,
    logLevel: 'error',
    variables: {},
    log: createLogger('fatal'),
  })
  server = createServer((incoming, outgoing) => {
    Promise.resolve(door.handle(incoming, outgoing)).then(
      () => ends.push(null),
      (error: unknown) => {
        ends.push(error)
        outgoing.destroy()
      },
    )
  })
  door.attach(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await door.close()
})

/**
 * Sends raw bytes over one connection, as an arbitrary client could, and returns the response: until the connection closes, or
 * until the response ends with `last` if it stays open. It waits for a slow start of the process.
 */
const send = (bytes: string, last?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      answer += chunk
      if (last !== undefined && answer.endsWith(last)) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

/** Lets the substitute process answer what it holds. */
async function release(): Promise<void> {
  await vi.waitUntil(() => existsSync(join(dir, 'dist', 'socket')), { timeout: 30_000 })
  const socketPath = await readFile(join(dir, 'dist', 'socket'), 'utf8')
  await new Promise<void>((resolve, reject) => {
    get({ socketPath, path: '/release' }, (answer) => answer.resume().on('end', resolve)).on('error', reject)
  })
}

type Seen = { method: string; url: string; headers: Record<string, string>; body: string }
const seenIn = (answer: string): Seen[] => JSON.parse(answer.slice(answer.indexOf('[{'), answer.lastIndexOf('}]') + 2))

const request = (lines: string[], body = ''): string => [...lines, '', body].join('\r\n')
const LAST_CHUNK = '0\r\n\r\n'
const ASK = request(['GET /asked HTTP/1.1', 'Host: a', 'Connection: close'])

describe('what reaches Next', () => {
  it('has the address of the socket, whatever the client says it is (threat-model.md RL3)', async () => {
    await open()
    const lie = ['X-Latchkey-Socket: 203.0.113.9', 'x-latchkey-SOCKET: 203.0.113.8']
    const [seen] = seenIn(
      await send(request(['GET / HTTP/1.1', 'Host: a', ...lie, 'Connection: close, x-latchkey-socket'])),
    )
    expect(seen?.headers).toMatchObject({ host: 'a', 'x-latchkey-socket': '127.0.0.1' })
  })

  it.each(['GET', 'DELETE', 'POST', 'OPTIONS'])(
    'is one request for one: the body of a %s is not a request of its own',
    async (method) => {
      await open()
      const inner = request(['GET /smuggled HTTP/1.1', 'Host: a', 'X-Latchkey-Socket: 203.0.113.9'])
      const chunks = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
      await send(
        request([`${method} /outer HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked', 'Connection: close'], chunks),
      )
      const seen = seenIn(await send(ASK))
      expect(seen.map(({ url }) => url)).toEqual(['/outer', '/asked'])
      expect(seen[0]?.body).toBe(inner)
    },
  )

  it('cannot be kept open: an upgrade is answered like any request', async () => {
    await open()
    const upgrade = ['GET /x HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket']
    const answer = await send(request(upgrade), LAST_CHUNK)
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
    expect(seenIn(answer)[0]?.headers).not.toHaveProperty('upgrade')
  })

  it('is a hundred requests at once at most; more are sent away with a word on when to come back (RE4)', async () => {
    await open()
    const first: string[] = []
    const requested = Array.from({ length: 102 }, async () => {
      const answer = await send(ASK.replace('/asked', '/held'))
      first.push(answer)
      return answer
    })
    await vi.waitUntil(() => first.length >= 2, { timeout: 30_000 })
    await release()
    const sentAway = (await Promise.all(requested)).filter((answer) => answer.startsWith('HTTP/1.1 503 '))
    expect(sentAway).toHaveLength(2)
    expect(sentAway[0]).toMatch(/retry-after: 2\r\n/i)
    expect(await send(ASK)).toMatch(/^HTTP\/1.1 200 /)
  })

  it('has not failed where the client has gone', async () => {
    await open()
    await send(ASK)
    ends = []
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
      socket.write(ASK.replace('/asked', '/held')),
    )
    let polls = 0
    await vi.waitUntil(async () => {
      polls += 1
      return seenIn(await send(ASK)).some(({ url }) => url === '/held')
    })
    socket.destroy()
    await send(ASK.replace('/asked', '/partial'), '[{\r\n')
    await vi.waitUntil(() => ends.length === polls + 2)
    expect(ends.filter((end) => end !== null)).toEqual([])
  })

  it.each(['/broken', '/torn'])('has failed where Next breaks the connection: %s', async (path) => {
    await open()
    ends = []
    await send(ASK.replace('/asked', path)).catch(() => {})
    await vi.waitUntil(() => ends.length === 1)
    expect(ends[0]).toBeInstanceOf(Error)
  })

  it('is one while developing, for the page that reloads itself', async () => {
    await open(true)
    const upgrade = ['GET /_next/hmr HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket']
    expect(await send(request(upgrade), 'taken over')).toBe('taken over')
  })
})
