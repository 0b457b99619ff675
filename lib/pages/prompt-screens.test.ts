import { describe, expect, it } from 'vitest'
import { PROMPTS as VENDOR_PROMPTS } from '../management/resources/prompts'
import { definitionOf, hostedScreens, pageCommon, samplesOf } from '../testing/hosted-pages'
import { VENDOR_TEXTS } from '../testing/prompt-texts'
import { loadTranslate } from '../text'
import { readCustomTexts, unusedTexts } from '../text/custom'
import { PROMPTS, type PromptScreen } from '../text/prompts'
import { promptScreens } from './prompt-screens'
import { renderScreen } from './render'
import type { PageView, ScreenName, ScreenView } from './screens'
import { valuesOf } from './translate-for'
import { MAILED_LINKS, type NoticeCode } from './view'

/** What the actions of a page answer with (lib/login/forms). */
const NOTICES: Partial<Record<ScreenName, readonly NoticeCode[]>> = {
  login: [
    'wrong_credentials',
    'too_many_attempts',
    'missing_identifier',
    'missing_password',
    'missing_credentials',
    'password_leaked',
    'verify_first',
    'unknown_domain',
    'upstream_failed',
    'passkey_failed',
    'passkey_unknown',
    'captcha_missing',
    'captcha_wrong',
  ],
  signup: [
    'missing_fields',
    'weak_password',
    'invalid_username',
    'invalid_email',
    'username_taken',
    'invalid_signup',
    'passkey_failed',
    'user_exists',
    'captcha_missing',
    'captcha_wrong',
  ],
  passwordless: ['invalid_email', 'invalid_phone', 'too_many_messages', 'captcha_missing', 'captcha_wrong'],
  'passwordless-code': ['wrong_code', 'code_exhausted', 'too_many_codes', 'too_many_messages', 'code_sent'],
  'forgot-password': ['invalid_email', 'captcha_missing', 'captcha_wrong', 'wrong_code', 'too_many_codes'],
  'reset-password': ['missing_password', 'weak_password'],
  'organization-selection': ['unknown_organization'],
  'passkey-enroll': ['passkey_not_added', 'passkey_model'],
  'mfa-challenge': [
    'wrong_code',
    'too_many_codes',
    'too_many_messages',
    'push_waiting',
    'push_rejected',
    'push_expired',
    'key_failed',
  ],
  'mfa-enroll': [
    'invalid_phone',
    'wrong_code',
    'too_many_codes',
    'too_many_messages',
    'push_waiting',
    'push_rejected',
    'key_failed',
  ],
}

const kinds = ['email', 'username', 'either'] as const
const [error] = samplesOf('error')
const ceremony = { session: 's', challenge: 'c', options: '{}' }
const factorKinds = [
  'otp',
  'push',
  'sms',
  'voice',
  'email',
  'webauthn-roaming',
  'webauthn-platform',
  'recovery-code',
] as const
const others = factorKinds.map((kind) => ({ id: kind, kind }))
const PAGES: readonly ScreenView[] = [
  ...hostedScreens,
  ...hostedScreens.flatMap((view) => (NOTICES[view.screen] ?? []).map((notice) => ({ ...view, notice }) as ScreenView)),
  ...samplesOf('login').flatMap((view) => kinds.map((identifierKind) => ({ ...view, identifierKind }))),
  ...samplesOf('login').flatMap((view) =>
    kinds.map((identifierKind) => ({ ...view, identifierKind, notice: 'missing_identifier' as const })),
  ),
  ...samplesOf('login').map((view) => ({
    ...view,
    asks: 'identifier' as const,
    passkey: { ...ceremony, ui: 'both' as const },
  })),
  ...samplesOf('mfa-challenge').map((view) => ({ ...view, others, passkey: ceremony })),
  ...samplesOf('login').map((view) => ({ ...view, signUpUrl: '/s', resetUrl: '/r' })),
  ...samplesOf('login').map((view) => ({
    ...view,
    identifierFirst: true as const,
    notice: view.notice ?? 'verify_first',
  })),
  ...samplesOf('signup').map((view) => ({
    ...view,
    identifierFirst: true as const,
    inviter: 'Ada',
    organization: 'Acme',
  })),
  ...samplesOf('passwordless-code').map((view) => ({ ...view, notice: 'too_many_messages' as const })),
  ...samplesOf('account-locked').map((view) => ({ ...view, identifierFirst: true as const })),
  ...MAILED_LINKS.map((link) => ({ ...error, code: 'link_expired' as const, link, back: { href: '/' } })),
  { ...error, code: 'other_browser', restartUrl: '/again' },
]

