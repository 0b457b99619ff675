import { describe, expect, it } from 'vitest'
import { SAMPLE_CAPTCHAS } from '../../components/define-screen'
import { readTheme } from '../data/tenants/theme'
import { hostedScreens, pageCommon, renderPage, samplesOf, sampleWith } from '../testing/hosted-pages'
import { LOCALES } from '../text/locale'
import type { ScreenView } from './screens'
import { openTheme, pageThemeOf } from './themed-look'
import type { CaptchaView, PageCommon } from './view'

const [loginScreen] = samplesOf('login')
const [consentScreen] = samplesOf('consent')
const [signUpScreen] = samplesOf('signup')
const [selectAccountScreen] = samplesOf('select-account')
const [forgotPasswordScreen] = samplesOf('forgot-password')
const [mfaChallengeScreen] = samplesOf('mfa-challenge')
const [mfaRecoveryCodeScreen] = samplesOf('mfa-recovery-code')
const mfaEnrollOtpScreen = sampleWith('mfa-enroll', { phase: 'otp' })
const resetPasswordScreen = sampleWith('reset-password', { phase: 'ask' })
const pushPromptScreen = sampleWith('push-device', { phase: 'prompt' })

const render = (view: ScreenView, over: Partial<PageCommon> = {}): string =>
  renderPage({ ...pageCommon, ...over, ...view })

