// Processes of a browser: started with a temporary home folder, which is deleted with them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Program = {
  /** The first match in the output. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  end(): Promise<void>
}

export const makeHome = (): Promise<string> => mkdtemp(join(tmpdir(), 'latchkey-browser-'))
export const removeHome = (home: string): Promise<void> => rm(home, { recursive: true, force: true, maxRetries: 5 })

export function startProgram(program: string, args: string[], variables: Record<string, string>): Program {
  const child = spawn(program, args, { env: { ...process.env, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return {
    says: (pattern) => firstMatch(child, pattern, () => output),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function firstMatch(child: ChildProcess, pattern: RegExp, output: () => string): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output())
    if (found) return found
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}:\n${output()}`)
    await Promise.race([once(child.stdout ?? child, 'data'), once(child.stderr ?? child, 'data'), once(child, 'exit')])
  }
}
