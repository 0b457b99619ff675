import { describe, expect, it } from 'vitest'
import { readOutboundProxy } from './outbound-proxy'

const read = (given: Record<string, string>) => readOutboundProxy(given, false)

describe('the proxy of the environment', () => {
  it.each([
    [{ HTTPS_PROXY: 'http://p.test:3128' }, 'http://p.test:3128/', undefined],
    [{ https_proxy: 'http://p.test:3128', HTTPS_PROXY: 'http://other.test' }, 'http://p.test:3128/', undefined],
    [{ HTTPS_PROXY: 'p.test:3128' }, 'http://p.test:3128/', undefined],
    [{ HTTPS_PROXY: 'https://u:p%40ss@p.test' }, 'https://u:p%40ss@p.test/', undefined],
    [{ HTTP_PROXY: 'http://p.test' }, undefined, 'http://p.test/'],
    [{ ALL_PROXY: 'http://p.test' }, 'http://p.test/', 'http://p.test/'],
    [{ all_proxy: 'http://all.test', http_proxy: 'http://p.test' }, 'http://all.test/', 'http://p.test/'],
    [{ HTTPS_PROXY: 'http://[fd00::1]:3128' }, 'http://[fd00::1]:3128/', undefined],
  ])('is read from %j', (given, https, http) => {
    expect(read(given)).toEqual({ proxy: { https, http, exceptions: [], resolves: false }, problems: [] })
  })

  it('has exceptions in lower case, divided by commas or blanks', () => {
    const given = { HTTPS_PROXY: 'http://p.test', NO_PROXY: 'Localhost, .Svc,10.0.0.0/8  *.example.com,,' }
    expect(read(given).proxy.exceptions).toEqual(['localhost', '.svc', '10.0.0.0/8', '*.example.com'])
  })

  it.each([
    ['HTTPS_PROXY', 'socks5://u:secret@p.test:1080'],
    ['https_proxy', 'http://'],
    ['HTTP_PROXY', 'http://u:secret@p.test/path'],
    ['ALL_PROXY', 'http://u:secret@p.test:port'],
    ['HTTPS_PROXY', 'http://u:secret@p .test'],
  ])('is refused by name, and its password is not repeated: %s=%s', (name, value) => {
    const { problems } = read({ [name]: value })
    expect(problems).toEqual([`${name} must be a proxy such as http://proxy.example.com:3128.`])
  })

  it('is missing', () => {
    expect(read({ NO_PROXY: '*' }).problems).toEqual([
      'LATCHKEY_OUTBOUND_PROXY needs HTTPS_PROXY: set it to the proxy.',
    ])
  })
})
