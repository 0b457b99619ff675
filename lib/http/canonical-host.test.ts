import { describe, expect, it } from 'vitest'
import { canonicalAddress } from './canonical-host'

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
