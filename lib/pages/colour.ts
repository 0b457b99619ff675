/**
 * Colour arithmetic for the hosted pages: WCAG 2.2 relative luminance and contrast ratio, and the nearest shade of a colour that
 * reaches a required contrast. Pure; sRGB. Every colour is opaque: a transparent one is mixed with what lies behind it.
 */
import { HEX_COLOUR } from '../kernel/hex-colour'

export type Rgb = readonly [red: number, green: number, blue: number]

export const BLACK: Rgb = [0, 0, 0]
export const WHITE: Rgb = [255, 255, 255]

/** Accepts hex notation only, of 3, 4, 6 or 8 digits: other text from a tenant must never reach a style sheet. */
export function parseHex(value: string, behind: Rgb = WHITE): Rgb | undefined {
  if (!HEX_COLOUR.test(value)) return undefined
  const digits = value.length < 6 ? value.slice(1).replace(/./g, '$&$&') : value.slice(1)
  const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  )
  return mix(behind, [red, green, blue], alpha / 255)
}

export function toHex(colour: Rgb): string {
  return `#${colour.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Mixes two colours; `share` is the part of `to`. The result is rounded to the values of hex notation. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const blend = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [blend(0), blend(1), blend(2)]
}

/** Black or white, whichever has more contrast. The contrast is never under 4.58:1, the worst case between the two. */
export function readableOn(background: Rgb): Rgb {
  return contrast(background, WHITE) >= contrast(background, BLACK) ? WHITE : BLACK
}

const STEPS = 20

/** The first shade between `colour` and black or white that has the contrast `ratio` against each background. */
export function shadeFor(colour: Rgb, background: Rgb | readonly [Rgb, ...Rgb[]], ratio: number): Rgb {
  const backgrounds = isSeveral(background) ? background : ([background] as const)
  const end = readableOn(backgrounds[0])
  for (let step = 0; step <= STEPS; step++) {
    const shade = mix(colour, end, step / STEPS)
    if (backgrounds.every((each) => contrast(shade, each) >= ratio)) return shade
  }
  return end
}

const isSeveral = (value: Rgb | readonly [Rgb, ...Rgb[]]): value is readonly [Rgb, ...Rgb[]] =>
  typeof value[0] !== 'number'
