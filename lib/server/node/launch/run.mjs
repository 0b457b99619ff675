// Child processes of the launchers.
import { spawn } from 'node:child_process'
import { root } from './root.mjs'
import { LaunchError } from './step.mjs'

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program to its end, its output kept. `env` is added to ours.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number, output: string }>}
 */
export const capture = (program, args, env = {}) => execute(program, args, env, ['ignore', 'pipe', 'pipe'])

/** The same, its output shown. @type {(...run: Parameters<typeof capture>) => Promise<number>} its exit code */
export const show = async (program, args, env = {}) => (await execute(program, args, env, 'inherit')).code

/**
 * Runs a program that has to succeed.
 * @param {string} failure what did not happen, and what helps; the end of the output follows it
 * @param {Parameters<typeof capture>} run
 */
export async function succeed(failure, ...run) {
  const { code, output } = await capture(...run).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    throw new LaunchError(`${run[0]} was not found: install it, then try again.`)
  })
  if (output.includes('ENOSPC')) throw new LaunchError('The disk is full: free some space and try again.')
  if (code !== 0) throw new LaunchError(`${failure}\n${output.trim().split('\n').slice(-30).join('\n')}`)
}

/** A launcher that receives a signal also ends its child processes. */
function execute(program, args, env, stdio) {
  // On Windows npm is a script, which requires a shell.
  const shell = process.platform === 'win32' && program === 'npm'
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio, shell })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const end = (signal) => {
    child.kill(signal)
    // Later, because other child processes get the signal too.
    setImmediate(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  for (const signal of ENDING) process.on(signal, end)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  }).finally(() => {
    for (const signal of ENDING) process.off(signal, end)
  })
}
