// Assertions of an authenticator, each wrong in one way (WebAuthn 7.2).
import { describe, expect, it } from 'vitest'
import { type AuthenticatorCall, softCredential } from '../../testing/authenticator'
import { assertionResponse, creationResponse, verifyAssertion, verifyCreation } from './verify'

const WHERE = { challenge: 'Y2hhbGxlbmdlIG9mIHNpeHRlZW4', origin: 'https://id.test', rpId: 'id.test' }
const EXPECTED = { challenge: WHERE.challenge, origins: ['https://id.test', 'https://app.id.test'], rpId: 'id.test' }

const soft = softCredential()

async function credential(change: Partial<AuthenticatorCall> = {}) {
  const made = creationResponse.parse(soft.create({ ...WHERE, ...change }))
  const created = await verifyCreation(made, { ...EXPECTED, verified: false })
  if ('refused' in created) throw new Error(created.refused)
  return { ...created, userHandle: new Uint8Array() }
}

async function assertion(change: Partial<AuthenticatorCall> = {}, { verified = false, made = {} } = {}) {
  const response = assertionResponse.parse(soft.use({ ...WHERE, ...change }))
  return verifyAssertion(response, await credential(made), { ...EXPECTED, verified })
}

describe('an assertion', () => {
  it('tells the counter, whether the key is backed up, and whether the user was verified', async () => {
    expect(await assertion({ counter: 5 })).toEqual({ counter: 5, backedUp: true, userVerified: true })
    expect(await assertion({ uv: false, backedUp: false })).toEqual({
      counter: 0,
      backedUp: false,
      userVerified: false,
    })
    expect(await assertion({ origin: 'https://app.id.test' })).toMatchObject({ userVerified: true })
  })

  it.each<[string, Partial<AuthenticatorCall>]>([
    ['the challenge is another', { challenge: 'YW5vdGhlciBjaGFsbGVuZ2U' }],
    ['the page is of another origin', { origin: 'https://evil.test' }],
    ['the page is of another origin', { origin: 'https://id.test:444' }],
    ['the page is framed by another origin', { crossOrigin: true }],
    ['the credential is of another host', { rpId: 'evil.test' }],
    ['the user was not present', { up: false }],
    ['the response is to another request', { type: 'webauthn.create' }],
    ['the credential changed its kind', { multiDevice: false }],
  ])('is refused because %s', async (refused, change) => {
    expect(await assertion(change)).toEqual({ refused })
  })

  it('answers a challenge that its client spelt with padding', async () => {
    expect(await assertion({ challenge: `${WHERE.challenge}==` })).toHaveProperty('counter')
  })

  it('is refused without user verification where that is required', async () => {
    expect(await assertion({ uv: false }, { verified: true })).toEqual({ refused: 'the user was not verified' })
    expect(await assertion({}, { verified: true })).toMatchObject({ userVerified: true })
  })

  it('is refused with a signature of another key, and with a changed one', async () => {
    const stored = await credential()
    const other = assertionResponse.parse({ ...softCredential().use(WHERE), id: soft.id, rawId: soft.id })
    const expected = { ...EXPECTED, verified: false }
    expect(await verifyAssertion(other, stored, expected)).toEqual({ refused: 'the signature is wrong' })
    const mine = assertionResponse.parse(soft.use(WHERE))
    const response = { ...mine.response, signature: 'AAAA' }
    expect(await verifyAssertion({ ...mine, response }, stored, expected)).toHaveProperty('refused')
  })

  it('is refused for a credential of another host', async () => {
    const stored = { ...(await credential()), rpId: 'old.test' }
    const response = assertionResponse.parse(soft.use(WHERE))
    const refused = { refused: 'the credential is of another host' }
    expect(await verifyAssertion(response, stored, { ...EXPECTED, verified: false })).toEqual(refused)
  })

  it.each([
    ['clientDataJSON', 'AAAA'],
    ['authenticatorData', 'AAAA'],
  ])('is refused with a malformed %s', async (member, value) => {
    const mine = assertionResponse.parse(soft.use(WHERE))
    const response = { ...mine.response, [member]: value }
    const refused = { refused: 'the response is malformed' }
    expect(await verifyAssertion({ ...mine, response }, await credential(), { ...EXPECTED, verified: false })).toEqual(
      refused,
    )
  })
})
