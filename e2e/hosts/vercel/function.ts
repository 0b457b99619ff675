// A function of Vercel's output as a separate folder, and its instances as processes: isolated, read-only, one request at a
// time, and frozen once all work after a response is done.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, link, lstat, mkdir, readFile, readlink, realpath, symlink } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { residentMb } from './resident'

export type FunctionConfig = { handler: string; useWebApi?: boolean; filePathMap?: Record<string, string> }
export type FunctionFolder = { name: string; folder: string; config: FunctionConfig; sizeMb: number }

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const CHECKOUT = here('../../../')

/** All files that the platform would upload for it, and no others. */
export async function layOut(source: string, project: string, target: string): Promise<FunctionFolder> {
  const real = await realpath(source)
  const config = JSON.parse(await readFile(join(real, '.vc-config.json'), 'utf8')) as FunctionConfig
  await cp(real, target, { recursive: true })
  let bytes = 0
  for (const [to, from] of Object.entries(config.filePathMap ?? {})) {
    const [path, file] = [join(target, to), join(project, from)]
    await mkdir(dirname(path), { recursive: true })
    const facts = await lstat(file)
    bytes += facts.size
    // A link refers to a package that is uploaded as well.
    if (facts.isSymbolicLink()) await symlink(await readlink(file), path)
    else await link(file, path).catch(() => cp(file, path))
  }
  await cp(here('bridge.cjs'), join(target, '___bridge.cjs'))
  return { name: real, folder: target, config, sizeMb: bytes / 1e6 }
}

export type Instance = {
  send(options: RequestOptions, body: Buffer): Promise<{ answer: IncomingMessage; content: Buffer }>
  /** Resolves when it is frozen, or at once. */
  rested(): Promise<void>
  residentMb(): number
  output(): string
  end(): Promise<void>
}

export async function startInstance(
  { folder, config }: FunctionFolder,
  settings: Record<string, string>,
): Promise<Instance> {
  const { handler, useWebApi } = config
  const node = [process.execPath, '--max-old-space-size=1536', '___bridge.cjs', JSON.stringify({ handler, useWebApi })]
  const child = spawn('unshare', ['--mount', 'sh', here('isolate.sh'), folder, CHECKOUT, ...node], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text))
  const { port } = await firstMessage(child, () => output)
  let resting: Promise<unknown> = Promise.resolve()
  return {
    async send(options, body) {
      child.kill('SIGCONT')
      const rested = once(child, 'message')
      const outgoing = request({ ...options, host: '127.0.0.1', port, agent: false })
      outgoing.end(body)
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
      const content = Buffer.concat(await answer.toArray())
      resting = rested.then(() => child.kill('SIGSTOP'))
      return { answer, content }
    },
    rested: () => resting.then(() => {}),
    residentMb: () => residentMb(child.pid ?? 0),
    output: () => output,
    async end() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function firstMessage(child: ChildProcess, output: () => string): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }))
    child.once('exit', (code) => reject(new Error(`the function ended with ${code}:\n${output()}`)))
  })
}
