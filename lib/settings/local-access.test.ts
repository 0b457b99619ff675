import { describe, expect, it } from 'vitest'
import { createLocalAccess, isLoopback } from './local-access'

const isLocal = createLocalAccess('https://id.test:8443', 3000)
const from = (host: string | undefined, ip = '127.0.0.1', more: Record<string, string> = {}) =>
  isLocal({ headers: { ...more, ...(host === undefined ? {} : { host }) }, ip })

describe('what is for the local machine only', () => {
  it.each(['id.test:8443', 'ID.test:8443', 'localhost:3000', 'localhost:8443', '127.0.0.1:3000', '[::1]:3000'])(
    'is shown at %s',
    (host) => {
      expect(from(host)).toBe(true)
      expect(from(host, '::1')).toBe(true)
    },
  )

  it.each([
    undefined,
    '',
    'evil.test:3000',
    'id.test',
    'id.test:3000',
    'localhost',
    'localhost:3001',
    'localhost:3000.evil.test',
    'localhost.evil.test:3000',
    '127.0.0.1.evil.test:3000',
    '127.0.0.2:3000',
    '0.0.0.0:3000',
    'localhost:3000@evil.test',
    'localhost:3000, evil.test',
  ])('is not there at %s', (host) => {
    expect(from(host)).toBe(false)
  })

  it('is not there for another machine, whatever its headers say', () => {
    for (const ip of ['192.168.1.9', '0.0.0.0', '203.0.113.9', '2001:db8::1', ''])
      expect(from('localhost:3000', ip)).toBe(false)
    expect(from('evil.test', '127.0.0.1', { 'x-forwarded-host': 'localhost:3000' })).toBe(false)
  })

  it('a local page needs no port where the address has none', () => {
    const plain = createLocalAccess('https://id.test', 3000)
    expect(plain({ headers: { host: 'id.test' }, ip: '127.0.0.1' })).toBe(true)
    expect(plain({ headers: { host: 'localhost' }, ip: '127.0.0.1' })).toBe(true)
  })
})

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})
