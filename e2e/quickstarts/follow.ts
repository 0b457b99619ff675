// Does what a page of docs/quickstarts says: writes its files, types its commands, compares their output.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Quickstart, Step } from './page'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PATIENCE_MS = 300_000

export type Running = { output(): string; hasEnded(): boolean }

/** Every command that was started, for `endAll()`: a test that reaches its limit of time does not come to its own end. */
const started = new Set<{ end(): Promise<void> }>()

export async function endAll(): Promise<void> {
  await Promise.all([...started].map((each) => each.end()))
  started.clear()
}

/** Writes the files and types the commands up to those that go on running, and starts these. */
export async function startApplication({ steps }: Quickstart, folder: string): Promise<Running> {
  const running: Running[] = []
  for (const step of steps.slice(0, lastServer(steps) + 1)) {
    if (step.kind === 'file') await writeTo(folder, step.name, step.text)
    else if (step.kind === 'commands') await type(step.text, folder)
    else if (step.kind === 'server') running.push(startIn(folder, step.text))
  }
  return {
    output: () => running.map((each) => each.output()).join('\n'),
    hasEnded: () => running.some((each) => each.hasEnded()),
  }
}

const lastServer = (steps: Step[]) => steps.findLastIndex(({ kind }) => kind === 'server')

/** In Latchkey's own folder. */
export const startLatchkey = (command: string): Running => startIn(ROOT, command)

/** Types the commands that come after the application runs, and returns what they printed beside what the page shows. */
export async function typeTheRest(
  { steps }: Quickstart,
  folder: string,
): Promise<{ printed: string[]; shown: string[] }> {
  const rest = steps.slice(lastServer(steps) + 1)
  const printed: string[] = []
  for (const step of rest) if (step.kind === 'commands') printed.push((await type(step.text, folder)).trim())
  return { printed, shown: rest.filter(isOutput).map(({ text }) => text.trim()) }
}

const isOutput = (step: Step) => step.kind === 'output'

async function writeTo(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function type(command: string, folder: string): Promise<string> {
  const child = shell(folder, `set -euo pipefail\n${command}`)
  const output = collectOutput(child)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`exit code ${code} of\n${command}\n${output()}`)
  return output()
}

/** Starts a command that goes on running, with the processes that it starts. */
function startIn(folder: string, command: string): Running {
  const child = shell(folder, command)
  const ended = once(child, 'exit')
  started.add({
    async end() {
      signal(child, 'SIGTERM')
      await ended
    },
  })
  return { output: collectOutput(child), hasEnded: () => child.exitCode !== null || child.signalCode !== null }
}

const shell = (folder: string, command: string): ChildProcess =>
  spawn('bash', ['-c', command], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: environment() })

const NOT_INHERITED = /^(LATCHKEY_|DATABASE_URL|REDIS_URL|SMTP_|APP_URL|PORT|NODE_ENV|FORCE_COLOR|npm_)/

/** The settings of this machine and of the tests must reach neither the application nor Latchkey. */
function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NG_CLI_ANALYTICS: 'false' }
  for (const name of Object.keys(env)) if (NOT_INHERITED.test(name)) delete env[name]
  return env
}

function collectOutput(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return () => output
}

/** To the whole group: `npx` starts the program as another process. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, name)
  } catch {
    // It has ended in the meantime.
  }
}

/** Waits until something answers at the address, whatever its status. */
export async function untilAnswers(address: string, { output, hasEnded }: Running): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline && !hasEnded()) {
    const answers = await fetch(address, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (answers) return
    await sleep(100)
  }
  throw new Error(`nothing answers at ${address}:\n${output()}`)
}
