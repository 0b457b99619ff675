import { describe, expect, it } from 'vitest'
import { createPeerReader } from './peer'

/** What a server behind listed proxies reads of one header. */
function readerOf(forwardingHeader: 'x-forwarded-for' | 'forwarded', trustedProxies: string[]) {
  const peerOf = createPeerReader({ trustedProxies, forwardingHeader })
  return (socket: string | undefined, header: string | undefined) => peerOf(socket, { [forwardingHeader]: header }).ip
}

describe('without listed proxies', () => {
  const peer = readerOf('x-forwarded-for', [])

  it('believes the socket, whatever is forwarded', () => {
    expect(peer('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9')
    expect(readerOf('forwarded', [])('203.0.113.9', 'for=1.2.3.4')).toBe('203.0.113.9')
  })

  it.each([
    ['IPv4 inside IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv6 in full', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['a zone', 'fe80::1%eth0', 'fe80::1'],
    ['no address at all', undefined, '0.0.0.0'],
    ['no address but text', '/run/latchkey.sock', '0.0.0.0'],
  ])('has one spelling for %s', (_name, socket, expected) => {
    expect(peer(socket, undefined)).toBe(expected)
  })
})

describe('behind listed proxies', () => {
  const peer = readerOf('x-forwarded-for', ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])

  it.each([
    ['a stranger cannot forward', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['the right-most stranger counts', '10.1.2.3', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['listed hops are passed over', '10.1.2.3', '6.6.6.6, 1.2.3.4, 192.0.2.1, 10.9.9.9', '1.2.3.4'],
    ['a chain of proxies alone ends at the farthest', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['nothing forwarded', '10.1.2.3', undefined, '10.1.2.3'],
    ['an empty header', '10.1.2.3', '', '10.1.2.3'],
    ['an empty entry is not an address', '10.1.2.3', '1.2.3.4, , ', '1.2.3.4'],
    ['rubbish ends the chain', '10.1.2.3', '1.2.3.4, unknown', '10.1.2.3'],
    ['rubbish left of the client is not read', '10.1.2.3', '<script>, 1.2.3.4', '1.2.3.4'],
    ['a proxy over IPv6', '2001:db8::7', '1.2.3.4', '1.2.3.4'],
    ['a proxy that is seen as IPv4 inside IPv6', '::ffff:10.1.2.3', '1.2.3.4', '1.2.3.4'],
    ['a client over IPv6', '10.1.2.3', '2001:DB9::1', '2001:db9::1'],
    ['an address beside the listed one', '192.0.2.2', '1.2.3.4', '192.0.2.2'],
    ['the port of a client', '10.1.2.3', '203.0.113.10:51234', '203.0.113.10'],
    ['the port and brackets of a client over IPv6', '10.1.2.3', '[2001:db9::9]:443', '2001:db9::9'],
    ['ports of listed hops', '10.1.2.3', '6.6.6.6:1, 203.0.113.10:51234, 10.0.0.2:8080', '203.0.113.10'],
    [
      'a stranger that claims a listed address and a port',
      '10.1.2.3',
      '6.6.6.6, 10.0.0.9:80, 203.0.113.10:5',
      '203.0.113.10',
    ],
    ['a port without an address', '10.1.2.3', '6.6.6.6, :443', '10.1.2.3'],
    ['the other header is not read', '10.1.2.3', 'for=6.6.6.6', '10.1.2.3'],
  ])('an address is found behind listed proxies: %s', (_name, socket, forwarded, expected) => {
    expect(peer(socket, forwarded)).toBe(expected)
  })

  it('ignores Forwarded beside X-Forwarded-For, and the other way round', () => {
    const both = { 'x-forwarded-for': '1.2.3.4', forwarded: 'for=6.6.6.6' }
    const trustedProxies = ['10.0.0.0/8']
    expect(createPeerReader({ trustedProxies, forwardingHeader: 'x-forwarded-for' })('10.0.0.1', both).ip).toBe(
      '1.2.3.4',
    )
    expect(createPeerReader({ trustedProxies, forwardingHeader: 'forwarded' })('10.0.0.1', both).ip).toBe('6.6.6.6')
    const one = { 'x-forwarded-for': '6.6.6.6' }
    expect(createPeerReader({ trustedProxies, forwardingHeader: 'forwarded' })('10.0.0.1', one).ip).toBe('10.0.0.1')
  })

  it('takes a range of IPv4 that is written as IPv6', () => {
    expect(readerOf('x-forwarded-for', ['::ffff:10.0.0.0/104'])('10.1.2.3', '1.2.3.4')).toBe('1.2.3.4')
    expect(readerOf('x-forwarded-for', ['::ffff:10.0.0.0/104'])('11.1.2.3', '1.2.3.4')).toBe('11.1.2.3')
  })
})

describe('Forwarded (RFC 7239)', () => {
  const peer = readerOf('forwarded', ['10.0.0.0/8', '2001:db8::/32'])

  it.each([
    ['a token', 'for=203.0.113.43', '203.0.113.43'],
    ['a name in capitals', 'For=203.0.113.43', '203.0.113.43'],
    ['a quoted address with brackets and port', 'For="[2001:db9:cafe::17]:4711"', '2001:db9:cafe::17'],
    ['a quoted address with an obfuscated port', 'for="203.0.113.43:_gazonk"', '203.0.113.43'],
    ['an escaped character', 'for="203.0.113.\\43"', '203.0.113.43'],
    ['further parameters', 'by=10.0.0.1;for=203.0.113.43;host="a,b;c";proto=https', '203.0.113.43'],
    ['the right-most stranger', 'for=6.6.6.6, for=203.0.113.43, for=10.0.0.2', '203.0.113.43'],
    ['several proxies without blanks', 'for=6.6.6.6,for=203.0.113.43;proto=http,for=10.0.0.2', '203.0.113.43'],
    ['listed proxies over IPv6', 'for=203.0.113.43, for="[2001:db8::1]"', '203.0.113.43'],
    ['an address of IPv6 without quotes', 'for=[2001:db9::1]', '2001:db9::1'],
    ['blanks around semicolons', 'for=203.0.113.43 ; proto=https', '203.0.113.43'],
  ])('an address is read from Forwarded: %s', (_what, header, expected) => {
    expect(peer('10.1.2.3', header)).toBe(expected)
  })

  it.each([
    ['an obfuscated identifier', 'for=_hidden'],
    ['unknown', 'for=unknown'],
    ['an obfuscated identifier of a listed hop', 'for=6.6.6.6, for=_SEVKISEK'],
    ['an element without an address', 'for=6.6.6.6, by=10.0.0.1;proto=https'],
    ['two addresses in an element', 'for=6.6.6.6;for=7.7.7.7'],
    ['a bare address', '6.6.6.6'],
    ['an address in another parameter', 'by=6.6.6.6;host="for=6.6.6.6"'],
    ['an open quote', 'for="6.6.6.6'],
    ['an empty header', ' '],
  ])('ends at %s', (_what, header) => {
    expect(peer('10.1.2.3', header)).toBe('10.1.2.3')
  })

  it.each([
    ['an open quote', 'for="'],
    ['an open quote of another parameter', 'for=6.6.6.6;host="'],
    ['an open quote behind a backslash', 'x="\\'],
    ['a comma', ','],
    ['an address of a listed proxy', 'for=6.6.6.6, for=10.0.0.7;x="'],
    ['quotes that would pair with the next', 'host="a'],
  ])('reads what the nearest proxy wrote behind %s of a client', (_what, sent) => {
    expect(peer('10.1.2.3', `${sent}, for=203.0.113.43`)).toBe('203.0.113.43')
    expect(peer('10.1.2.3', `${sent}, for="[2001:db9::1]:443";by="10.0.0.1"`)).toBe('2001:db9::1')
  })

  it('is read quickly however long it is', () => {
    for (const piece of [',', ',a="', ',for=10.0.0.1', ';a=b', '"', ',"'])
      expect(peer('10.1.2.3', piece.repeat(16_384 / piece.length))).toMatch(/^10\./)
  })
})

describe('fingerprints of the TLS connection', () => {
  const settings = { trustedProxies: ['10.0.0.0/8'], forwardingHeader: 'x-forwarded-for' } as const
  const peerOf = createPeerReader({ ...settings, fingerprintHeaders: { ja3: 'x-ja3', ja4: 'x-ja4' } })
  const sent = { 'x-forwarded-for': '1.2.3.4', 'x-ja4': 't13d1516h2_8daaf6152771_b186095e22b6' }

  it('are those that a trusted proxy states', () => {
    expect(peerOf('10.0.0.1', { ...sent, 'x-ja3': 'e7d705a3286e19ea42f587b344ee6865' })).toEqual({
      ip: '1.2.3.4',
      fingerprint: { ja3: 'e7d705a3286e19ea42f587b344ee6865', ja4: sent['x-ja4'] },
    })
    expect(peerOf('10.0.0.1', sent)).toEqual({ ip: '1.2.3.4', fingerprint: { ja4: sent['x-ja4'] } })
  })

  it('are absent where the client states them, where no header is named, or where it has no fingerprint', () => {
    expect(peerOf('203.0.113.9', sent)).toEqual({ ip: '203.0.113.9' })
    expect(createPeerReader(settings)('10.0.0.1', sent)).toEqual({ ip: '1.2.3.4' })
    for (const value of ['', '<script>', 'a'.repeat(101)])
      expect(peerOf('10.0.0.1', { ...sent, 'x-ja4': value })).toEqual({ ip: '1.2.3.4' })
  })
})
