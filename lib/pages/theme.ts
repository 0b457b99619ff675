/**
 * Turns a tenant's two branding colours into the custom properties that app/globals.css uses.
 *
 * WCAG 2.2 1.4.3 and 1.4.11: for every accent, text on it and text in it keep a contrast of 4.5:1 and its edges 3:1, in both
 * themes. Invariant: the result contains parsed colours only, so it is safe inside a style element.
 */
import { BLACK, luminance, mix, parseHex, type Rgb, readableOn, shadeFor, toHex, WHITE } from './colour'
import type { Branding } from './view'

const DEFAULT_ACCENT: Rgb = [0x1d, 0x54, 0x45]
const PAPER: Rgb = [0xf7, 0xf8, 0xf6]
const NIGHT: Rgb = [0x12, 0x16, 0x15]
/** Text and border colours in globals.css are designed for backgrounds at least this light. */
const LIGHTEST_PAPER = 0.8
/** The drawn door would glare in full colour in the dark theme. */
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

/** Light theme: everything has the accent colour itself; a pale accent gets a darker edge. */
const day = (accent: Rgb, paper: Rgb): Properties => properties(paper, accent, accent, shadeFor(accent, paper, 5.5))

/** Dark theme: the door is dimmed, and buttons and links are lightened until their contrast suffices. */
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
  /** The style sheet for the style element with the nonce. */
  css: string
  /** The colour of a phone's browser bars. */
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

/** Tenants are few, but their branding comes from outside: the limit prevents a stream of changes from filling memory. */
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
