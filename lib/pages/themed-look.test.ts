import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTheme, type Theme } from '../data/tenants/theme'
import { contrast, parseHex, type Rgb } from './colour'
import { brandingOf } from './respond'
import { themeFor } from './theme'
import { openTheme, pageThemeOf, themedLook } from './themed-look'

const COLOURS = Object.keys(readTheme({}).colors).concat('base_focus_color', 'base_hover_color', 'read_only_background')

const part = (name: string, members: object) => readTheme({ [name]: members })

const look = (theme: Theme) =>
  themedLook({ accent: theme.colors.primary_button, pageBackground: theme.page_background.background_color }, theme)

/** The custom properties of a style sheet. */
function propertiesOf(css: string): Record<string, string> {
  const [, inner = ''] = /^:root\{(.*)\}$/s.exec(css) ?? []
  return Object.fromEntries(
    inner.split(';').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}

const propertyOf = (theme: Theme, name: string) => propertiesOf(look(theme).css)[name]

function colourIn(properties: Record<string, string>, name: string): Rgb {
  const colour = parseHex(properties[`--${name}`] ?? '')
  if (!colour) throw new Error(`no colour ${name}`)
  return colour
}

const hex = fc.integer({ min: 0, max: 0xffffffff }).map((value) => `#${value.toString(16).padStart(8, '0')}`)
const opaque = hex.map((value) => value.slice(0, 7))
const palette = fc.record(Object.fromEntries([...COLOURS, 'page'].map((name) => [name, fc.oneof(hex, opaque)])))

/** Each text, and what can be behind it. */
const TEXTS: [text: string, behind: string[]][] = [
  ['ink', ['paper', 'surface', 'note-wash', 'danger-wash']],
  ['muted', ['paper', 'surface', 'note-wash']],
  ['header', ['paper']],
  ['label', ['paper']],
  ['link', ['paper', 'note-wash']],
  ['danger', ['paper', 'danger-wash']],
  ['on-fill', ['fill', 'fill-strong']],
  ['on-door', ['door']],
  ['second-ink', ['paper', 'note-wash']],
  ['field-ink', ['field']],
  ['field-link', ['field']],
  ['read-only-ink', ['read-only']],
]
const EDGES = ['edge', 'second-edge', 'fill-edge', 'focus', 'icon', 'success']

describe('the look of a theme', () => {
  it('keeps every text and every edge legible, whatever colours are chosen', () => {
    fc.assert(
      fc.property(palette, ({ page, ...colors }) => {
        const theme = readTheme({ colors, page_background: { background_color: page } })
        const properties = propertiesOf(look(theme).css)
        for (const [text, behind] of TEXTS) {
          for (const each of behind)
            expect(
              contrast(colourIn(properties, text), colourIn(properties, each)),
              `${text} on ${each}`,
            ).toBeGreaterThanOrEqual(4.5)
        }
        for (const edge of EDGES)
          expect(contrast(colourIn(properties, edge), colourIn(properties, 'paper')), edge).toBeGreaterThanOrEqual(3)
      }),
      { numRuns: 300 },
    )
  })

  it('has the colours as they are where they are legible', () => {
    const colors = {
      widget_background: '#0b1e4b',
      body_text: '#dbe4ff',
      header: '#ffd7ee',
      input_background: '#13295e',
      input_filled_text: '#ffffff',
      input_border: '#7f9aef',
      links_focused_components: '#7ee0ff',
      primary_button: '#0a84ff',
      primary_button_label: '#000000',
      error: '#ff8b8b',
      base_focus_color: '#ffd23f',
      widget_border: '#ff2fa4',
    }
    const properties = propertiesOf(look(part('colors', colors)).css)
    expect(properties).toMatchObject({
      '--paper': '#0b1e4b',
      '--ink': '#dbe4ff',
      '--header': '#ffd7ee',
      '--field': '#13295e',
      '--field-ink': '#ffffff',
      '--edge': '#7f9aef',
      '--link': '#7ee0ff',
      '--fill': '#0a84ff',
      '--on-fill': '#000000',
      '--danger': '#ff8b8b',
      '--focus': '#ffd23f',
      '--widget-edge': '#ff2fa4',
    })
    expect([look(part('colors', colors)).schemes, look(readTheme({})).schemes]).toEqual(['dark', 'light'])
  })

  it('uses each colour: the pages differ by it', () => {
    const colors = { widget_background: '#ffffffcc', primary_button: '#dddddd', primary_button_label: '#000000' }
    const plain = readTheme({ colors })
    for (const name of COLOURS.filter((each) => each !== 'captcha_widget_theme')) {
      const changed = readTheme({ colors: { ...plain.colors, [name]: name.includes('background') ? '#fce' : '#610' } })
      expect(look(changed).css, name).not.toBe(look(plain).css)
    }
  })

  it.each([
    ['borders', { buttons_style: 'pill' }, { '--button-radius': '9999px', '--field-radius': '3px' }],
    [
      'borders',
      { buttons_style: 'sharp', inputs_style: 'pill' },
      { '--button-radius': '0px', '--field-radius': '9999px' },
    ],
    [
      'borders',
      { button_border_radius: 7.5, input_border_radius: 0 },
      { '--button-radius': '7.5px', '--field-radius': '0px' },
    ],
    [
      'borders',
      { button_border_weight: 4, input_border_weight: 2.5 },
      { '--button-weight': '4px', '--field-weight': '2.5px' },
    ],
    [
      'borders',
      { widget_corner_radius: 50, widget_border_weight: 10 },
      { '--widget-radius': '50px', '--widget-weight': '10px' },
    ],
    ['borders', { show_widget_shadow: false }, { '--widget-shadow': 'none' }],
    ['fonts', { reference_text_size: 24 }, { 'font-size': '150%', '--title-size': '1.5rem' }],
    ['fonts', { title: { size: 75, bold: true } }, { '--title-size': '0.75rem', '--title-weight': '700' }],
    ['fonts', { body_text: { size: 110, bold: true } }, { '--body-size': '1.1rem', '--body-weight': '700' }],
    ['fonts', { subtitle: { size: 120, bold: true } }, { '--lead-size': '1.2rem', '--lead-weight': '700' }],
    [
      'fonts',
      { buttons_text: { size: 90, bold: true } },
      { '--button-text-size': '0.9rem', '--button-text-weight': '700' },
    ],
    ['fonts', { input_labels: { size: 80, bold: true } }, { '--label-size': '0.8rem', '--label-weight': '700' }],
    [
      'fonts',
      { links: { size: 100, bold: false }, links_style: 'underlined' },
      { '--link-size': '1rem', '--link-line': 'underline' },
    ],
    ['page_background', { page_layout: 'right' }, { '--page-layout': 'right', '--page-image': 'none' }],
    ['page_background', { background_color: '#123' }, { '--page': '#112233' }],
    [
      'page_background',
      { background_image_url: 'https://cdn.test/a b.png'.replace(' ', '%20') },
      { '--page-image': 'url("https://cdn.test/a%20b.png")' },
    ],
    [
      'widget',
      { header_text_alignment: 'left', logo_position: 'right' },
      { '--header-align': 'start', '--logo-align': 'end' },
    ],
    ['widget', { logo_height: 100 }, { '--logo-height': '100px' }],
  ])('the part %s of a theme applies %j', (name, members, properties) => {
    expect(propertiesOf(look(part(name, members)).css)).toMatchObject(properties)
  })

  it('keeps text of no size at 12 pixels, whatever the reference is', () => {
    const none = { size: 0, bold: false }
    const fonts = (reference_text_size: number) => part('fonts', { reference_text_size, body_text: none, links: none })
    expect([propertyOf(fonts(12), '--body-size'), propertyOf(fonts(24), '--link-size')]).toEqual(['1rem', '0.5rem'])
    expect([propertyOf(fonts(12), '--smallest'), propertyOf(fonts(24), '--smallest')]).toEqual(['1rem', '0.5rem'])
  })

  it('keeps an edge around fields and buttons that hardly differ from the paper', () => {
    const weights = { button_border_weight: 0, input_border_weight: 0 }
    const pale = readTheme({ borders: weights, colors: { primary_button: '#fffff0', input_background: '#ffffff' } })
    expect([propertyOf(pale, '--field-weight'), propertyOf(pale, '--fill-weight')]).toEqual(['1px', '1px'])
    const strong = readTheme({ borders: weights, colors: { primary_button: '#000080', input_background: '#333333' } })
    expect([propertyOf(strong, '--field-weight'), propertyOf(strong, '--fill-weight')]).toEqual(['0px', '0px'])
  })

  it('underlines links that only a faint difference of colour sets apart', () => {
    const fonts = { links: { size: 100, bold: false }, links_style: 'normal' }
    const colors = (link: string) => ({ body_text: '#000000', links_focused_components: link })
    expect(propertyOf(readTheme({ fonts, colors: colors('#222222') }), '--link-line')).toBe('underline')
    expect(propertyOf(readTheme({ fonts, colors: colors('#0066cc') }), '--link-line')).toBe('none')
    expect(propertyOf(readTheme({ colors: colors('#222222') }), '--link-line')).toBe('none')
  })

  it('is safe inside a style element, whatever text a theme holds', () => {
    const attack = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'red;}*{',
        '</style><script>',
        '"){}',
        'url(x)',
        'https://x.test/");}',
        '\\',
        '/*',
        '#fff}',
        'constructor',
      ),
    )
    const theme = readTheme({})
    const paths = leavesOf(theme)
    const shape = structureOf(look(theme).css)
    fc.assert(
      fc.property(fc.constantFrom(...paths), attack, (path, value) => {
        const evil = structuredClone(theme)
        const [last = '', ...outer] = path.toReversed()
        const holder = outer.reduceRight<Record<string, unknown>>(
          (at, name) => at[name] as Record<string, unknown>,
          evil as unknown as Record<string, unknown>,
        )
        holder[last] = value
        expect(structureOf(look(evil).css)).toBe(shape)
      }),
      { numRuns: 1000 },
    )
  })
})

