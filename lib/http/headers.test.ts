import { expect, it } from 'vitest'
import { transportSecurity } from './headers'

const hsts = (origin: string, subdomains = false): string | undefined => transportSecurity(origin, subdomains)[0]?.[1]

it('sets HSTS for the host alone, unless configured for subdomains', () => {
  expect(hsts('https://login.example.com')).toBe('max-age=31536000')
  expect(hsts('https://login.example.com', true)).toBe('max-age=31536000; includeSubDomains')
})

it.each([
  'http://login.example.com',
  'https://localhost:3000',
  'https://id.localhost',
  'https://127.0.0.1:3000',
  'https://127.9.9.9',
  'https://[::1]:3000',
])('sets no HSTS at %s', (origin) => {
  expect([hsts(origin), hsts(origin, true)]).toEqual([undefined, undefined])
})

it('binds a host that only begins like loopback', () => {
  expect(hsts('https://localhost.example.com')).toBe('max-age=31536000')
  expect(hsts('https://127.0.0.1.example.com')).toBe('max-age=31536000')
})
