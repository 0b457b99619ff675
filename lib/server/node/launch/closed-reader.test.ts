import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

const STEP = new URL('./step.mjs', import.meta.url).href

/** Runs a script, whose reader closes after its first piece of output. */
async function read(script: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const [code, signal] = await once(child, 'close')
  return { code, signal, errors }
}

/** Writes until a write fails, then says so: the output behind a closed reader, without a race. */
const WRITES = `
const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve))
let failed = null
while (!failed) failed = (await write('a line of output\\n'.repeat(1000))) ?? null
`

it('a command whose reader closes ends by itself, without a word', async () => {
  const script = `import { launch } from '${STEP}'\nawait launch(async () => {${WRITES}\nprocess.exitCode = 7 })`
  expect(await read(script)).toEqual({ code: 7, signal: null, errors: '' })
})

it('a process without the handler dies of the closed pipe', async () => {
  expect((await read(`${WRITES}\nawait new Promise(setImmediate)`)).errors).toContain('EPIPE')
})
