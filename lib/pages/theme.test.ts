import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLACK, contrast, parseHex, type Rgb, readableOn, shadeFor, toHex, WHITE } from './colour'
import { themeFor } from './theme'

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

  it.each(['', 'red', '#12', '#12345', '#gggggg', '#fff;}', '#ffffff}body{}', 'url(x)', ' #fff'])(
    'refuses %j',
    (value) => {
      expect(parseHex(value)).toBeUndefined()
    },
  )
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

  it('ignores a background too dark for our inks, and anything that is not a colour', () => {
    const plain = themeFor({ tenantName: 'T' }).css
    expect(themeFor({ tenantName: 'T', pageBackground: '#202020' }).css).toBe(plain)
    expect(themeFor({ tenantName: 'T', accent: 'red;}</style><script>' }).css).toBe(plain)
  })
})
