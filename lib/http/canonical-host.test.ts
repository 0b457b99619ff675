import { describe, expect, it } from 'vitest'
import { canonicalAddress, otherAddress } from './canonical-host'

const at = (host: string | undefined, baseUrl = 'http://localhost:3000') =>
  canonicalAddress({ headers: { host }, path: '/u/login', search: 'state=a%2Fb' }, baseUrl)

describe('a page that is opened by another name of this machine', () => {
  it.each(['127.0.0.1:3000', '[::1]:3000', '127.8.9.1:3000', 'id.localhost:3000', 'localhost.:3000', '127.1:3000'])(
    'is led from %s to the public URL',
    (host) => {
      expect(at(host)).toBe('http://localhost:3000/u/login?state=a%2Fb')
    },
  )

  it('is led to the name that the public URL has', () => {
    expect(at('localhost:3000', 'http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000/u/login?state=a%2Fb')
    expect(at('id.example.com.', 'https://id.example.com')).toBe('https://id.example.com/u/login?state=a%2Fb')
  })

  it.each([
    ['the public URL', 'localhost:3000'],
    ['the public URL in capitals', 'LOCALHOST:3000'],
    ['another port, which may be that of a proxy', '127.0.0.1:4000'],
    ['another machine', '192.168.1.7:3000'],
    ['a name of another machine', 'evil.example:3000'],
    ['a name that begins like one', 'localhost.evil.example:3000'],
    ['credentials', 'localhost:3000@evil.example'],
    ['nothing', undefined],
    ['no host', 'a b'],
  ])('stays with %s', (_name, host) => {
    expect(at(host)).toBeNull()
  })

  it('stays where the public URL is that of no single machine', () => {
    expect(at('127.0.0.1', 'https://id.example.com')).toBeNull()
    expect(at('id.example.com:443', 'https://id.example.com')).toBeNull()
  })
})

describe('the address that a browser seems to have used', () => {
  const used = (headers: Record<string, string>) => otherAddress({ headers }, 'https://id.example.com')

  it.each([
    [{ host: 'id.example.com' }],
    [{ host: 'ID.example.com', 'x-forwarded-proto': 'https' }],
    [{ host: 'latchkey:3000', 'x-forwarded-host': 'id.example.com', 'x-forwarded-proto': 'https, http' }],
    [{}],
  ])('is the public URL with %o', (headers) => {
    expect(used(headers)).toBeNull()
  })

  it.each([
    ['a name', { host: 'other.example.com' }, 'https://other.example.com'],
    ['a port', { host: 'id.example.com:8443' }, 'https://id.example.com:8443'],
    ['a scheme', { host: 'id.example.com', 'x-forwarded-proto': 'http' }, 'http://id.example.com'],
    ['a proxy', { host: 'latchkey:3000', 'x-forwarded-host': '192.0.2.7' }, 'https://192.0.2.7'],
  ])('is another one by %s', (_what, headers, address) => {
    expect(used(headers)).toBe(address)
  })

  it('is bounded', () => {
    expect(used({ host: 'a'.repeat(5000) })).toHaveLength(300)
  })
})
