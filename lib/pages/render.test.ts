import { describe, expect, it } from 'vitest'
import { renderPage } from './render'
import { ERROR_CODES, LOCALES, NOTICE_CODES, type PageCommon, type ScreenView } from './view'

const common: PageCommon = {
  locale: 'en',
  branding: { tenantName: 'Northwind' },
  nonce: 'n0nce',
  assets: { stylesheet: '/hosted.css', script: '/comfort.js' },
}

const client = { name: 'Harbour Notes' }
const form = { action: '/u/submit', state: 'the-state' }

const login: ScreenView = { screen: 'login', ...form, client, identifierKind: 'either', cancel: true }
const consent: ScreenView = {
  screen: 'consent',
  ...form,
  client: { ...client, thirdParty: true },
  user: { name: 'Ada' },
  scopes: [{ value: 'openid' }, { value: 'email', description: 'Read all your mail' }, { value: 'write:notes' }],
}
const ada = { id: 'u1', name: 'Ada Lovelace', email: 'ada@example.com' }
const accounts: ScreenView = { screen: 'select-account', ...form, client, accounts: [ada], cancel: true }

const SCREENS: readonly ScreenView[] = [
  login,
  ...NOTICE_CODES.map((notice) => ({ ...login, notice })),
  accounts,
  { ...accounts, accounts: [ada, { id: 'u2', name: 'Grace' }] },
  consent,
  { screen: 'logged-out' },
  { screen: 'logged-out', returnUrl: 'myapp://home' },
  { screen: 'confirm-logout', action: '/oidc/logout', fields: { state: 'x' } },
  { screen: 'confirm-logout', action: '/oidc/logout', fields: {}, client, user: { name: 'Ada' } },
  ...ERROR_CODES.map((code): ScreenView => ({ screen: 'error', status: 400, code, requestId: 'r1' })),
  { screen: 'unblock', action: '/u/unblock', ticket: 't', phase: 'ask' },
  { screen: 'unblock', action: '/u/unblock', ticket: 't', phase: 'done', continueUrl: '/' },
]

const render = (view: ScreenView, over: Partial<PageCommon> = {}): string => renderPage({ ...common, ...over, ...view })

describe.each(LOCALES)('in %s', (locale) => {
  it('renders every screen completely', () => {
    for (const view of SCREENS) {
      const html = render(view, { locale })
      expect(html).toMatch(/^<!doctype html><html lang="[a-z]{2}" dir="(ltr|rtl)">/)
      expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(html.match(/<h1/g)).toHaveLength(1)
      expect(html).not.toMatch(/undefined|\[object|\{(client|tenant|user|kind|api|title)\}/)
    }
  })
})

describe('every screen', () => {
  it('runs nothing inline and posts nowhere by script', () => {
    for (const view of SCREENS) {
      const html = render(view)
      expect(html).not.toMatch(/\son[a-z]+=/i)
      expect(html).not.toMatch(/\sstyle="/)
      expect(html.match(/<script/g)).toHaveLength(1)
      expect(html).toContain('<script src="/comfort.js" nonce="n0nce" defer=""></script>')
      expect(html).toContain('<style nonce="n0nce">')
    }
  })

  it('escapes whatever a client, a tenant or a profile contains', () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'</title></style>'
    const named = { name: evil, logoUrl: evil, homepage: evil }
    const views: ScreenView[] = [
      { ...login, state: evil, action: evil, client: named, identifier: evil, signUpUrl: evil, resetUrl: evil },
      { ...accounts, accounts: [{ id: evil, name: evil, email: evil, picture: evil }], client: named },
      { ...accounts, accounts: [ada, { id: evil, name: evil }], client: named },
      {
        ...consent,
        client: { ...named, thirdParty: true },
        user: { name: evil, email: evil },
        audienceName: evil,
        scopes: [{ value: evil }, { value: 'b', description: evil }],
      },
      { screen: 'logged-out', returnUrl: evil },
      {
        screen: 'confirm-logout',
        action: evil,
        fields: { [evil]: evil, b: evil },
        client: named,
        user: { name: evil },
      },
      {
        screen: 'error',
        status: 400,
        code: 'not_found',
        detail: { [evil]: evil },
        requestId: evil,
        back: { href: evil, label: evil },
      },
      { screen: 'unblock', action: evil, ticket: evil, phase: 'ask' },
    ]
    const branding = { tenantName: evil, logoUrl: evil, accent: evil, pageBackground: evil }
    for (const view of views) {
      const html = render(view, { branding, nonce: evil, assets: { stylesheet: evil, script: evil } })
      expect(html.match(/<script/g)).toHaveLength(1)
      expect(html).not.toContain('<img src=x')
      expect(html.match(/<\/title>/g)).toHaveLength(1)
      expect(html.match(/<\/style>/g)).toHaveLength(1)
    }
  })

  it.each(['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x'])(
    'does not link to %j',
    (href) => {
      const pages = [
        render({ screen: 'logged-out', returnUrl: href }),
        render({ ...login, screen: 'login', signUpUrl: href, resetUrl: href } as ScreenView),
        render({ screen: 'error', status: 400, code: 'not_found', back: { href } }),
        render({ screen: 'logged-out' }, { branding: { tenantName: 'T', logoUrl: href } }),
      ]
      for (const html of pages) expect(html).not.toMatch(/<a [^>]*href="\s*(java|data|vb)|<img/i)
    },
  )
})

describe('the login page', () => {
  it('is what password managers look for', () => {
    const html = render(login)
    expect(html).toMatch(/<input[^>]*id="username"[^>]*autoComplete="username"[^>]*name="username"/)
    expect(html).toMatch(/<input[^>]*id="password"[^>]*type="password"[^>]*autoComplete="current-password"/)
    expect(html).toContain('<input type="hidden" name="state" value="the-state"/>')
  })

  it('signs in on Enter: that button comes first', () => {
    const buttons = [...render(login).matchAll(/<button type="submit" value="([a-z]+)"/g)].map((match) => match[1])
    expect(buttons).toEqual(['login', 'cancel'])
  })

  it('keeps the identifier after a failed attempt and never a password', () => {
    const html = render({ ...login, identifier: 'ada@example.com', notice: 'wrong_credentials' } as ScreenView)
    expect(html).toMatch(/id="username"[^>]*value="ada@example.com"/)
    expect(html).not.toMatch(/id="password"[^>]*value=/)
  })

  it('ties the error summary to the fields it is about', () => {
    const html = render({ ...login, notice: 'missing_password' } as ScreenView)
    expect(html).toContain('<title>Error: Sign in · Northwind</title>')
    expect(html).toContain('role="alert"')
    expect(html).toContain('href="#password"')
    expect(html).not.toContain('href="#username"')
    expect(html).toMatch(/id="password"[^>]*aria-invalid="true" aria-describedby="notice caps-lock"/)
    expect(html).not.toMatch(/id="username"[^>]*aria-invalid/)
  })
})

describe('the consent page', () => {
  it('words standard scopes itself and shows a nameless API scope as it is', () => {
    const html = render(consent)
    expect(html).toContain('See your email address')
    expect(html).not.toContain('Read all your mail')
    expect(html).toContain('write:notes')
  })

  it('says who runs a third party’s app only when it is one', () => {
    const sentence = 'is not run by Northwind'
    expect(render(consent)).toContain(sentence)
    expect(render({ ...consent, client: { ...client, thirdParty: false } } as ScreenView)).not.toContain(sentence)
  })
})
