import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { webResource } from '../../kernel/web-resource'
import { readTheme, themeSchema } from './theme'

type Described = {
  type?: string
  properties?: Record<string, Described>
  required?: string[]
  minimum?: number
  maximum?: number
  enum?: string[]
  pattern?: string
  maxLength?: number
  anyOf?: Described[]
}

const require = createRequire(import.meta.url)
const { schema: vendors } = require('auth0-deploy-cli/lib/tools/auth0/handlers/themes') as {
  schema: { items: Described }
}
const own = z.toJSONSchema(themeSchema) as Described

type Bounds = { path: string; required: boolean; bounds: unknown }

/** Every member with what its values are held to; addresses and colours have patterns, which are compared by examples. */
function boundsOf(described: Described, path = ''): Bounds[] {
  return Object.entries(described.properties ?? {}).flatMap(([name, member]) => {
    const place = path === '' ? name : `${path}.${name}`
    const required = described.required?.includes(name) === true
    if (member.properties) return [{ path: place, required, bounds: 'members' }, ...boundsOf(member, place)]
    const { type = 'string', minimum, maximum, maxLength } = member
    const words = member.enum?.toSorted() ?? wordsOf(member.pattern)
    const bounds = place.endsWith('_url')
      ? 'address'
      : { type, minimum, maximum, words, ...(place === 'displayName' && { maxLength }) }
    return [{ path: place, required, bounds }]
  })
}

/** The vendor has one enumeration as a pattern. */
const wordsOf = (pattern: string | undefined): string[] | undefined =>
  /^\^\(([a-z|]+)\)\$$/
    .exec(pattern ?? '')?.[1]
    ?.split('|')
    .toSorted()

const byPath = (list: Bounds[]) => list.toSorted((a, b) => (a.path < b.path ? -1 : 1))

describe('a theme', () => {
  it('has the members and the bounds of the vendor’s own tool', () => {
    expect(byPath(boundsOf(own))).toEqual(byPath(boundsOf(vendors.items)))
  })

  it('has the vendor’s colours', () => {
    const pattern = new RegExp(vendors.items.properties?.colors?.properties?.error?.pattern ?? '')
    const { error: colour } = themeSchema.shape.colors.shape
    const texts = fc.stringMatching(/^#?[0-9a-fA-Fg]{0,9}$/)
    fc.assert(fc.property(texts, (text) => colour.safeParse(text).success === pattern.test(text)))
    for (const text of ['#fff\n', '#ffffff;}', ' #fff', 'red', 'rgb(0,0,0)'])
      expect(colour.safeParse(text).success).toBe(false)
  })

  it('has no member that the vendor does not have', () => {
    const theme = readTheme({})
    expect(themeSchema.safeParse(theme).success).toBe(true)
    expect(themeSchema.safeParse({ ...theme, css: 'x' }).success).toBe(false)
    expect(themeSchema.safeParse({ ...theme, colors: { ...theme.colors, css: '#fff' } }).success).toBe(false)
    expect(themeSchema.safeParse({ ...theme, displayName: '</style>' }).success).toBe(false)
  })
})

describe('an address that pages load from', () => {
  const vendorsPattern = new RegExp(vendors.items.properties?.fonts?.properties?.font_url?.pattern ?? '')

  it.each([
    'https://cdn.acme.test/inter.woff2',
    'https://cdn.acme.test:8443/a%20b/f.woff2?v=1&w=(2)#top',
    'https://127.0.0.1/logo.png',
    "https://cdn.acme.test/it's;a,b.svg",
    'https://xn--bcher-kva.test/x',
    'https://cdn.acme.test',
  ])('is %j, as at the vendor', (value) => {
    expect([webResource.safeParse(value).success, vendorsPattern.test(value)]).toEqual([true, true])
  })

  it.each([
    'http://cdn.acme.test/f.woff2',
    '//cdn.acme.test/f.woff2',
    '/f.woff2',
    'data:font/woff2;base64,AAAA',
    'javascript:alert(1)',
    'https://',
    'https:///cdn.acme.test',
    'https://user:password@cdn.acme.test/f',
    'https://a;script-src/f',
    'https://a,b.test/f',
    'https://a b.test/f',
    "https://a'b.test/f",
    'https://*.acme.test/f',
    'https://cdn.acme.test:99999/f',
    'https://[::1]/f',
    'https://cdn.acme.test/"){}*{color:red',
    'https://cdn.acme.test/\\"',
    'https://cdn.acme.test/\n',
    'https://cdn.acme.test/<style>',
    ' https://cdn.acme.test/',
    `https://cdn.acme.test/${'a'.repeat(2048)}`,
  ])('is not %j', (value) => {
    expect(webResource.safeParse(value).success).toBe(false)
  })
})

describe('a stored theme', () => {
  it('is complete when it is read, whatever was stored before its members had bounds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (stored, part) => {
        for (const value of [stored, { colors: part, fonts: { title: part }, widget: { logo_height: part } }]) {
          expect(themeSchema.safeParse(readTheme(value)).success).toBe(true)
        }
      }),
    )
  })

  it('keeps what is within the bounds, and has the default of what is not', () => {
    const stored = {
      displayName: 'Acme',
      borders: { button_border_radius: 9, input_border_radius: 11 },
      colors: { primary_button: '#123456', error: 'red', unknown: '#fff' },
      fonts: { title: { size: 10, bold: true } },
      themeId: 'x',
    }
    const { borders, colors, fonts, ...rest } = readTheme(stored)
    expect([borders.button_border_radius, borders.input_border_radius]).toEqual([9, 3])
    expect([colors.primary_button, colors.error]).toEqual(['#123456', '#d03c38'])
    expect(colors).not.toHaveProperty('unknown')
    expect(fonts.title).toEqual({ size: 150, bold: true })
    expect(Object.keys(rest)).toEqual(['displayName', 'page_background', 'widget'])
  })

  it('does not change by being read again', () => {
    const once = readTheme({ colors: { base_focus_color: '#abc' }, identifiers: {} })
    expect(readTheme(once)).toEqual(once)
    expect(once.colors.base_focus_color).toBe('#abc')
    expect(once).not.toHaveProperty('identifiers')
  })
})
