// The Node adapter's bridge to Next, which runs in a secondary process (docs/adr/0002): Next patches its process (dates, promises,
// asynchronous contexts) and takes memory, and every endpoint would pay for both.
// - The first request that needs Next starts the process, or `prepareSoon` does, for modes in which page requests are certain.
//   If the process has ended, the next request starts it again.
// - Load shedding: at most a hundred requests may be pending; further ones are refused at once (threat-model.md RE4).
// - The secondary process never outlives this one, and its socket is in a folder that no other account can enter.
// - An incoming request cannot become two requests at Next (request smuggling): a body keeps its framing, and only Next's own
//   development tools get a raw connection. This adapter states the peer address in a header (threat-model.md RL3).
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { STRICT_HEADERS } from '../../http/headers'
import type { LogLevel } from '../../settings/env'
import type { Logger } from '../maintenance/log'
import { SOCKET_HEADER } from '../next/address'
import type { NodeHandler } from './server'

export type NextAdapter = {
  handle: NodeHandler
  /** In development mode, passes the server's WebSockets to Next. */
  attach(server: Server): void
  /** Starts the process soon, if no request does so before. */
  prepareSoon(): void
  close(): Promise<void>
}

export type NextProcessOptions = {
  dir: string
  dev: boolean
  hostname: string
  port: number
  socket: string
  logLevel: LogLevel
}

type Options = Omit<NextProcessOptions, 'socket'> & {
  /** The settings with which Next opens its own tenant registry on the same database. */
  variables: Variables
  log: Logger
}

type Variables = Readonly<Record<string, string | undefined>>

type Running = { child: ChildProcess; folder: string; socket: string; agent: Agent; ready: Promise<void> }

const SOON_MS = 500
/** Bytes of the headers of an answer: a redirect may repeat what the request had, percent-encoded. */
const MAX_HEADERS = 64 * 1024
const MAX_UNDER_WAY = 100

export function openNextAdapter({ log, variables, ...options }: Options): NextAdapter {
  let running: Promise<Running> | undefined
  let waiting: NodeJS.Timeout | undefined
  let underWay = 0
  const open = async (): Promise<Running> => {
    clearTimeout(waiting)
    running ??= start(options, variables, () => {
      running = undefined
    })
    const opened = await running
    await opened.ready
    return opened
  }
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const opened = await open()
    try {
      await forward(incoming, outgoing, opened)
    } catch (error) {
      if (hasLeft(error, outgoing)) return
      // The process ended during this request; a new process can answer a request without a body.
      if (outgoing.headersSent || hasBody(incoming) || !(await hasEnded(opened))) throw error
      await forward(incoming, outgoing, await open())
    }
  }
  return {
    async handle(incoming, outgoing) {
      if (underWay >= MAX_UNDER_WAY) return sendAway(outgoing)
      underWay += 1
      await pass(incoming, outgoing).finally(() => {
        underWay -= 1
      })
    },
    attach(server) {
      if (!options.dev) return
      server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
        open().then(
          (opened) => tunnel(incoming, socket, head, opened),
          () => socket.destroy(),
        )
      })
    },
    prepareSoon() {
      waiting = setTimeout(() => {
        open().catch((error: unknown) => log.error({ err: error }, 'The pages that Next renders are not available.'))
      }, SOON_MS)
    },
    async close() {
      clearTimeout(waiting)
      await running?.then(stop, () => {})
    },
  }
}

async function start(
  options: Omit<NextProcessOptions, 'socket'>,
  variables: Variables,
  onEnd: () => void,
): Promise<Running> {
  const { fork } = await import('node:child_process')
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-pages-'))
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\${folder.split('\\').at(-1)}` : join(folder, 'socket')
  const child = fork(join(options.dir, 'dist', 'pages.js'), [JSON.stringify({ ...options, socket })], {
    env: { ...variables, NODE_ENV: options.dev ? 'development' : 'production' },
    execArgv: ['--enable-source-maps'],
  })
  const agent = new Agent({ keepAlive: true })
  child.once('exit', () => {
    onEnd()
    agent.destroy()
    void rm(folder, { recursive: true, force: true })
  })
  const ready = Promise.race([
    once(child, 'message').then(() => {}),
    once(child, 'exit').then(([code]) => {
      throw new Error(`Next ended with ${code} before it was ready`)
    }),
  ])
  ready.catch(() => {})
  return { child, folder, socket, agent, ready }
}

const DYING_MS = 1000

/** Whether the process has ended or is ending: its socket closes before the system reports the exit. */
async function hasEnded({ child }: Running): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(DYING_MS) })
  return exited.then(
    () => true,
    () => false,
  )
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function sendAway(outgoing: ServerResponse): void {
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  const headers = { ...STRICT_HEADERS, ...type, 'retry-after': '2', 'cache-control': 'no-store' }
  outgoing.writeHead(503, headers).end('The server is busy, try again shortly\n')
}

/** Forwards the request and Next's response. If the client disconnects, the request to Next is aborted. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse, { socket, agent }: Running): Promise<void> {
  const { method, url } = incoming
  const headers = headersFor(incoming)
  const forwarded = request({ socketPath: socket, agent, method, path: url, headers, maxHeaderSize: MAX_HEADERS })
  outgoing.once('close', () => forwarded.destroy())
  const answered = once(forwarded, 'response') as Promise<[IncomingMessage]>
  // A request without a body does not read from the client, so it can be sent again.
  const sent = hasBody(incoming) ? pipeline(incoming, forwarded) : forwarded.end()
  const [[answer]] = await Promise.all([answered, sent])
  outgoing.writeHead(answer.statusCode ?? 502, { ...STRICT_HEADERS, ...withoutHops(answer.headers) })
  await pipeline(answer, outgoing)
}

/** Whether the client has closed the connection: there is no one to answer, and nothing has failed here. */
const hasLeft = (error: unknown, { closed, headersSent }: ServerResponse): boolean =>
  headersSent ? error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' : closed

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const HOPS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

const withoutHops = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOPS.has(name)))

/** Without it, Node would write the body of a GET or DELETE unframed, and Next would parse the body as another request. */
const framing = ({ 'transfer-encoding': encoding }: IncomingHttpHeaders): IncomingHttpHeaders =>
  encoding === undefined ? {} : { 'transfer-encoding': 'chunked' }

const headersFor = ({ headers, socket }: IncomingMessage): IncomingHttpHeaders => ({
  ...withoutHops(headers),
  ...framing(headers),
  [SOCKET_HEADER]: socket.remoteAddress ?? '',
})

function tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer, { socket: path }: Running): void {
  const behind = connect(path, () => {
    const lines = incoming.rawHeaders.flatMap((text, i, all) => (i % 2 === 0 ? [`${text}: ${all[i + 1]}`] : []))
    behind.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    behind.write(head)
  })
  void pipeline(socket, behind).catch(() => {})
  void pipeline(behind, socket).catch(() => {})
}
