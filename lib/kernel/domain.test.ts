import { describe, expect, it } from 'vitest'
import { TEST_SECRET } from '../testing/database'
import { missingProof, proofHost, proofText, TextLookupError, toDomain } from './domain'
import { createVault } from './secret'

describe('a domain', () => {
  it.each([
    ['acme.example', 'acme.example'],
    [' ACME.Example ', 'acme.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a-b.c1.example', 'a-b.c1.example'],
  ])('the text %j is the domain %j', (text, domain) => expect(toDomain(text)).toBe(domain))

  it.each([
    '',
    'acme',
    'localhost',
    'acme.example.',
    '.example',
    'a..example',
    '-a.example',
    'a-.example',
    'a_b.example',
    '*.example',
    '10.0.0.1',
    '0x7f.1',
    '[::1]',
    'acme.example:8080',
    'acme.example/x',
    'kim@acme.example',
    'acme.example?x',
    'a b.example',
    'a%2eb.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
    '"><script>.example',
  ])('the text %j is not a domain', (text) => expect(toDomain(text)).toBeNull())
})

describe('the proof of a domain', () => {
  const vault = createVault(TEST_SECRET)
  const text = proofText('default', 'org_a', 'acme.example', vault)

  it('is the same each time, and another for another tenant, organization or domain', () => {
    expect(text).toMatch(/^latchkey-domain-verification=[A-Za-z0-9_-]{43}$/)
    expect(proofText('default', 'org_a', 'acme.example', vault)).toBe(text)
    for (const other of [
      ['other', 'org_a', 'acme.example'],
      ['default', 'org_b', 'acme.example'],
      ['default', 'org_a', 'acme.test'],
    ] as const)
      expect(proofText(other[0], other[1], other[2], vault)).not.toBe(text)
  })

  it('is one record of those at its host', async () => {
    const names: string[] = []
    const found = async (name: string) => {
      names.push(name)
      return ['v=spf1 -all', text]
    }
    expect(await missingProof('acme.example', text, found)).toBeNull()
    expect(names).toEqual([proofHost('acme.example')])
  })

  it.each<[string, () => Promise<string[]>, string]>([
    ['other records', async () => [`${text}x`, text.toUpperCase(), ''], 'has no TXT record'],
    ['no record', () => Promise.reject(new TextLookupError(null)), 'has no TXT record'],
    [
      'a failed look-up',
      () => Promise.reject(new TextLookupError('ETIMEOUT')),
      'could not be looked up: it did not answer in time (ETIMEOUT)',
    ],
  ])('is not %s', async (_case, findTexts, reason) => {
    expect(await missingProof('acme.example', text, findTexts)).toContain(reason)
  })
})
