import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ENDPOINTS } from '../endpoints/index'
import { isNextPath } from '../next/page-paths'
import { startLines } from './start-lines'

const appUrl = 'http://localhost:4000'
const printed = (demo: boolean, devOutbox = demo): string => startLines({ appUrl, demo, devOutbox }).join('\n')

it('leads to the console, the account portal and the reference, with who may enter', () => {
  expect(printed(true)).toContain(`${appUrl}/console  (ada@demo.test is the owner)`)
  expect(printed(false)).toContain(`${appUrl}/console  (administrators)`)
  for (const lines of [printed(true), printed(false)]) {
    expect(lines).toContain(`${appUrl}/account  (every user)`)
    expect(lines).toContain(`${appUrl}/reference  (everyone)`)
  }
})

it('names the demo, its people and the outbox only where they exist', () => {
  expect(printed(true)).toMatch(/\/demo\n.*\/dev\/outbox\n/)
  expect(printed(false)).not.toMatch(/demo|outbox/)
  expect(printed(false, true)).toContain(`${appUrl}/dev/outbox`)
})

it('names paths that exist', () => {
  const paths = Array.from(printed(true).matchAll(/^ {2}.*localhost:4000(\/\S+)/gm), ([, path = '']) => path)
  expect(paths).toHaveLength(7)
  for (const path of paths) expect(isNextPath(path) || path in ENDPOINTS, path).toBe(true)
})

it('names an account of the demo tenant', () => {
  const [account = ''] = /[a-z]+@[a-z.]+/.exec(printed(true)) ?? []
  expect(readFileSync('prisma/demo-tenant.yaml', 'utf8')).toContain(`email: ${account}`)
})
