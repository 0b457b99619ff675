import { describe, expect, it } from 'vitest'
import { inWords, unreachedBy } from './network-failure'

describe('a failure in words', () => {
  it.each([
    ['ENOTFOUND', 'its host name was not found (ENOTFOUND)', 'host_unknown'],
    ['ECONNREFUSED', 'it refused the connection (ECONNREFUSED)', 'refused'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'its TLS certificate is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT)',
      'untrusted',
    ],
    ['CERT_HAS_EXPIRED', 'its TLS certificate has expired (CERT_HAS_EXPIRED)', 'untrusted'],
    ['ABORT_ERR', 'it did not answer in time (ABORT_ERR)', 'timeout'],
    ['EAUTH 535', 'it refused the user name or the password (EAUTH 535)', null],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS with it failed (ERR_SSL_WRONG_VERSION_NUMBER)', null],
    ['EPROXY 407', 'the outgoing proxy refused (EPROXY 407)', null],
    ['EPROXY ECONNREFUSED', 'the outgoing proxy cannot be reached (EPROXY ECONNREFUSED)', null],
    ['ENEW', 'it failed (ENEW)', null],
  ] as const)('the failure %s has a sentence', (code, words, shown) => {
    expect(inWords(code)).toBe(words)
    expect(unreachedBy(code)).toBe(shown)
  })

  it('leaves what is in words', () => {
    expect(inWords('HTTP 500')).toBe('HTTP 500')
    expect(inWords('no answer in 5 s')).toBe('no answer in 5 s')
  })

  it('says no more to a person than that a guarded address failed', () => {
    for (const code of ['EFORBIDDENADDRESS', 'EPLAINHTTP', 'EHOSTUNREACH']) expect(unreachedBy(code)).toBeNull()
  })
})
