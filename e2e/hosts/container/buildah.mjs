// buildah and podman with a separate image store in the temporary folder. Layers are plain folders, which every file system
// supports.
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const STORE = join(tmpdir(), 'latchkey-hosts-images')
const STORAGE = ['--root', join(STORE, 'root'), '--runroot', join(STORE, 'run'), '--storage-driver', 'vfs']
const SETTINGS = fileURLToPath(new URL('containers.conf', import.meta.url))

/** Runs a program to its end and returns its output. `input` is its standard input. */
export async function run(program, args, { input = '' } = {}) {
  const env = { ...process.env, CONTAINERS_CONF: SETTINGS }
  const running = execute(program, args, { maxBuffer: 1 << 28, env })
  // A program that reads no input may have ended before it is written.
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(input)
  return (await running).stdout
}

export const buildah = (...args) => run('buildah', [...STORAGE, ...args])

export const podman = (args, options) => run('podman', [...STORAGE, ...args], options)
