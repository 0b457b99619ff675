// Runs the programs of the embedded PostgreSQL as its account, with a fixed environment that inherits nothing from this process.
import { type ChildProcess, spawn } from 'node:child_process'
import type { OsAccount } from './placement'

// PostgreSQL ignores NODE_ENV. Next's types require it in every environment.
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin', NODE_ENV: 'production' } as const

/** Runs a program to its end. Returns the exit code and the output. */
export function runProgram(
  path: string,
  args: string[],
  account?: OsAccount,
): Promise<{ code: number; output: string }> {
  const child = spawn(path, args, { ...account, cwd: '/', env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/**
 * Starts the program in its own session, so that Ctrl-C in the terminal reaches the server but not its database: the server must
 * finish its work before the database stops. The output goes to a file, which outlives this process.
 */
export function startProgram(path: string, args: string[], log: number, account?: OsAccount): ChildProcess {
  const child = spawn(path, args, {
    ...account,
    cwd: '/',
    env: ENVIRONMENT,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  return child
}
