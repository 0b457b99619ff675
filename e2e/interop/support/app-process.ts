// A customer's app, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type AppProcess = { url: string; end(): Promise<void> }

/** `name` is a script of e2e/interop/apps, which says `listening` when it does. */
export async function startAppProcess(name: string, port: number, settings: object): Promise<AppProcess> {
  const script = fileURLToPath(new URL(`../apps/${name}`, import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ port, ...settings })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilListening(child, name)
  return {
    url: `http://localhost:${port}`,
    async end() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilListening(child: ChildProcess, name: string): Promise<void> {
  let output = ''
  for await (const text of child.stdout ?? []) {
    output += String(text)
    if (output.includes('listening')) return
  }
  throw new Error(`${name} did not start:\n${output}`)
}
