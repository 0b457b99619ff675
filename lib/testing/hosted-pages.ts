/** Every hosted page as data, for the tests of the renderer, its texts and its design. */

import { readTheme } from '../data/tenants/theme'
import { renderAnew as renderAnewOf, renderScreen } from '../pages/render'
import {
  loadScreen,
  type PageView,
  SCREEN_NAMES,
  type ScreenName,
  type ScreenView,
  type ViewOf,
} from '../pages/screens'
import { openTheme, pageThemeOf } from '../pages/themed-look'
import { ERROR_CODES, NOTICE_CODES, PASSWORD_RULES, type PageCommon } from '../pages/view'
import { loadTranslate } from '../text'
import { translatorsOf } from './translators'

export const pageCommon: PageCommon = {
  locale: 'en',
  branding: { tenantName: 'Northwind' },
  nonce: 'n0nce',
  assets: { stylesheet: '/hosted.css', themed: '/themed.css', script: '/comfort.js' },
}

/** The common part of a page of a tenant with a theme, of which these members are given. */
export function themedCommon(given: object): PageCommon {
  const theme = readTheme(given)
  const { widget, colors, page_background: page } = theme
  const override = { accent: colors.primary_button, pageBackground: page.background_color }
  const branding = { ...pageCommon.branding, ...override, logoUrl: widget.logo_url }
  return { ...pageCommon, branding, theme: pageThemeOf(openTheme(theme), override) }
}

const definitions = new Map(
  await Promise.all(SCREEN_NAMES.map(async (name) => [name, await loadScreen(name)] as const)),
)

export function definitionOf(name: ScreenName) {
  const definition = definitions.get(name)
  if (!definition) throw new Error(`there is no screen ${name}`)
  return definition
}

export const TRANSLATORS = await translatorsOf(loadTranslate)

export const renderPage = (view: PageView): string =>
  renderScreen(definitionOf(view.screen), view, TRANSLATORS[view.locale]).html
export const renderAnew = (view: PageView): string =>
  renderAnewOf(definitionOf(view.screen), view, TRANSLATORS[view.locale])

/** The samples of a screen, the usual one first. */
export function samplesOf<Name extends ScreenName>(name: Name): readonly [ViewOf<Name>, ...ViewOf<Name>[]] {
  const [usual, ...others] = definitionOf(name).samples.map((sample) => ({ ...sample, screen: name }) as ViewOf<Name>)
  if (!usual) throw new Error(`${name} has no sample`)
  return [usual, ...others]
}

/** The first sample that has these members. */
export function sampleWith<Name extends ScreenName, const Part extends Partial<ViewOf<Name>>>(
  name: Name,
  part: Part,
): Extract<ViewOf<Name>, Part> {
  const matches = (view: object) => Object.entries(part).every(([key, value]) => Reflect.get(view, key) === value)
  const found = samplesOf(name).find(matches)
  if (!found) throw new Error(`no sample of ${name} has ${JSON.stringify(part)}`)
  return found as Extract<ViewOf<Name>, Part>
}

const [login] = samplesOf('login')
const [error] = samplesOf('error')
const resetPassword = sampleWith('reset-password', { phase: 'ask' })

/** Every sample, and every word that depends on a code. */
export const hostedScreens: readonly ScreenView[] = [
  ...SCREEN_NAMES.flatMap((name) => samplesOf(name) as readonly ScreenView[]),
  ...NOTICE_CODES.map((notice) => ({ ...login, notice })),
  ...ERROR_CODES.map((code) => ({ ...error, code })),
  { ...resetPassword, rules: PASSWORD_RULES.map((rule) => ({ rule, count: 3 })) },
]
