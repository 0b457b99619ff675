import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemRandom } from './random'
import { createVault, digest, equalsConstantTime, leftHalfHash, mint } from './secret'

const vault = createVault('a secret of at least thirty-two characters')

describe('sealing', () => {
  const sealed = vault.seal('signing-key', 'the private half', systemRandom)

  it('opens for the purpose it was sealed for', () => {
    expect(vault.open('signing-key', sealed)?.toString()).toBe('the private half')
  })

  it('opens for no other purpose', () => {
    expect(vault.open('access-token', sealed)).toBeNull()
  })

  it('opens under no other secret', () => {
    expect(createVault('another secret of thirty-two characters').open('signing-key', sealed)).toBeNull()
  })

  it('refuses a value of which any one bit was changed', () => {
    for (let bit = 0; bit < sealed.length * 8; bit += 7) {
      const bent = Buffer.from(sealed)
      bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(vault.open('signing-key', bent), `bit ${bit}`).toBeNull()
    }
  })

  it.each([0, 1, 27, 28])('refuses a value cut to %d bytes', (length) => {
    expect(vault.open('signing-key', sealed.subarray(0, length))).toBeNull()
  })

  it('never gives the same bytes twice for one value', () => {
    expect(vault.seal('p', 'value', systemRandom)).not.toEqual(vault.seal('p', 'value', systemRandom))
  })

  it('opens one spelling of a text', () => {
    const text = vault.sealText('ticket', 'once', systemRandom)
    expect(vault.openText('ticket', text)).toBe('once')
    for (const other of [`${text}A`, `${text}=`, `${text}\n`, ` ${text}`, `${text}!`, text.slice(0, -1), ''])
      expect(vault.openText('ticket', other), JSON.stringify(other)).toBeNull()
  })

  it('shows nothing of the plain value', () => {
    expect(sealed.includes('private')).toBe(false)
  })
})

describe('keyed digests', () => {
  it('differ by purpose, by secret and from the plain SHA-256', () => {
    const other = createVault('another secret of thirty-two characters')
    const digests = [vault.mac('a', 'v'), vault.mac('b', 'v'), other.mac('a', 'v'), digest('v')]
    expect(new Set(digests.map((value) => value.toString('hex'))).size).toBe(4)
  })

  it.each([0, 1, 20, 63, 64, 65, 1000])('are HMAC-SHA-256, of text and of bytes (%d of them)', (length) => {
    const secret = 'a secret of at least thirty-two characters'
    const key = Buffer.from(hkdfSync('sha256', secret, 'latchkey', 'p', 32))
    for (const value of ['ä'.repeat(length), systemRandom.bytes(length)]) {
      expect(vault.mac('p', value)).toEqual(createHmac('sha256', key).update(value).digest())
    }
  })
})

describe('minting', () => {
  it('gives 256 bits and keeps only their digest', () => {
    const { plain, digest: kept } = mint(systemRandom)
    expect(Buffer.from(plain, 'base64url')).toHaveLength(32)
    expect(kept).toEqual(createHash('sha256').update(plain).digest())
  })

  it('never gives the same secret twice', () => {
    const plains = Array.from({ length: 100 }, () => mint(systemRandom).plain)
    expect(new Set(plains).size).toBe(100)
  })
})

describe('comparing', () => {
  it.each([
    ['equal bytes', 'abc', 'abc', true],
    ['another byte', 'abc', 'abd', false],
    ['a shorter value', 'abc', 'ab', false],
    ['a longer value', 'abc', 'abcd', false],
    ['two empty values', '', '', true],
  ])('the comparison is exact: %s', (_name, a, b, equal) => {
    expect(equalsConstantTime(Buffer.from(a), Buffer.from(b))).toBe(equal)
  })
})

it('hashes to the left half as OIDC Core 3.1.3.6 shows', () => {
  expect(leftHalfHash('jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y')).toBe('77QmUPtjPfzWtF2AnpK9RQ')
})