const byScreen = new Map<string, ScreenView[]>()
byScreen.set('common', [...PAGES])
for (const view of PAGES)
  for (const screen of promptScreens(view)) byScreen.set(screen, [...(byScreen.get(screen) ?? []), view])

const OWN = 'A text of the tenant’s own'

/** Whether some page shows the text that is put under this key. */
async function isShown(prompt: string, screen: string, key: string): Promise<boolean> {
  const find = readCustomTexts([{ id: `${prompt}/en`, body: { [screen]: { [key]: OWN } } }])
  for (const view of byScreen.get(screen) ?? []) {
    const texts = find?.(promptScreens(view), 'en')
    if (!texts) continue
    const page: PageView = { ...pageCommon, ...view, texts }
    const t = await loadTranslate('en', { texts, values: valuesOf(page) })
    if (renderScreen(definitionOf(view.screen), page, t).html.includes(OWN)) return true
  }
  return false
}

/** Of the vendor's documentation, and those of earlier releases that are applied here. */
const keysOf = (prompt: string, screen: string): string[] => [
  ...new Set([
    ...(VENDOR_TEXTS.get(prompt)?.get(screen) ?? []),
    ...Object.values(PROMPTS.get(prompt)?.get(screen) ?? {}).flat(),
  ]),
]

const screensOf = (prompt: string): string[] => [
  ...new Set([...(VENDOR_TEXTS.get(prompt)?.keys() ?? []), ...(PROMPTS.get(prompt)?.keys() ?? [])]),
]

describe.each([...new Set([...VENDOR_TEXTS.keys(), ...PROMPTS.keys()])])('of the texts of the prompt %s', (prompt) => {
  it.each(screensOf(prompt))('the texts of %s are shown by a page or reported as unused', async (screen) => {
    const keys = keysOf(prompt, screen)
    const shown: string[] = []
    for (const key of keys) if (await isShown(prompt, screen, key)) shown.push(key)
    const used = keys.filter((key) => unusedTexts(prompt, 'en', { [screen]: { [key]: OWN } }).length === 0)
    expect(used).toEqual(shown)
  })
})

const VARIABLES =
  'clientName companyName organizationName tenantName friendlyName connectionName inviterName email phoneNumber userName'

it.each(VARIABLES.split(' '))('shows the texts that it applies with the variable %s', async (variable) => {
  for (const [prompt, screens] of PROMPTS)
    for (const [screen, texts] of screens) {
      const given = Object.fromEntries(
        Object.values(texts)
          .flat()
          .map((key) => [key, `<\${${variable}}>`]),
      )
      const find = readCustomTexts([{ id: `${prompt}/en`, body: { [screen]: given } }])
      for (const view of hostedScreens.filter((each) => promptScreens(each).some((name) => name === screen))) {
        const own = find?.(promptScreens(view), 'en')
        const page: PageView = { ...pageCommon, ...view, ...(own && { texts: own }) }
        const t = await loadTranslate('en', own && { texts: own, values: valuesOf(page) })
        expect(renderScreen(definitionOf(view.screen), page, t).html).not.toContain('${')
      }
    }
})

it('knows all prompts that the vendor documents', () => {
  expect([...VENDOR_TEXTS.keys()].filter((prompt) => !VENDOR_PROMPTS.has(prompt))).toEqual([])
  expect([...VENDOR_PROMPTS].filter((prompt) => !VENDOR_TEXTS.has(prompt))).toEqual([])
})

it('knows a page for every screen whose texts can be changed', () => {
  const shown = new Set<string>(['common', ...PAGES.flatMap(promptScreens)])
  const screens = [...PROMPTS.values()].flatMap((each) => [...each.keys()]) as PromptScreen[]
  expect(screens.filter((name) => !shown.has(name))).toEqual([])
})