const leavesOf = (value: object, path: string[] = []): string[][] =>
  Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'object' ? leavesOf(member, [...path, name]) : [[...path, name]],
  )

/** The style sheet with each value's kind in its place; a value of no known kind remains, and breaks the equality. */
const structureOf = (css: string): string =>
  css.replace(
    /:(#[0-9a-f]{6}|-?[\d.]+(?:px|rem|%)|\d{3}|[a-z]+|0 12px 40px rgb\(0 0 0\/\.12\)|url\("https:\/\/[\w.\-/%?=&]*"\))(?=[;}])/g,
    ':_',
  )

describe('a tenant’s theme and its branding', () => {
  const theme = readTheme({ colors: { primary_button: '#112233' }, page_background: { background_color: '#445566' } })
  const settings = {
    tenant: { picture_url: 'https://t.test/p.png' },
    branding: {
      logo_url: 'https://b.test/l.png',
      favicon_url: 'https://b.test/f.ico',
      colors: { primary: '#aabbcc', page_background: '#ffffff' },
      font: { url: 'https://b.test/f.woff2' },
    },
  } as unknown as Parameters<typeof brandingOf>[0]['settings']
  const branding = (given: Theme | null) => brandingOf({ settings, tenantName: 'T', theme: given })

  it('are the branding alone where there is no theme', () => {
    expect(branding(null)).toEqual({
      tenantName: 'T',
      logoUrl: 'https://b.test/l.png',
      faviconUrl: 'https://b.test/f.ico',
      fontUrl: 'https://b.test/f.woff2',
      accent: '#aabbcc',
      pageBackground: '#ffffff',
    })
  })

  it('are the theme where it says something, and the branding where its address is empty', () => {
    expect(branding(theme)).toMatchObject({
      accent: '#112233',
      pageBackground: '#445566',
      logoUrl: 'https://b.test/l.png',
      fontUrl: 'https://b.test/f.woff2',
    })
    const own = { ...theme, fonts: { ...theme.fonts, font_url: 'https://t.test/f.woff2' } }
    const pictured = { ...own, widget: { ...own.widget, logo_url: 'https://t.test/l.png' } }
    expect(branding(pictured)).toMatchObject({ logoUrl: 'https://t.test/l.png', fontUrl: 'https://t.test/f.woff2' })
  })

  it('give way to the colours of an organization', () => {
    const css = (over: object) => {
      const merged = { ...branding(theme), ...over }
      return themeFor(merged, pageThemeOf(openTheme(theme), merged)).css
    }
    expect(css({})).toContain('--fill:#112233')
    expect(css({ accent: '#ff0000', pageBackground: '#00ff00' })).toContain('--fill:#ff0000')
    expect(css({ accent: '#ff0000', pageBackground: '#00ff00' })).toContain('--page:#00ff00')
  })
})

describe('the captcha of a third party', () => {
  it.each([
    ['auto', '#ffffff', 'light'],
    ['auto', '#101010', 'dark'],
    ['dark', '#ffffff', 'dark'],
    ['light', '#101010', 'light'],
    [undefined, '#101010', 'dark'],
  ])('the captcha theme %j on %s is %s', (captcha_widget_theme, widget_background, shown) => {
    const colors = { widget_background, ...(captcha_widget_theme && { captcha_widget_theme }) }
    expect(pageThemeOf(openTheme(part('colors', colors)), {}).captcha).toBe(shown)
  })
})

it('gives each theme an id of its own', () => {
  expect(openTheme(readTheme({})).id).toBe(openTheme(readTheme({ themeId: 'x' })).id)
  expect(openTheme(readTheme({})).id).not.toBe(openTheme(part('widget', { logo_height: 51 })).id)
})
