import { describe, expect, it } from 'vitest'
import { createPeerReader } from './peer'

describe('without listed proxies', () => {
  const peer = createPeerReader([])

  it('believes the socket, whatever is forwarded', () => {
    expect(peer('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9')
  })

  it.each([
    ['IPv4 inside IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv6 in full', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['no address at all', undefined, '0.0.0.0'],
    ['no address but text', '/run/latchkey.sock', '0.0.0.0'],
  ])('has one spelling for %s', (_name, socket, expected) => {
    expect(peer(socket, undefined)).toBe(expected)
  })
})

describe('behind listed proxies', () => {
  const peer = createPeerReader(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])

  it.each([
    ['a stranger cannot forward', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['the right-most stranger counts', '10.1.2.3', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['listed hops are passed over', '10.1.2.3', '6.6.6.6, 1.2.3.4, 192.0.2.1, 10.9.9.9', '1.2.3.4'],
    ['a chain of proxies alone ends at the farthest', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['nothing forwarded', '10.1.2.3', undefined, '10.1.2.3'],
    ['an empty header', '10.1.2.3', '', '10.1.2.3'],
    ['rubbish ends the chain', '10.1.2.3', '1.2.3.4, unknown', '10.1.2.3'],
    ['rubbish left of the client is not read', '10.1.2.3', '<script>, 1.2.3.4', '1.2.3.4'],
    ['a proxy over IPv6', '2001:db8::7', '1.2.3.4', '1.2.3.4'],
    ['a proxy that is seen as IPv4 inside IPv6', '::ffff:10.1.2.3', '1.2.3.4', '1.2.3.4'],
    ['a client over IPv6', '10.1.2.3', '2001:DB9::1', '2001:db9::1'],
    ['an address beside the listed one', '192.0.2.2', '1.2.3.4', '192.0.2.2'],
  ])('%s', (_name, socket, forwarded, expected) => {
    expect(peer(socket, forwarded)).toBe(expected)
  })
})