describe.each(LOCALES)('in %s', (locale) => {
  it('renders every screen completely', () => {
    for (const view of hostedScreens) {
      const html = render(view, { locale })
      expect(html).toMatch(/^<!doctype html><html lang="[a-z]{2}" dir="(ltr|rtl)">/)
      expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(html.match(/<h1/g)).toHaveLength(1)
      expect(html).not.toMatch(/undefined|\[object|\{(client|tenant|user|kind|api|title|label|count|email)\}/)
    }
  })
})

it('breaks no heading at a hyphen, in any language', () => {
  const words = LOCALES.flatMap((locale) =>
    hostedScreens.flatMap((view) => {
      const titles = [...render(view, { locale }).matchAll(/<h\d class="card-title">(.*?)<\/h\d>/g)].map(
        ([, title]) => title,
      )
      return titles.flatMap(
        (title = '') => title.replace(/<span class="unbroken">[^<]*<\/span>/g, '').match(/\S+-\S+/g) ?? [],
      )
    }),
  )
  expect(words).toEqual([])
  expect(render(sampleWith('error', { code: 'upstream_unfit' }))).toContain(
    'This <span class="unbroken">sign-in</span> can’t',
  )
})

const PASSKEYS = ['/simplewebauthn.js', '/passkeys.js']

describe('every screen', () => {
  it('runs nothing inline and posts nowhere by script', () => {
    for (const view of hostedScreens) {
      const html = render(view)
      expect(html).not.toMatch(/\son[a-z]+=/i)
      expect(html).not.toMatch(/\sstyle="/)
      const scripts = [...html.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src)
      expect(html.match(/<script/g)).toHaveLength(scripts.length)
      const { captcha } = view as { captcha?: CaptchaView }
      expect(scripts).toEqual([
        '/comfort.js',
        ...(html.includes('data-passkey') ? PASSKEYS : []),
        ...(html.includes('data-work') ? ['/captcha.js'] : []),
        ...(captcha?.kind === 'widget' ? [captcha.script] : []),
      ])
      expect(html).toContain('<script src="/comfort.js" nonce="n0nce" defer=""></script>')
      expect(html).toContain('<style nonce="n0nce">')
    }
  })

  it('escapes whatever a client, a tenant or a profile contains', () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'</title></style>'
    const named = { name: evil, logoUrl: evil, homepage: evil }
    const evilForm = { action: evil, state: evil, client: named, other: true, cancel: true }
    const views: ScreenView[] = [
      {
        ...loginScreen,
        state: evil,
        action: evil,
        client: { ...named, policyUrl: evil, termsUrl: evil },
        identifier: evil,
        signUpUrl: evil,
        resetUrl: evil,
      },
      { ...selectAccountScreen, accounts: [{ id: evil, name: evil, email: evil, picture: evil }], client: named },
      { ...selectAccountScreen, accounts: [...selectAccountScreen.accounts, { id: evil, name: evil }], client: named },
      {
        ...consentScreen,
        client: { ...named, thirdParty: true, policyUrl: evil, termsUrl: evil },
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
      {
        ...signUpScreen,
        state: evil,
        action: evil,
        client: named,
        email: evil,
        username: evil,
        extra: [
          { name: evil, label: evil, type: 'text', required: false, value: evil },
          { name: `b${evil}`, label: { en: evil }, type: 'checkbox', required: true, value: evil },
        ],
        invalid: [evil, `b${evil}`],
        termsUrl: evil,
        privacyUrl: evil,
        loginUrl: evil,
      },
      { ...forgotPasswordScreen, email: evil, loginUrl: evil, phase: 'sent', againUrl: evil },
      { ...forgotPasswordScreen, email: evil, state: evil, action: evil },
      { ...resetPasswordScreen, ...{ user: evil, ticket: evil } },
      { screen: 'verify-email', phase: 'ask', action: evil, ticket: evil, email: evil },
      { screen: 'restore-email', phase: 'ask', action: evil, ticket: evil, email: evil },
      { screen: 'restore-email', phase: 'done', email: evil, isReset: true },
      { screen: 'verify-email', phase: 'done', email: evil, continueUrl: evil },
      {
        ...mfaChallengeScreen,
        ...{ state: evil, action: evil, client: named },
        factor: { id: evil, kind: 'sms', name: evil },
        others: [{ id: evil, kind: 'push', name: evil }],
      },
      { ...mfaChallengeScreen, factor: { id: evil, kind: 'push', name: evil }, phase: 'wait', number: evil },
      { ...mfaEnrollOtpScreen, uri: `otpauth://totp/${evil}`, secret: evil },
      { screen: 'mfa-enroll', ...evilForm, phase: 'phone', kind: 'sms', phone: evil },
      { screen: 'mfa-enroll', ...evilForm, phase: 'code', kind: 'email', name: evil },
      { screen: 'mfa-enroll', ...evilForm, phase: 'push', uri: evil, answered: false },
      { ...mfaRecoveryCodeScreen, code: evil, user: evil },
      { ...pushPromptScreen, prompt: evil, confirmation: evil, client: evil, user: evil, ip: evil },
      {
        screen: 'push-device',
        phase: 'connect',
        action: evil,
        ticket: evil,
        confirmation: evil,
        user: evil,
        client: evil,
        replaces: { user: evil, since: '2027-01-15T08:00:00.000Z' },
      },
      { screen: 'push-device', phase: 'idle', user: evil, nextUrl: evil },
    ]
    const branding = {
      tenantName: evil,
      logoUrl: evil,
      faviconUrl: evil,
      fontUrl: evil,
      accent: evil,
      pageBackground: evil,
    }
    for (const view of views) {
      const html = render(view, { branding, nonce: evil, assets: { stylesheet: evil, themed: evil, script: evil } })
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
        render({ ...loginScreen, signUpUrl: href, resetUrl: href }),
        render({ ...signUpScreen, termsUrl: href, privacyUrl: href, notice: 'reauthentication', invalid: [] }),
        render({ screen: 'error', status: 400, code: 'not_found', back: { href } }),
        render({ screen: 'logged-out' }, { branding: { tenantName: 'T', logoUrl: href } }),
      ]
      for (const html of pages) expect(html).not.toMatch(/<a [^>]*href="\s*(java|data|vb)|<img/i)
    },
  )
})

describe('a page of a tenant with a theme', () => {
  const themed = (given: object = {}): Partial<PageCommon> => ({ theme: pageThemeOf(openTheme(readTheme(given)), {}) })
  const providers = [{ connection: 'github', name: 'GitHub', initial: 'G' }]
  const places = (html: string, ...parts: string[]) => parts.map((each) => html.indexOf(each))
  const ascending = (list: number[]) => list.every((place, at) => place > (list[at - 1] ?? -1))

  it('is complete on every screen, and alone has the style sheet of themes', () => {
    for (const view of hostedScreens) {
      const html = render(view, themed())
      expect(html).toContain('<link rel="stylesheet" href="/hosted.css"/><link rel="stylesheet" href="/themed.css"/>')
      expect(html).toContain('<meta name="color-scheme" content="light"/>')
      expect(html.match(/<h1/g)).toHaveLength(1)
      expect(html).not.toMatch(/class="(door|latch)/)
      const plain = render(view)
      expect(plain).not.toMatch(/themed/)
    }
  })

  it('shows the logo unless the theme has none', () => {
    const branding = { tenantName: 'Northwind', logoUrl: 'https://cdn.test/l.svg' }
    expect(render(loginScreen, { branding, ...themed() })).toContain('src="https://cdn.test/l.svg"')
    const none = render(loginScreen, { branding, ...themed({ widget: { logo_position: 'none' } }) })
    expect(none).not.toContain('<img')
    expect(none).not.toContain('class="brand')
  })

  it('has the other ways to sign in below the form, or above it', () => {
    const view = { ...loginScreen, providers }
    const [form, github] = ['name="password"', 'value="github"']
    expect(ascending(places(render(view, themed()), form, 'class="divider"', github))).toBe(true)
    const top = render(view, themed({ widget: { social_buttons_layout: 'top' } }))
    expect(ascending(places(top, github, 'class="divider"', form))).toBe(true)
  })

  it('states the look of a captcha', () => {
    const view = sampleWith('login', { captcha: SAMPLE_CAPTCHAS[2] })
    const dark = themed({ colors: { captcha_widget_theme: 'dark' } })
    expect(render(view, dark)).toContain('data-sitekey="the-key" data-theme="dark"')
    expect(render(view)).not.toContain('data-theme')
  })
})

describe('the icon of a page', () => {
  const icon = (faviconUrl?: string) =>
    /<link rel="icon"[^>]*>/.exec(
      render(loginScreen, { branding: { tenantName: 'T', ...(faviconUrl !== undefined && { faviconUrl }) } }),
    )?.[0]

  it('is the tenant’s, loaded without a referrer', () => {
    expect(icon('https://cdn.test/f.ico')).toBe(
      '<link rel="icon" href="https://cdn.test/f.ico" referrerpolicy="no-referrer"/>',
    )
  })

  it.each([undefined, 'javascript:alert(1)', 'data:image/svg+xml,x'])(
    'is the server’s where the tenant’s is %j',
    (url) => {
      expect(icon(url)).toBe('<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>')
    },
  )
})

describe('the login page', () => {
  it('is what password managers look for', () => {
    const html = render(loginScreen)
    expect(html).toMatch(/<input[^>]*id="username"[^>]*name="username"[^>]*autocomplete="username"/)
    expect(html).toMatch(/<input[^>]*id="password"[^>]*type="password"[^>]*autocomplete="current-password"/)
    expect(html).toContain('<input type="hidden" name="state" value="the-state"/>')
  })

  it('signs in on Enter: that button comes first', () => {
    const buttons = [...render(loginScreen).matchAll(/<button type="submit" name="action" value="([a-z]+)"/g)].map(
      (match) => match[1],
    )
    expect(buttons).toEqual(['login', 'cancel'])
  })

  it('keeps the identifier after a failed attempt and never a password', () => {
    const html = render({ ...loginScreen, identifier: 'ada@example.com', notice: 'wrong_credentials' })
    expect(html).toMatch(/id="username"[^>]*value="ada@example.com"/)
    expect(html).not.toMatch(/id="password"[^>]*value=/)
  })

  it('ties the error summary to the fields it is about', () => {
    const html = render({ ...loginScreen, notice: 'missing_password' })
    expect(html).toContain('<title>Error: Sign in · Northwind</title>')
    expect(html).toContain('role="alert"')
    expect(html).toContain('href="#password"')
    expect(html).not.toContain('href="#username"')
    expect(html).toMatch(/id="password"[^>]*aria-invalid="true" aria-describedby="notice caps-lock"/)
    expect(html).not.toMatch(/id="username"[^>]*aria-invalid/)
  })
})

describe('the sign-up page', () => {
  it('is what password managers look for', () => {
    const html = render({ ...signUpScreen, invalid: [] })
    expect(html).toMatch(/<input[^>]*id="username"[^>]*autocomplete="username"/)
    expect(html).toMatch(/<input[^>]*id="email"[^>]*autocomplete="email"/)
    expect(html).toMatch(/<input[^>]*id="password"[^>]*passwordrules="minlength: 8"[^>]*autocomplete="new-password"/)
    const { username: _, ...withoutUsername } = signUpScreen
    expect(render(withoutUsername)).toMatch(/<input[^>]*id="email"[^>]*autocomplete="username"/)
  })

  it('ties the rules and the problem to the password, and says which rule it is', () => {
    const html = render(signUpScreen)
    expect(html).toMatch(/id="password"[^>]*aria-invalid="true" aria-describedby="notice caps-lock password-rules"/)
    expect(html).toMatch(/data-rule="common" data-state="unmet"><span class="sr-only">Not met: <\/span>/)
    expect(html).not.toMatch(/id="email"[^>]*aria-invalid/)
  })

  it('links to the fields that the problem is about, and begins at the first', () => {
    const html = render(signUpScreen)
    expect(html.match(/href="#[^"]+"/g)).toEqual(['href="#password"', 'href="#field_news"'])
    expect(html.match(/autofocus/g)).toHaveLength(1)
    expect(html).toMatch(/id="password"[^>]*autofocus/)
  })

  it('words its own fields in the page’s language, else in English', () => {
    expect(render(signUpScreen, { locale: 'de' })).toContain('Ort (freiwillig)')
    expect(render(signUpScreen, { locale: 'fr' })).toContain('City (facultatif)')
  })

  it('signs up on Enter: that button comes first', () => {
    const buttons = [...render(signUpScreen).matchAll(/name="action" value="([a-z-]+)"/g)].map((match) => match[1])
    expect(buttons).toEqual(['sign-up', 'cancel'])
  })
})

describe('the pages for a forgotten password', () => {
  it('declare to a password manager whose new password it is', () => {
    expect(render(resetPasswordScreen)).toMatch(
      /name="username" autocomplete="username" value="ada@example.com" readonly=""/,
    )
  })

  it('do not say whether an account was found', () => {
    expect(render({ ...forgotPasswordScreen, email: 'ada@example.com', phase: 'sent' })).toContain(
      'If an account belongs',
    )
  })
})

describe('the consent page', () => {
  it('words standard scopes itself and shows a nameless API scope as it is', () => {
    const html = render(consentScreen)
    expect(html).toContain('See your email address')
    expect(html).not.toContain('Read all your mail')
    expect(html).toContain('write:notes')
  })

  it('names the operator of a third-party app only when it is one', () => {
    const sentence = 'is not run by Northwind'
    expect(render(consentScreen)).toContain(sentence)
    expect(render({ ...consentScreen, client: { name: 'Harbour Notes', thirdParty: false } })).not.toContain(sentence)
  })
})

it('offers the tenant’s help on an error page', () => {
  const branding = { ...pageCommon.branding, supportUrl: 'mailto:help@example.com' }
  const html = render({ screen: 'error', status: 404, code: 'not_found' }, { branding })
  expect(html).toContain('<a class="link" href="mailto:help@example.com">Get help</a>')
})

describe('the second factor', () => {
  it.each(['otp', 'sms', 'voice', 'email'] as const)('takes a code of %s from wherever a phone offers it', (kind) => {
    const html = render({ ...mfaChallengeScreen, factor: { id: 'i', kind, name: 'n' } })
    expect(html).toMatch(/<input[^>]*id="code"[^>]*autocomplete="one-time-code"[^>]*inputmode="numeric"/)
    expect(html).not.toMatch(/<input[^>]*id="code"[^>]*pattern=/)
  })

  it('ties a wrong code to its field', () => {
    const html = render({ ...mfaChallengeScreen, notice: 'wrong_code' })
    expect(html).toContain('<title>Error: Confirm that it’s you · Northwind</title>')
    expect(html).toMatch(/id="code"[^>]*aria-invalid="true" aria-describedby="notice"/)
    expect(html).toContain('href="#code"')
  })

  it('sends nothing by a link: another way, and once more, are buttons', () => {
    const html = render({ ...mfaChallengeScreen, factor: { id: 'sms|dev_1', kind: 'sms', name: 'XXX67' } })
    expect(html.match(/value="mfa-use"/g)).toHaveLength(3)
    expect(html).not.toMatch(/<a [^>]*href="\/u\//)
  })

  it('says who helps when no other factor is left', () => {
    const help = 'https://northwind.example/help'
    const html = render(
      { ...mfaChallengeScreen, others: [] },
      { branding: { tenantName: 'Northwind', supportUrl: help } },
    )
    expect(html).toContain('Lost your device?')
    expect(html).toContain(`href="${help}"`)
  })

  it('shows the redirect host of the app without a request', () => {
    const html = render(mfaEnrollOtpScreen)
    expect(html).toMatch(/<svg class="qr" viewBox="0 0 \d+ \d+" role="img" aria-label="QR code">/)
    expect(html.replace(/<\/?span>/g, '')).toContain('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP</p>')
  })

  it('gives the recovery code as a file that is in the page', () => {
    const html = render(mfaRecoveryCodeScreen)
    const [, href = ''] = /href="(data:text\/plain[^"]+)" download="recovery-code.txt"/.exec(html) ?? []
    expect(decodeURIComponent(href)).toContain('ABCD2345EFGH6789JKLM2345')
  })

  it('waits only where there is something to wait for', () => {
    const push = { ...mfaChallengeScreen, factor: { id: 'push|dev_1', kind: 'push' } } as const
    expect(render({ ...push, phase: 'wait' })).toContain('data-waiting')
    expect(render({ ...push, phase: 'answered' })).not.toContain('data-waiting')
  })
})
