import { describe, expect, it } from 'vitest'
import { readTheme } from '../data/tenants/theme'
import { pageCommon, renderAnew, renderPage, samplesOf } from '../testing/hosted-pages'
import { LOCALES } from '../text/locale'
import { renderKept } from './kept-page'
import type { PageView } from './screens'
import { openTheme, pageThemeOf } from './themed-look'

const minted = (letter: string, length: number): string => `${letter.repeat(length - 2)}-_`
const handles = [minted('a', 43), minted('b', 43)]

const page = (state: string, over: Partial<PageView> = {}): PageView =>
  ({
    ...pageCommon,
    ...samplesOf('login')[0],
    nonce: minted(state.charAt(0).toUpperCase(), 22),
    state,
    resetUrl: `/u/forgot-password?state=${state}`,
    signUpUrl: `/u/signup?state=${state}`,
    ...over,
  }) as PageView

function counted(): { render(view: PageView): string; times(): number } {
  let times = 0
  return {
    render(view) {
      times += 1
      return renderAnew(view)
    },
    times: () => times,
  }
}

describe('a kept login page', () => {
  it.each(LOCALES)('is in %s identical to a fresh rendering', (locale) => {
    for (const screen of samplesOf('login')) {
      for (const handle of handles) {
        const view = page(handle, { ...screen, state: handle, locale })
        expect(renderPage(view)).toBe(renderAnew(view))
      }
    }
  })

  it('is rendered once for all logins, and holds nothing of another one', () => {
    const { render, times } = counted()
    const pages = handles.map((handle) => renderKept(page(handle, { branding: { tenantName: 'Once' } }), render))
    expect(times()).toBe(1)
    expect(pages[1]).not.toContain(handles[0])
    expect(pages[1]).not.toContain(minted('A', 22))
    expect(pages.join()).not.toContain('\0')
  })

  it('is found by everything that it shows', () => {
    const { render } = counted()
    const others = [
      { client: { name: 'Other' } },
      { branding: { tenantName: 'Other' } },
      { notice: 'wrong_credentials' as const },
      { assets: { stylesheet: '/other.css', themed: '/more.css', script: '/other.js' } },
      { linking: true as const },
    ]
    for (const other of others) {
      const view = page(handles[0] ?? '', other)
      expect(renderKept(view, render)).toBe(renderAnew(view))
    }
  })

  it('is found by the texts that the tenant changed, and is never shown without them', () => {
    const { render, times } = counted()
    const own = (title: string) => page(handles[0] ?? '', { texts: { id: title, texts: { 'login.title': title } } })
    const branding = { branding: { tenantName: 'Own texts' } }
    for (const view of [own('One'), own('Two'), page(handles[0] ?? ''), own('One')])
      renderKept({ ...view, ...branding } as PageView, (kept) => {
        expect(kept.texts).toEqual(view.texts)
        return render(kept)
      })
    expect(times()).toBe(3)
  })

  it('is found by the theme of the tenant, and is never shown without it', () => {
    const { render, times } = counted()
    const themed = (height: number) =>
      page(handles[0] ?? '', { theme: pageThemeOf(openTheme(readTheme({ widget: { logo_height: height } })), {}) })
    const branding = { branding: { tenantName: 'Own theme' } }
    for (const view of [themed(10), themed(20), page(handles[0] ?? ''), themed(10)])
      renderKept({ ...view, ...branding } as PageView, (kept) => {
        expect(kept.theme).toEqual(view.theme)
        return render(kept)
      })
    expect(times()).toBe(3)
  })

  it('caches nothing with user input, nor with a handle that was not minted here', () => {
    const typed = counted()
    const view = page(handles[0] ?? '', { identifier: 'ada@example.com' })
    expect(renderKept(view, typed.render)).toContain('value="ada@example.com"')
    renderKept(view, typed.render)
    expect(typed.times()).toBe(2)
    const strange = counted()
    for (const state of ['', 'a', '"><script>'])
      renderKept(page(state, { branding: { tenantName: 'S' } }), strange.render)
    expect(strange.times()).toBe(3)
  })

  it('does not outgrow its bound', () => {
    const { render, times } = counted()
    const named = (number: number) => page(handles[0] ?? '', { branding: { tenantName: `Tenant ${number}` } })
    for (let number = 0; number < 250; number++) renderKept(named(number), render)
    renderKept(named(249), render)
    expect(times()).toBe(250)
    renderKept(named(0), render)
    expect(times()).toBe(251)
  })
})
