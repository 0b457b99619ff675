/**
 * A tenant's theme as custom properties for app/themed.css. Its colours are those of one scheme, light or dark, whichever the visitor
 * prefers; a colour is changed only as far as contrast demands.
 */

import type { Theme } from '../data/tenants/theme'
import { createMemo } from '../kernel/memo'
import { digest } from '../kernel/secret'
import { webResourceIn } from '../kernel/web-resource'
import { BLACK, contrast, luminance, mix, parseHex, type Rgb, readableOn, shadeFor, toHex, WHITE } from './colour'
import { ruleOf } from './style-rule'
import type { Branding, Look, PageTheme } from './view'

type Override = Pick<Branding, 'accent' | 'pageBackground'>

/** Text on a darker background than this is light. */
const DARKEST_LIGHT = 0.18

const TEXT = 4.5
const EDGE = 3

/** A tint of the paper that text for the paper stays legible on. */
function washOf(paper: Rgb, tint: Rgb, share: number): Rgb {
  const ink = readableOn(paper)
  const wash = mix(paper, tint, share)
  return contrast(ink, wash) >= TEXT ? wash : mix(paper, ink === WHITE ? BLACK : WHITE, share)
}

type Colours = Readonly<Record<string, Rgb>> & { page: Rgb; paper: Rgb; fill: Rgb; field: Rgb }

function coloursOf(colors: Theme['colors'], { accent, pageBackground }: Override): Colours {
  const page = (typeof pageBackground === 'string' ? parseHex(pageBackground) : undefined) ?? WHITE
  const paper = parseHex(colors.widget_background, page) ?? WHITE
  const ink = readableOn(paper)
  /** A colour of the theme over what is behind it. */
  const read = (value: string | undefined, behind = paper, otherwise = ink): Rgb =>
    (value === undefined ? undefined : parseHex(value, behind)) ?? otherwise
  const error = read(colors.error)
  const wash = washOf(paper, ink, 0.06)
  const dangerWash = washOf(paper, error, 0.08)
  const field = read(colors.input_background, paper, paper)
  const readOnly = read(colors.read_only_background, paper, wash)
  const fill = read(accent)
  const onFill = shadeFor(read(colors.primary_button_label, fill, readableOn(fill)), fill, TEXT)
  const body = shadeFor(read(colors.body_text), [paper, wash, dangerWash], TEXT)
  const links = read(colors.links_focused_components)
  return {
    page,
    paper,
    surface: paper,
    'note-wash': wash,
    'danger-wash': dangerWash,
    hairline: mix(paper, ink, 0.15),
    ink: body,
    muted: body,
    header: shadeFor(read(colors.header), paper, TEXT),
    label: shadeFor(read(colors.input_labels_placeholders), paper, TEXT),
    link: shadeFor(links, [paper, wash], TEXT),
    danger: shadeFor(error, [paper, dangerWash], TEXT),
    success: shadeFor(read(colors.success), [paper, wash], EDGE),
    icon: shadeFor(read(colors.icons), paper, EDGE),
    focus: shadeFor(read(colors.base_focus_color ?? colors.links_focused_components), paper, EDGE),
    fill,
    'fill-edge': shadeFor(fill, paper, EDGE),
    'fill-strong': hoverOf(fill, onFill, read(colors.base_hover_color, fill, BLACK)),
    'on-fill': onFill,
    door: fill,
    'on-door': readableOn(fill),
    'second-edge': shadeFor(read(colors.secondary_button_border), paper, EDGE),
    'second-ink': shadeFor(read(colors.secondary_button_label), [paper, wash], TEXT),
    field,
    'field-ink': shadeFor(read(colors.input_filled_text, field, readableOn(field)), field, TEXT),
    'field-link': shadeFor(links, field, TEXT),
    edge: shadeFor(read(colors.input_border), paper, EDGE),
    'read-only': readOnly,
    'read-only-ink': shadeFor(read(colors.body_text, readOnly), readOnly, TEXT),
    'widget-edge': read(colors.widget_border, page),
  }
}

/** A filled button under the pointer: a little of the hover colour, as far as its label stays legible. */
function hoverOf(fill: Rgb, label: Rgb, hover: Rgb): Rgb {
  const candidates = [hover, BLACK, WHITE].map((colour) => mix(fill, colour, 0.16))
  return candidates.find((colour) => contrast(colour, label) >= TEXT) ?? fill
}

const clamped = (value: number, min: number, max: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(value, min), max) : min

const px = (value: number, min: number, max: number): string => `${clamped(value, min, max)}px`

const radius = (style: string, rounded: string): string =>
  style === 'pill' ? '9999px' : style === 'sharp' ? '0px' : rounded

/** What has hardly any contrast to the paper is recognized by its edge. */
const edgeWeight = (weight: number, colour: Rgb, paper: Rgb, max: number): string =>
  px(weight, contrast(colour, paper) < EDGE ? 1 : 0, max)

