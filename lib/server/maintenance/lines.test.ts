import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeAsLines } from './lines'
import { createLogger } from './log'

const METHODS = ['debug', 'log', 'info', 'warn', 'error'] as const
const EVENTS = ['warning', 'uncaughtException'] as const

const methods = METHODS.map((name) => [name, console[name]] as const)
const listeners = EVENTS.map((name) => [name, process.listeners(name as 'warning')] as const)
let written: string[]

beforeEach(() => {
  written = []
  writeAsLines(createLogger('debug', { write: (line: string) => void written.push(line) }))
})
afterEach(() => {
  for (const [name, method] of methods) console[name] = method
  for (const [name, before] of listeners) {
    process.removeAllListeners(name)
    for (const listener of before) process.on(name as 'warning', listener as (warning: Error) => void)
  }
})

const records = () => written.map((line) => JSON.parse(line) as Record<string, unknown> & { err?: { stack: string } })

it('is one record for each call of console, at its level', () => {
  console.log('%s of\n%d', 'one', 2)
  console.warn(' \u001b[33m⚠\u001b[39m', 'careful')
  expect(records()).toEqual([
    { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'one of\n2' },
    { level: 'warn', time: expect.anything(), msg: 'careful' },
  ])
  expect(written.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
})

it('has the stack of an error in a field', () => {
  console.error(' ⨯', new TypeError('fetch failed'))
  console.error('failed to get it', new Error('reset'))
  expect(records()).toMatchObject([
    { level: 'error', msg: 'fetch failed', err: { type: 'TypeError', stack: expect.stringContaining('lines.test') } },
    { level: 'error', msg: 'failed to get it', err: { message: 'reset' } },
  ])
})

it('has the warnings of Node.js', async () => {
  process.emitWarning('This is old', 'DeprecationWarning')
  await expect.poll(records).toMatchObject([{ level: 'warn', msg: 'This is old', err: { type: 'DeprecationWarning' } }])
})
