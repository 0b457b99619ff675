// The server as an operator runs it: a separate process, from the build, configured by its environment only.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../lib/testing/free-port.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NEXT = 'node_modules/next/dist/bin/next'
const PATIENCE_MS = 240_000

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type ServerProcess = {
  /** The address it listens on, whatever its public URL. */
  url: string
  port: number
  pid: number
  output(): string
  /** Sends the signal and waits until the process has exited. */
  end(signal: NodeJS.Signals): Promise<Ending>
}

export type Settings = Record<string, string>

/** Resolves when the server reports ready. */
export async function startServer(settings: Settings, port?: number, folder?: string): Promise<ServerProcess> {
  const chosen = port ?? (await freePort())
  return whenReady(launch(settings, chosen, folder), chosen)
}

/** The same as `npm start` does it, which would print two lines of its own. */
export const startLauncher = (settings: Settings, port: number): Promise<ServerProcess> =>
  whenReady(run(['lib/server/node/start.mjs'], settings), port)

/** The same with Next only, without server.ts. */
export const startNext = (settings: Settings, port: number): Promise<ServerProcess> =>
  whenReady(launchNext(settings, port), port)

async function whenReady(child: Running, chosen: number): Promise<ServerProcess> {
  const url = `http://localhost:${chosen}`
  await untilReady(url, child)
  return { url, port: chosen, pid: child.process.pid ?? 0, output: child.output, end: child.end }
}

/** Starts this build or that of another folder, without waiting: one process, which a signal reaches alone, unless a setting says more. */
export const launch = (settings: Settings, port: number, folder?: string): Running =>
  run(['dist/server.js'], { PORT: String(port), LATCHKEY_LOG_LEVEL: 'warn', ...settings }, folder)

/** Next would close idle connections after five seconds; a busy machine is slower than that. */
export const launchNext = (settings: Settings, port: number): Running =>
  run([NEXT, 'start', '--port', String(port), '--keepAliveTimeout', '65000'], {
    NEXT_TELEMETRY_DISABLED: '1',
    ...settings,
  })

/** The exit code and the complete output of a process that exits by itself; the end of the output may follow the exit. */
export async function outcomeOf(child: Running): Promise<{ code: number | null; output: string }> {
  const [code] = await once(child.process, 'close')
  return { code, output: child.output() }
}

/** Runs one of the operator's commands to its end; returns its output. */
export async function runCommand(args: string[], settings: Settings): Promise<string> {
  const { code, output } = await outcomeOf(run(['dist/cli.js', ...args], settings))
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}

type Running = {
  process: ChildProcess
  ended: Promise<Ending>
  output(): string
  end(signal: NodeJS.Signals): Promise<Ending>
}

const OURS = /^(LATCHKEY_|DATABASE_URL|REDIS_URL|SMTP_|APP_URL|PORT)/

/** The machine's own settings must not reach the server. */
function run(args: string[], settings: Settings, folder = ROOT): Running {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  const child = spawn(process.execPath, ['--enable-source-maps', ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Ending)
  return {
    process: child,
    ended,
    output: () => output,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

async function untilReady(url: string, { process: child, output }: Running): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server did not start:\n${output()}`)
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await sleep(50)
  }
  child.kill('SIGKILL')
  throw new Error(`the server was not ready in time:\n${output()}`)
}
