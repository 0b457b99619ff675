// Runs the programs of the embedded PostgreSQL as its account, with an environment that leaks and inherits nothing.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Account } from './placement'

// NODE_ENV means nothing to PostgreSQL; Next's types make it part of every environment.
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin', NODE_ENV: 'production' } as const

/** To its end; answers the exit code and what it printed. */
export function runProgram(path: string, args: string[], account?: Account): Promise<{ code: number; output: string }> {
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
 * In a session of its own, so that Ctrl-C in the terminal reaches the server and not its database: the server must
 * finish its work before the database goes. Output goes to a file, which outlives us.
 */
export function startProgram(path: string, args: string[], log: number, account?: Account): ChildProcess {
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
