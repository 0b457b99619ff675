// Child processes of the launchers.
import { spawn } from 'node:child_process'
import { root } from './root.mjs'

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
    // npm is a script there, which only a shell runs.
    shell: process.platform === 'win32' && program === 'npm',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** The end of what a program said, for a message. */
export const tail = (output, lines = 15) => output.trim().split('\n').slice(-lines).join('\n')
