// A process of a build: bounded in time, in what it prints and in what it writes to its folder, and ended with all that it started.
import { type ChildProcess, spawn } from 'node:child_process'
import { lstat, readdir } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

export type Program = {
  args: readonly string[]
  folder: string
  environment: Readonly<Record<string, string>>
  input?: string
  milliseconds: number
  /** Ends it; the promise rejects then. */
  signal?: AbortSignal | undefined
  /** What the folder may hold. */
  most?: typeof MAX_FOLDER
}

export type ProcessResult = { code: number | null; output: string; stopped: 'time' | 'size' | null }

const MAX_OUTPUT = 1024 * 1024
/** Of a tree of packages with npm's cache of it. */
const MAX_FOLDER = { bytes: 512 * 1024 * 1024, files: 60_000 }
const LOOK_MS = 500

/** Runs Node.js. Rejects where no process can be started. */
export function runNode({
  args,
  folder,
  environment,
  input,
  milliseconds,
  signal,
  most = MAX_FOLDER,
}: Program): Promise<ProcessResult> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    // Next's types require NODE_ENV in every environment.
    env: { ...environment } as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own, so that what it started ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  let stopped: ProcessResult['stopped'] = null
  const stop = (why: ProcessResult['stopped']): void => {
    stopped ??= why
    end(child)
  }
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_OUTPUT) stop('size')
    else chunks.push(chunk)
  })
  // A process that ended early does not read.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const late = setTimeout(() => stop('time'), milliseconds)
  const abort = (): void => end(child)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  const watch = watchFolder(folder, most, () => stop('size'))
  return new Promise<ProcessResult>((resolve, reject) => {
    child.on('spawn', () => yieldToLogins(child))
    child.on('error', reject)
    child.on('close', (code) => {
      end(child)
      if (signal?.aborted) reject(new Error('the build was stopped'))
      else resolve({ code, output: Buffer.concat(chunks).toString(), stopped })
    })
  }).finally(() => {
    clearTimeout(late)
    watch.close()
    signal?.removeEventListener('abort', abort)
  })
}

function end(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function yieldToLogins({ pid }: ChildProcess): void {
  try {
    setPriority(pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or the host permits no change.
  }
}

/** What a package unpacks to is known only when it is there. */
function watchFolder(folder: string, most: typeof MAX_FOLDER, full: () => void): { close(): void } {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    if (await isFull(folder, most)) full()
    if (!closed) timer = setTimeout(() => void look(), LOOK_MS)
  }
  timer = setTimeout(() => void look(), LOOK_MS)
  return {
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

/** Folders come and go while npm works: what has gone counts nothing. */
export async function isFull(folder: string, { bytes, files }: typeof MAX_FOLDER): Promise<boolean> {
  const left = { bytes, files }
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    left.files -= entries.length
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else left.bytes -= await lstat(path).then(sizeOf, () => 0)
    }
    if (left.files < 0 || left.bytes < 0) return true
  }
  return false
}

const sizeOf = ({ size }: { size: number }): number => size
