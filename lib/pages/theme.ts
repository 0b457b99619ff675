/**
 * Turns a tenant's two branding colours into the custom properties that app/globals.css paints with.
 *
 * WCAG 2.2 1.4.3 and 1.4.11: whatever accent a tenant chose, text on it and text in it keep 4.5:1 and its edges 3:1, in
 * both themes. Must hold: the result is built from parsed colours alone, so it is safe inside a style element.
 */
import { BLACK, luminance, mix, parseHex, type Rgb, readableOn, shadeFor, toHex, WHITE } from './colour'
import type { Branding } from './view'

const DEFAULT_ACCENT: Rgb = [0x1d, 0x54, 0x45]
const PAPER: Rgb = [0xf7, 0xf8, 0xf6]
const NIGHT: Rgb = [0x12, 0x16, 0x15]
/** Inks and borders in globals.css are tuned to backgrounds at least this light. */
const LIGHTEST_PAPER = 0.8
/** In the dark a door of full colour would glare. */
const DARKEST_DOOR = 0.09

type Properties = Readonly<Record<string, Rgb>>

function properties(paper: Rgb, fill: Rgb, door: Rgb, link: Rgb): Properties {
  return {
    paper,
    fill,
    'fill-edge': shadeFor(fill, paper, 3),
    'fill-strong': mix(fill, readableOn(fill) === WHITE ? BLACK : WHITE, 0.16),
    'on-fill': readableOn(fill),
    link,
    door,
    'on-door': readableOn(door),
  }
}

/** By day everything wears the accent itself, a pale one with a darker edge. */
const day = (accent: Rgb, paper: Rgb): Properties => properties(paper, accent, accent, shadeFor(accent, paper, 5.5))

/** By night the door is dimmed, and buttons and links are lightened until they stand out. */
const night = (accent: Rgb): Properties =>
  properties(NIGHT, shadeFor(accent, NIGHT, 3), dimmed(accent), shadeFor(accent, NIGHT, 8))

function dimmed(colour: Rgb): Rgb {
  for (let step = 0; step < 20; step++) {
    const shade = mix(colour, BLACK, step / 20)
    if (luminance(shade) <= DARKEST_DOOR) return shade
  }
  return BLACK
}

function block(colours: Properties): string {
  const lines = Object.entries(colours).map(([name, colour]) => `--${name}:${toHex(colour)}`)
  return `:root{${lines.join(';')}}`
}

export type Theme = {
  /** The style sheet for the nonce'd style element. */
  css: string
  /** What a phone paints its own bars with. */
  bar: { light: string; dark: string }
}

function buildTheme({ accent, pageBackground }: Pick<Branding, 'accent' | 'pageBackground'>): Theme {
  const chosen = parseHex(accent ?? '') ?? DEFAULT_ACCENT
  const background = parseHex(pageBackground ?? '')
  const paper = background && luminance(background) >= LIGHTEST_PAPER ? background : PAPER
  return {
    css: `${block(day(chosen, paper))}@media(prefers-color-scheme:dark){${block(night(chosen))}}`,
    bar: { light: toHex(chosen), dark: toHex(dimmed(chosen)) },
  }
}

/** Tenants are few, but their branding comes from outside: a bound keeps a stream of changes from growing this. */
const MAX_KEPT = 100
const kept = new Map<string, Theme>()

export function themeFor(branding: Branding): Theme {
  const key = `${branding.accent} ${branding.pageBackground}`
  const known = kept.get(key)
  if (known) return known
  if (kept.size >= MAX_KEPT) kept.clear()
  const theme = buildTheme(branding)
  kept.set(key, theme)
  return theme
}
