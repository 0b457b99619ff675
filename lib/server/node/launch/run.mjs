// Child processes of the launchers.
import { spawn } from 'node:child_process'
import { root } from './root.mjs'

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program to its end, its output kept.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to ours
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture(program, args, env = {}) {
  return execute(program, args, env, ['ignore', 'pipe', 'pipe'])
}

/**
 * Runs a program to its end, its output shown.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to ours
 * @returns {Promise<number>} its exit code
 */
export async function show(program, args, env = {}) {
  return (await execute(program, args, env, 'inherit')).code
}

function execute(program, args, env, stdio) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio,
    // On Windows npm is a script, which requires a shell.
    shell: process.platform === 'win32' && program === 'npm',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const letGo = endWithUs(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  }).finally(letGo)
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** A launcher that receives a signal also ends its child processes. */
function endWithUs(child) {
  if (running.size === 0) for (const signal of ENDING) process.on(signal, endAll)
  running.add(child)
  return () => {
    running.delete(child)
    if (running.size === 0) for (const signal of ENDING) process.off(signal, endAll)
  }
}

function endAll(signal) {
  for (const child of running) child.kill(signal)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

/** The last lines of a program's output, for an error message. */
export const tail = (output, lines = 15) => output.trim().split('\n').slice(-lines).join('\n')