function bordersOf(borders: Theme['borders'], { paper, fill, field }: Colours): Record<string, string> {
  return {
    '--button-radius': radius(borders.buttons_style, px(borders.button_border_radius, 0, 10)),
    '--button-weight': px(borders.button_border_weight, 0, 10),
    '--fill-weight': edgeWeight(borders.button_border_weight, fill, paper, 10),
    '--field-radius': radius(borders.inputs_style, px(borders.input_border_radius, 0, 10)),
    '--field-weight': edgeWeight(borders.input_border_weight, field, paper, 3),
    '--widget-radius': px(borders.widget_corner_radius, 0, 50),
    '--widget-weight': px(borders.widget_border_weight, 0, 10),
    '--widget-shadow': borders.show_widget_shadow === true ? '0 12px 40px rgb(0 0 0/.12)' : 'none',
  }
}

const SMALLEST_REFERENCE_PX = 12
const LARGEST_REFERENCE_PX = 24
const BROWSER_PX = 16

/** Sizes are in rem, so that they follow the visitor's own setting; none is below 12 pixels of it. */
function fontsOf(fonts: Theme['fonts'], { link, ink }: Colours): Record<string, string> {
  const reference = clamped(fonts.reference_text_size, SMALLEST_REFERENCE_PX, LARGEST_REFERENCE_PX)
  const smallest = SMALLEST_REFERENCE_PX / reference
  const named = {
    title: fonts.title,
    lead: fonts.subtitle,
    body: fonts.body_text,
    'button-text': fonts.buttons_text,
  } as const
  const each = Object.entries({ ...named, label: fonts.input_labels, link: fonts.links }).flatMap(
    ([name, { size, bold }]) => [
      [`--${name}-size`, `${rounded(clamped(size / 100, smallest, 1.5))}rem`],
      [`--${name}-weight`, bold === true ? '700' : '400'],
    ],
  )
  return {
    ...Object.fromEntries(each),
    '--smallest': `${rounded(smallest)}rem`,
    '--link-line': isLined(fonts, link as Rgb, ink as Rgb) ? 'underline' : 'none',
    'font-size': `${rounded((reference / BROWSER_PX) * 100)}%`,
  }
}

/** WCAG 1.4.1: a link within text differs from it by more than a colour of little contrast. */
const isLined = ({ links_style, links }: Theme['fonts'], link: Rgb, ink: Rgb): boolean =>
  links_style === 'underlined' || (links.bold !== true && contrast(link, ink) < EDGE)

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Of the reading direction, so that a page from right to left is its mirror image. */
const ALONG = { left: 'start', center: 'center', right: 'end', none: 'center' } as const
/** Of the window, where a picture leaves its space. */
const ACROSS = { left: 'left', center: 'center', right: 'right' } as const

const wordOf = <Word extends string>(words: Readonly<Record<string, Word>>, value: string): Word | 'center' =>
  (Object.hasOwn(words, value) ? words[value] : undefined) ?? 'center'

function layoutOf({ page_background: background, widget }: Theme): Record<string, string> {
  const image = webResourceIn(background.background_image_url)
  return {
    '--page-layout': wordOf(ACROSS, background.page_layout),
    '--page-image': image === undefined ? 'none' : `url("${image}")`,
    '--header-align': wordOf(ALONG, widget.header_text_alignment),
    '--logo-align': wordOf(ALONG, widget.logo_position),
    '--logo-height': px(widget.logo_height, 1, 100),
  }
}

export function themedLook(override: Override, theme: Theme): Look & { schemes: 'light' | 'dark' } {
  const colours = coloursOf(theme.colors, override)
  const scheme = schemeOf(colours.paper)
  const painted = Object.entries(colours).map(([name, colour]) => [`--${name}`, toHex(colour)])
  const declarations = {
    'color-scheme': scheme,
    ...Object.fromEntries(painted),
    ...bordersOf(theme.borders, colours),
    ...fontsOf(theme.fonts, colours),
    ...layoutOf(theme),
  }
  const bar = toHex(colours.page)
  return { css: ruleOf(':root', declarations), bar: { light: bar, dark: bar }, schemes: scheme }
}

const schemeOf = (paper: Rgb): 'light' | 'dark' => (luminance(paper) < DARKEST_LIGHT ? 'dark' : 'light')

/** A theme as a tenant's pages have it. */
export type TenantTheme = Theme & { id: string }

export const openTheme = (theme: Theme): TenantTheme => ({
  ...theme,
  id: digest(JSON.stringify(theme)).toString('base64url'),
})

/** Each organization may have colours of its own. */
const MAX_KEPT = 100
const remembered = createMemo<PageTheme>(MAX_KEPT)

/** What a page has of the theme, with the colours of its branding. */
export function pageThemeOf(theme: TenantTheme, override: Override): PageTheme {
  const key = JSON.stringify([theme.id, override.accent, override.pageBackground])
  return remembered(key, () => {
    const look = themedLook(override, theme)
    const { captcha_widget_theme: chosen = 'auto' } = theme.colors
    return {
      ...look,
      id: theme.id,
      showsLogo: theme.widget.logo_position !== 'none',
      providersFirst: theme.widget.social_buttons_layout === 'top',
      captcha: chosen === 'auto' ? look.schemes : chosen,
    }
  })
}
