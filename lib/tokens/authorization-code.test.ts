import { expect, it } from 'vitest'
import { seededRandom } from '../kernel/random'
import { createVault } from '../kernel/secret'
import { NOW } from '../testing/samples'
import { type AuthorizationCode, codeEnd, readCode, writeCode } from './authorization-code'

const vault = createVault('a secret that is long enough for a test')
const deps = { issuer: 'https://id.test/', vault, random: seededRandom() }
const CODE: AuthorizationCode = {
  clientId: 'spa',
  userId: 'auth0|kim',
  familyId: '0b9f2f5e-7a51-4a86-9c1f-0f4f6c1f7d10',
  redirectUri: 'https://app.test/cb',
  codeChallenge: 'challenge',
  nonce: 'n 1 ü',
  scopes: ['openid', 'read:things'],
  audience: null,
  sid: 'sid',
  authentication: { time: 1800000000, methods: ['pwd'], tell: false },
  issuedAt: NOW,
}

it('is read back as it was written, and says when it ends', () => {
  const read = readCode(writeCode(CODE, deps), deps)
  expect(read).toEqual(CODE)
  expect(codeEnd(CODE).getTime() - NOW.getTime()).toBe(60_000)
})

it('reveals nothing to its bearer, and is never the same twice', () => {
  const [one, two] = [writeCode(CODE, deps), writeCode(CODE, deps)]
  expect(one).not.toBe(two)
  expect(Buffer.from(one, 'base64url').toString('latin1')).not.toMatch(/spa|kim|app\.test/)
})

it('stays short enough for an address', () => {
  expect(writeCode(CODE, deps).length).toBeLessThan(800)
})

it.each([
  ['one altered bit', () => flip(writeCode(CODE, deps))],
  ['one of another issuer', () => writeCode(CODE, { ...deps, issuer: 'https://other.test/' })],
  [
    'one under another secret',
    () => writeCode(CODE, { ...deps, vault: createVault('another secret, also long enough') }),
  ],
  ['what was sealed for another purpose', () => vault.seal('access-token', '{}', deps.random).toString('base64url')],
  ['nothing', () => ''],
  ['anything else', () => 'no-such-code'],
])('is not read from %s', (_name, code) => {
  expect(readCode(code(), deps)).toBeNull()
})

function flip(code: string): string {
  const bytes = Buffer.from(code, 'base64url')
  bytes[40] = (bytes[40] ?? 0) ^ 1
  return bytes.toString('base64url')
}
