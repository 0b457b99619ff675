import { describe, expect, it } from 'vitest'
import { digest } from '../../kernel/secret'
import { checkVerifier, parseChallenge } from './pkce'

// RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('the challenge', () => {
  it('is kept as it was sent', () => {
    expect(parseChallenge(CHALLENGE, 'S256', true)).toBe(CHALLENGE)
  })

  it('may be left out by a client that has a secret, and by no other (threat-model.md D3)', () => {
    expect(parseChallenge(undefined, undefined, false)).toBeNull()
    expect(() => parseChallenge(undefined, undefined, true)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })

  it.each([
    ['plain, which shows the verifier', CHALLENGE, 'plain'],
    ['a method that is not known', CHALLENGE, 'S512'],
    ['another case of the method', CHALLENGE, 's256'],
    ['no method, which means plain (RFC 7636 4.3)', CHALLENGE, undefined],
    ['a method alone', undefined, 'S256'],
    ['a challenge too short', CHALLENGE.slice(1), 'S256'],
    ['a challenge too long', `${CHALLENGE}A`, 'S256'],
    ['padding', `${CHALLENGE.slice(1)}=`, 'S256'],
    ['base64 that is not URL-safe', CHALLENGE.replace('-', '+'), 'S256'],
  ])('is refused with %s', (_name, challenge, method) => {
    for (const isPublic of [true, false]) {
      expect(() => parseChallenge(challenge, method, isPublic)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      )
    }
  })
})

describe('the verifier', () => {
  const refused = expect.objectContaining({ code: 'invalid_grant', description: 'Failed to verify code verifier' })
  const challengeOf = (verifier: string) => digest(verifier).toString('base64url')

  it('answers its challenge', () => {
    expect(() => checkVerifier(CHALLENGE, VERIFIER)).not.toThrow()
  })

  it.each([43, 128])('may have %d characters', (length) => {
    const verifier = 'a'.repeat(length)
    expect(() => checkVerifier(challengeOf(verifier), verifier)).not.toThrow()
  })

  it.each([
    ['another one', 'x'.repeat(43)],
    ['none', undefined],
    ['the challenge itself', CHALLENGE],
    ['an empty one', ''],
  ])('is refused: %s', (_name, verifier) => {
    expect(() => checkVerifier(CHALLENGE, verifier)).toThrow(refused)
  })

  it.each([42, 129])('is refused with %d characters, though its hash is right', (length) => {
    const verifier = 'a'.repeat(length)
    expect(() => checkVerifier(challengeOf(verifier), verifier)).toThrow(refused)
  })

  it('is refused with characters outside the alphabet, though its hash is right', () => {
    const verifier = `${'a'.repeat(43)}!`
    expect(() => checkVerifier(challengeOf(verifier), verifier)).toThrow(refused)
  })

  it('is refused where no challenge was sent, or stripping the challenge would go unseen', () => {
    expect(() => checkVerifier(null, VERIFIER)).toThrow(refused)
    expect(() => checkVerifier(null, undefined)).not.toThrow()
  })
})
