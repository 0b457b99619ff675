import fc from 'fast-check'
import { createElement, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Document } from '../../components/document'
import { definitionOf, hostedScreens, pageCommon, TRANSLATORS } from '../testing/hosted-pages'
import { directionOf, LOCALES } from '../text/locale'
import { renderMarkup } from './markup'
import type { PageView } from './screens'
import { themeFor } from './theme'

/** Normalizes order and case of attributes, which have no meaning in HTML: React writes some attributes in a different order. */
function normalised(html: string): string {
  return html.replace(/<([a-z0-9]+)((?: [A-Za-z-]+="[^"]*")+)/g, (_tag, name: string, attributes: string) => {
    const sorted = [...attributes.matchAll(/ ([A-Za-z-]+)="([^"]*)"/g)].map(
      ([, key, value]) => `${key?.toLowerCase()}="${value}"`,
    )
    return `<${name} ${sorted.sort().join(' ')}`
  })
}

const bodyOf = (html: string) => normalised(html).slice(html.indexOf('<body'))

function documentOf(view: PageView) {
  const { locale } = view
  return createElement(Document, {
    screen: definitionOf(view.screen),
    view,
    look: themeFor(view.branding, view.theme),
    direction: directionOf(locale),
    t: TRANSLATORS[locale],
  })
}

const SPECIAL_CASES: Record<string, ReactNode> = {
  booleans: createElement('input', { required: true, hidden: false, 'aria-busy': true, 'data-on': false }),
  'fragments and empty values': createElement(Fragment, null, undefined, true, createElement('br'), 0),
  'enumerated attributes': createElement('p', { spellCheck: false }),
}

const REFUSED: Record<string, ReactNode> = {
  'a handler': createElement('button', { type: 'button', onClick: () => undefined }),
  'a style object': createElement('p', { style: { color: 'red' } }),
  'raw HTML': createElement('p', { [`dangerously${'SetInnerHTML'}`]: { __html: '<b>' } }),
  'an end tag inside a style element': createElement('style', null, '</style><script>'),
  'elements inside a script element': createElement('script', null, createElement('p')),
  'a promise': Promise.resolve('late'),
}

describe('renderMarkup', () => {
  it.each(LOCALES)('writes every hosted page in %s exactly as react-dom does', (locale) => {
    for (const screen of hostedScreens) {
      const document = documentOf({ ...pageCommon, locale, ...screen })
      expect(bodyOf(renderMarkup(document))).toBe(bodyOf(renderToStaticMarkup(document)))
    }
  })

  it('writes the head with the same elements, which react-dom only reorders', () => {
    const elements = (html: string) =>
      normalised(html)
        .split('<body')[0]
        ?.match(/<[^/][^>]*>/g)
        ?.sort()
    for (const screen of hostedScreens) {
      const document = documentOf({ ...pageCommon, ...screen })
      expect(elements(renderMarkup(document))).toEqual(elements(renderToStaticMarkup(document)))
    }
  })

  it('escapes any text and any attribute as react-dom does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const element = createElement('p', { title: text, 'data-x': text }, text, ' ', 7, null, false, [text])
        expect(renderMarkup(element)).toBe(renderToStaticMarkup(element))
      }),
    )
    expect(renderMarkup(`<&>"'`)).toBe('&lt;&amp;&gt;&quot;&#x27;')
  })

  it.each(Object.entries(SPECIAL_CASES))('agrees with react-dom on %s', (_what, element) => {
    expect(normalised(renderMarkup(element))).toBe(normalised(renderToStaticMarkup(element)))
  })

  it.each(Object.entries(REFUSED))('the renderer refuses %s', (_what, node) => {
    expect(() => renderMarkup(node)).toThrow(TypeError)
  })
})
