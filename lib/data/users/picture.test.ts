import { describe, expect, it } from 'vitest'
import { createVault } from '../../kernel/secret'
import { contrast, parseHex, WHITE } from '../../pages/colour'
import { sampleUser } from '../../testing/samples'
import { BACKGROUNDS, createPortray, readDrawing } from './picture'

const vault = createVault('a secret of the tests')
const baseUrl = 'https://id.test'
const portray = createPortray({ vault, baseUrl, canonicalUrl: baseUrl, source: 'initials' })

const pictureOf = (over: Parameters<typeof sampleUser>[0] = {}, by = portray) => by(sampleUser(over)).picture ?? ''
const nameOf = (picture: string) => /^https:\/\/id\.test\/avatar\/([\w-]+)\.svg$/.exec(picture)?.[1] ?? ''

it('leaves the picture that the user or the provider gave', () => {
  const user = sampleUser({ picture: 'https://pics.test/1' })
  expect(portray(user)).toBe(user)
  expect(pictureOf({ picture: 'https://pics.test/1' })).toBe('https://pics.test/1')
})

describe('a drawing', () => {
  it('names what is drawn: initials on a colour that belongs to the user', () => {
    expect(readDrawing(nameOf(pictureOf({ name: 'Kim Ito' })), vault)?.initials).toBe('KI')
    expect(pictureOf()).toBe(
      createPortray({ vault, baseUrl, canonicalUrl: baseUrl, source: 'initials' })(sampleUser()).picture,
    )
    const colours = Array.from({ length: 100 }, (_, index) => pictureOf({ id: `auth0|${index}` }))
    expect(new Set(colours).size).toBe(BACKGROUNDS.length)
  })

  it('has a name that reveals neither the person nor the initials, without the key of this server', () => {
    const [one, two] = [pictureOf({ name: 'Kim' }), pictureOf({ name: 'Kim Ito' })].map(nameOf)
    expect(one).not.toBe(two)
    expect(one).toHaveLength(two?.length ?? 0)
    expect(Buffer.from(two ?? '', 'base64url').toString('latin1')).not.toContain('KI')
    const elsewhere = createPortray({
      vault: createVault('another secret'),
      baseUrl,
      canonicalUrl: baseUrl,
      source: 'initials',
    })
    expect(pictureOf({ name: 'Kim' }, elsewhere)).not.toBe(pictureOf({ name: 'Kim' }))
  })

  it('of the longest initials fits its name', () => {
    expect(readDrawing(nameOf(pictureOf({ name: '👩🏽‍❤️‍💋‍👩🏽 x' })), vault)?.initials).toBe('👩🏽‍❤️‍💋‍👩🏽')
    expect(readDrawing(nameOf(pictureOf({ name: '!', nickname: null, email: null })), vault)?.initials).toBe('')
  })

  it('is read from no name of other making', () => {
    const name = nameOf(pictureOf())
    const changed = name.startsWith('A') ? `B${name.slice(1)}` : `A${name.slice(1)}`
    const foreign = vault.seal('totp', 'KI', { bytes: (count) => Buffer.alloc(count) }).toString('base64url')
    for (const other of ['', 'x', changed, name.slice(0, -4), `${name}AAAA`, foreign, '%', 'é', 'A'.repeat(5000)]) {
      expect(readDrawing(other, vault)).toBeNull()
    }
  })

  it.each(BACKGROUNDS)('has white text that can be read on %s', (background) => {
    expect(contrast(parseHex(background) ?? WHITE, WHITE)).toBeGreaterThanOrEqual(4.5)
  })
})

describe('Gravatar', () => {
  const gravatar = createPortray({ vault, baseUrl, canonicalUrl: baseUrl, source: 'gravatar' })

  it('has the picture of a verified address, if the tenant selects it', () => {
    expect(pictureOf({}, gravatar)).toBe(
      'https://gravatar.com/avatar/388656fcf32b9cb25a3a723d9950b400a4a8573c10b0435b130fb03b8347578c?s=480&r=pg&d=identicon',
    )
  })

  it.each([{ emailVerified: false }, { email: null }])('is not asked about %o', (over) => {
    expect(pictureOf(over, gravatar)).toMatch(/^https:\/\/id\.test\/avatar\//)
  })
})
