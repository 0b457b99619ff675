// A separate Redis server for a test file, where Debian's package is installed (.ci/run installs it). It stores nothing on disk,
// and can be stopped, frozen and restarted on its port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { hasTool } from './tools'

const PATIENCE_MS = 30_000

export type TestRedis = {
  port: number
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Keeps the connections open and sends no answers until `thaw`. */
  freeze(): void
  thaw(): void
  /** Sends one command like redis-cli; returns the raw answer. */
  tell(...words: string[]): Promise<string>
  close(): Promise<void>
}

export const hasRedis = (): boolean => hasTool('redis-server')

/** `lines` belong to the configuration file, which sentinels rewrite. */
export async function testRedis(lines: string[] = [], mode: 'server' | 'sentinel' = 'server'): Promise<TestRedis> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-redis-'))
  const file = join(folder, 'redis.conf')
  const always = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`]
  const server = ['save ""', 'appendonly no']
  writeFileSync(file, [...always, ...(mode === 'server' ? server : []), ...lines].join('\n'))
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = spawn('redis-server', [file, ...(mode === 'sentinel' ? ['--sentinel'] : [])], { stdio: 'ignore' })
    await answering(port, child)
  }
  const stop = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    tell: (...words) => sendCommand(port, words),
    async close() {
      child?.kill('SIGCONT')
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (child.exitCode === null && performance.now() < deadline) {
    const answer = await sendCommand(port, ['PING']).catch(() => '')
    if (answer.includes('PONG')) return
    await sleep(50)
  }
  throw new Error('redis-server did not start')
}

async function sendCommand(port: number, words: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`)
    // A server that becomes a replica closes its connections, even with commands pending.
    const ended = once(socket, 'close').then(() => Promise.reject(new Error('no answer came')))
    ended.catch(() => {})
    const [answer] = (await Promise.race([once(socket, 'data'), ended])) as [Buffer]
    return answer.toString()
  } finally {
    socket.destroy()
  }
}
