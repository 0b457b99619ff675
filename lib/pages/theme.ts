/**
 * The look of a tenant's pages: turns its branding or its theme into the custom properties that app/globals.css and app/themed.css use.
 *
 * WCAG 2.2 1.4.3 and 1.4.11: text has a contrast of 4.5:1 to what is behind it, and edges 3:1, whatever colours are chosen.
 * Invariant: the result contains parsed colours, numbers, words of this file and addresses of `webResource` only, so it is safe
 * inside a style element.
 */
import { createMemo } from '../kernel/memo'
import { webResourceIn } from '../kernel/web-resource'
import { BLACK, luminance, mix, parseHex, type Rgb, readableOn, shadeFor, toHex, WHITE } from './colour'
import { ruleOf } from './style-rule'
import type { Branding, Look, PageTheme } from './view'

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

const block = (colours: Properties): string =>
  ruleOf(':root', Object.fromEntries(Object.entries(colours).map(([name, colour]) => [`--${name}`, toHex(colour)])))

function brandedLook({ accent, pageBackground }: Branding): Look {
  const chosen = parseHex(accent ?? '') ?? DEFAULT_ACCENT
  const { paper, behind } = groundOf(pageBackground)
  return {
    css: `${block(day(chosen, paper))}@media(prefers-color-scheme:dark){${block(night(chosen))}}${behind}`,
    bar: { light: toHex(chosen), dark: toHex(dimmed(chosen)) },
    schemes: 'light dark',
  }
}

const isLight = (colour: Rgb): boolean => luminance(colour) >= LIGHTEST_PAPER

/** A light colour is the paper itself. Any other background lies behind a box of paper, as the vendor's pages have it. */
function groundOf(background: Branding['pageBackground']): { paper: Rgb; behind: string } {
  if (background === undefined) return { paper: PAPER, behind: '' }
  if (typeof background === 'object') return { paper: PAPER, behind: boxedBefore(gradientOf(background)) }
  const colour = parseHex(background)
  if (!colour) return { paper: PAPER, behind: '' }
  return isLight(colour) ? { paper: colour, behind: '' } : { paper: PAPER, behind: boxedBefore(toHex(colour)) }
}

type Gradient = Exclude<Branding['pageBackground'], string | undefined>

/** A direction that is no number is the default of CSS. */
function gradientOf({ start, end, angle_deg: angle }: Gradient): string | undefined {
  const [from, to] = [parseHex(start), parseHex(end)]
  const direction = Number.isFinite(angle) ? `${Number(angle)}deg,` : ''
  return from && to && `linear-gradient(${direction}${toHex(from)},${toHex(to)})`
}

const BOX = {
  padding: 'clamp(1.25rem,5vw,2.25rem)',
  'border-radius': '.75rem',
  background: 'var(--paper)',
}

const boxedBefore = (background: string | undefined): string =>
  background === undefined
    ? ''
    : ruleOf('.stage .room', { background }) +
      ruleOf('.card,.portal', BOX) +
      ruleOf('.card', { 'max-width': '29.5rem' })

const FONT = '"Tenant"'

/** The address of the tenant's font; undefined where a page may not load it. */
export const fontOf = ({ fontUrl }: Branding): string | undefined =>
  fontUrl === undefined ? undefined : webResourceIn(fontUrl)

function fontRules(branding: Branding): string {
  const url = fontOf(branding)
  if (url === undefined) return ''
  const face = ruleOf('@font-face', { 'font-family': FONT, src: `url("${url}")`, 'font-display': 'swap' })
  return face + ruleOf('html', { 'font-family': `${FONT},var(--font-sans)` })
}

/** Tenants are few, but their branding comes from outside: the limit prevents a stream of changes from filling memory. */
const MAX_KEPT = 100
const remembered = createMemo<Look>(MAX_KEPT)

export function themeFor(branding: Branding, theme?: PageTheme): Look {
  const { accent, pageBackground, fontUrl } = branding
  const key = JSON.stringify([theme?.id, accent, pageBackground, fontUrl])
  return remembered(key, () => {
    const { css, bar, schemes } = theme ?? brandedLook(branding)
    return { css: css + fontRules(branding), bar, schemes }
  })
}
