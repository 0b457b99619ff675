// A customer's app, in a separate process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type AppProcess = { url: string; end(): Promise<void> }

/** `name` is a script of e2e/interop/apps, which prints `listening` when it is ready. Other output is shown if it does not. */
export async function startAppProcess(name: string, port: number, settings: object): Promise<AppProcess> {
  const script = fileURLToPath(new URL(`../apps/${name}`, import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ port, ...settings })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  await untilListening(child, name)
  return {
    url: `http://localhost:${port}`,
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Keeps reading its output: a full pipe would block the process. */
function untilListening(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const hear = (text: Buffer) => {
      output += String(text)
      if (output.includes('listening')) resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', () => reject(new Error(`${name} ended:\n${output}`)))
  })
}
