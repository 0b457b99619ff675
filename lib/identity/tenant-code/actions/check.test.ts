// What the check says of a module is what the sandbox does with it.
import { afterAll, describe, expect, it } from 'vitest'
import { actionBench, loginEvent } from '../../../testing/actions'
import { ABSENT, PRESENT } from '../platform/names'
import { whyNotRunnable } from './check'

const bench = actionBench()
afterAll(() => bench.close())

const codeOf = (name: string): string => `const it = require('${name}'); exports.onExecutePostLogin = async () => {}`
const checked = (name: string) => whyNotRunnable({ code: codeOf(name), trigger: 'post-login', dependencies: [] })

async function outcomeOf(name: string): Promise<unknown> {
  const engine = bench.engine({ code: codeOf(name) })
  await engine.run('post-login', loginEvent())
  return engine.records[0]?.outcome
}

describe('a module of Node.js', () => {
  it.each(PRESENT)('%s is there', async (name) => {
    expect([checked(name), await outcomeOf(name)]).toEqual([null, 'ok'])
  })

  it.each([...Object.keys(ABSENT), 'axios', './file'])('%s is not there, and says so before', async (name) => {
    expect(checked(name)).toContain(`requires ${name} (`)
    expect(await outcomeOf(name)).toBe('threw')
  })

  it('has a second name', async () => {
    expect([checked('node:crypto'), await outcomeOf('node:crypto')]).toEqual([null, 'ok'])
    expect(checked('node:fs')).toBe('requires node:fs (actions have no file system)')
  })

  it('does not exist under a name that every object has', () => {
    expect(checked('node:constructor')).toContain('it is no module of Node.js')
  })

  it('is no dependency where the host has it in place of a package', () => {
    const code = codeOf('bcryptjs')
    expect(whyNotRunnable({ code, trigger: 'post-login', dependencies: [{ name: 'bcryptjs' }] })).toBeNull()
  })
})

describe('a package', () => {
  const check = (code: string, ...dependencies: string[]) =>
    whyNotRunnable({ code: codeOf(code), trigger: 'post-login', dependencies: dependencies.map((name) => ({ name })) })

  it('is there with its modules where the action declares it', () => {
    expect(check('axios', 'axios')).toBeNull()
    expect(check('date-fns/format', 'date-fns')).toBeNull()
    expect(check('@panva/hkdf', '@panva/hkdf')).toBeNull()
  })

  it('is named where the action does not', () => {
    for (const name of ['axios', 'axios/lib', '@panva/hkdf'])
      expect(check(name, 'axi', '@panva/other')).toContain(`requires ${name} (`)
  })
})
