import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLACK, contrast, parseHex, type Rgb, readableOn, shadeFor, toHex, WHITE } from './colour'
import { themeFor } from './theme'
import type { Branding } from './view'

const channel = fc.integer({ min: 0, max: 255 })
const anyColour: fc.Arbitrary<Rgb> = fc.tuple(channel, channel, channel)

function colourOf(css: string, name: string): Rgb {
  const colour = parseHex(new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(css)?.[1] ?? '')
  if (!colour) throw new Error(`no ${name} in ${css}`)
  return colour
}

describe('contrast', () => {
  it('is WCAG’s ratio, the same both ways round', () => {
    expect(contrast(BLACK, WHITE)).toBeCloseTo(21, 5)
    expect(contrast([0x76, 0x76, 0x76], WHITE)).toBeCloseTo(4.54, 2)
    expect(contrast(WHITE, [0x76, 0x76, 0x76])).toBeCloseTo(4.54, 2)
    expect(contrast(WHITE, WHITE)).toBe(1)
  })

  it('of the readable ink is AA on every colour', () => {
    fc.assert(fc.property(anyColour, (colour) => contrast(readableOn(colour), colour) >= 4.5))
  })

  it('reaches what shadeFor promises and leaves a good colour alone', () => {
    fc.assert(fc.property(anyColour, (colour) => contrast(shadeFor(colour, WHITE, 5), WHITE) >= 5))
    expect(shadeFor([0x1d, 0x54, 0x45], WHITE, 5)).toEqual([0x1d, 0x54, 0x45])
  })
})

describe('parseHex', () => {
  it('reads both lengths, in either case', () => {
    expect(parseHex('#0aF')).toEqual([0, 170, 255])
    expect(parseHex('#00AAff')).toEqual([0, 170, 255])
  })

  it('mixes a transparent colour with what is behind it', () => {
    expect(parseHex('#0000')).toEqual(WHITE)
    expect(parseHex('#00000000', [1, 2, 3])).toEqual([1, 2, 3])
    expect(parseHex('#ff000080', BLACK)).toEqual([128, 0, 0])
    expect(parseHex('#12f8', BLACK)).toEqual([9, 18, 136])
    expect(parseHex('#1d5445ff', BLACK)).toEqual([0x1d, 0x54, 0x45])
  })

  it.each([
    '',
    'red',
    '#12',
    '#12345',
    '#1234567',
    '#123456789',
    '#gggggg',
    '#fff;}',
    '#ffffff}body{}',
    'url(x)',
    ' #fff',
  ])('the value %j is not a colour', (value) => {
    expect(parseHex(value)).toBeUndefined()
  })
})

describe('themeFor', () => {
  it('keeps every accent legible in both themes', () => {
    fc.assert(
      fc.property(anyColour, (accent) => {
        const { css } = themeFor({ tenantName: 'T', accent: toHex(accent) })
        for (const theme of css.split('@media')) {
          const paper = colourOf(theme, 'paper')
          expect(contrast(colourOf(theme, 'on-fill'), colourOf(theme, 'fill'))).toBeGreaterThanOrEqual(4.5)
          expect(contrast(colourOf(theme, 'on-door'), colourOf(theme, 'door'))).toBeGreaterThanOrEqual(4.5)
          expect(contrast(colourOf(theme, 'link'), paper)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(colourOf(theme, 'fill-edge'), paper)).toBeGreaterThanOrEqual(3)
        }
      }),
    )
  })

  it('takes a light page background and keeps links legible on it', () => {
    const { css } = themeFor({ tenantName: 'T', accent: '#ffd400', pageBackground: '#e8f0ff' })
    expect(colourOf(css, 'paper')).toEqual([0xe8, 0xf0, 0xff])
    expect(contrast(colourOf(css, 'link'), colourOf(css, 'paper'))).toBeGreaterThanOrEqual(4.5)
  })

  it('puts a background too dark for our inks behind a box of paper', () => {
    const plain = themeFor({ tenantName: 'T' }).css
    const { css } = themeFor({ tenantName: 'T', pageBackground: '#202020' })
    expect(css.startsWith(plain)).toBe(true)
    expect(css).toContain('.stage .room{background:#202020}')
    expect(css).toContain('background:var(--paper)')
  })

  it('has a gradient behind the box', () => {
    const gradient = { type: 'linear-gradient', start: '#fff', end: '#0008', angle_deg: -35 } as const
    const { angle_deg: _angle, ...level } = gradient
    const css = (pageBackground: Branding['pageBackground']) =>
      themeFor({ tenantName: 'T', ...(pageBackground && { pageBackground }) }).css
    expect(css(gradient)).toContain('{background:linear-gradient(-35deg,#ffffff,#777777)}')
    expect(css(level)).toContain('{background:linear-gradient(#ffffff,#777777)}')
    expect(css({ ...gradient, end: 'red' })).toBe(css(undefined))
  })

  it('ignores anything that is not a colour', () => {
    const plain = themeFor({ tenantName: 'T' }).css
    expect(themeFor({ tenantName: 'T', accent: 'red;}</style><script>' }).css).toBe(plain)
    expect(themeFor({ tenantName: 'T', pageBackground: '#fff;}*{' }).css).toBe(plain)
  })

  it('loads the tenant’s font, and no other text as one', () => {
    const plain = themeFor({ tenantName: 'T' }).css
    const { css } = themeFor({ tenantName: 'T', fontUrl: 'https://cdn.test/inter.woff2' })
    expect(css).toContain('src:url("https://cdn.test/inter.woff2")')
    expect(css).toContain('html{font-family:"Tenant",var(--font-sans)}')
    for (const fontUrl of ['', 'http://cdn.test/f', 'https://cdn.test/"){}', 'data:font/woff2,x', '/f.woff2'])
      expect(themeFor({ tenantName: 'T', fontUrl }).css).toBe(plain)
  })
})
