// A page as an HTTP response: adds language, branding and security policy to a screen.

import type { TenantSettings } from '../data/tenants/settings'
import type { Theme } from '../data/tenants/theme'
import { pagePolicy } from '../http/headers'
import { type HttpRequest, type HttpResponse, html, withHeaders } from '../http/message'
import type { Random } from '../kernel/random'
import type { CustomTexts } from '../text/catalogue'
import { type Locale, type LocaleWishes, pickLanguage } from '../text/locale'
import { promptScreens } from './prompt-screens'
import type { RenderedPage } from './render'
import type { PageView, ScreenView } from './screens'
import { pageThemeOf, type TenantTheme } from './themed-look'
import type { Branding, PageAssets, PageCommon } from './view'

export type PageRenderer = (view: PageView) => Promise<RenderedPage>

export type RenderDeps = {
  settings: TenantSettings
  tenantName: string
  assets: PageAssets
  random: Random
  renderPage: PageRenderer
  /** Undefined where the tenant changed no text. */
  customTexts: CustomTexts | undefined
  theme: TenantTheme | undefined
}

/** What a page has from its login. */
type PageOf = {
  uiLocales?: string | null | undefined
  /** Replaces parts of the tenant's branding. */
  brand?: Partial<Branding> | undefined
}

export async function respondWithPage(
  screen: ScreenView,
  request: HttpRequest,
  deps: RenderDeps,
  options: { status?: number } & PageOf = {},
): Promise<HttpResponse> {
  const nonce = deps.random.token(16)
  const view = completeView(screen, request, deps, { nonce, ...options })
  const page = await deps.renderPage(view)
  const policy = pagePolicy(nonce, page.needs)
  return withHeaders(html(page.html, options.status), ...policy, ['vary', 'accept-language'])
}

/** Completes a screen with the language and branding of its page. */
export function completeView(
  screen: ScreenView,
  request: HttpRequest,
  deps: Omit<RenderDeps, 'random' | 'renderPage'>,
  { nonce, uiLocales, brand }: { nonce: string | undefined } & PageOf,
): PageView {
  const { locale, range } = pickLanguage(wishesOf(request, deps.settings, uiLocales ?? undefined))
  const texts = deps.customTexts?.(promptScreens(screen), locale, range)
  const branding = brand ? Object.assign(brandingOf(deps), brand) : brandingOf(deps)
  const common: PageCommon = { locale, branding, nonce, assets: deps.assets }
  if (texts) common.texts = texts
  if (deps.theme) common.theme = pageThemeOf(deps.theme, branding)
  return Object.assign(common, screen)
}

export const localeOf = (request: HttpRequest, settings: TenantSettings, uiLocales?: string): Locale =>
  pickLanguage(wishesOf(request, settings, uiLocales)).locale

const wishesOf = ({ query, headers }: HttpRequest, { tenant }: TenantSettings, uiLocales?: string): LocaleWishes => ({
  uiLocales: uiLocales ?? query.get('ui_locales') ?? undefined,
  acceptLanguage: headers['accept-language'],
  enabled: tenant.enabled_locales,
})

type Branded = Pick<RenderDeps, 'settings' | 'tenantName'> & { theme: Theme | null | undefined }

/** The theme takes the place of the branding; what an organization sets takes the place of both, as at the vendor. */
export function brandingOf({ settings, tenantName, theme }: Branded): Branding {
  const { branding, tenant } = settings
  const logoUrl = theme?.widget.logo_url || (branding.logo_url ?? tenant.picture_url)
  const fontUrl = theme?.fonts.font_url || branding.font?.url
  const accent = theme?.colors.primary_button ?? branding.colors.primary
  const pageBackground = theme?.page_background.background_color ?? branding.colors.page_background
  return {
    tenantName: tenant.friendly_name ?? tenantName,
    ...(logoUrl === undefined ? {} : { logoUrl }),
    ...(branding.favicon_url === undefined ? {} : { faviconUrl: branding.favicon_url }),
    ...(fontUrl === undefined ? {} : { fontUrl }),
    ...(accent === undefined ? {} : { accent }),
    ...(pageBackground === undefined ? {} : { pageBackground }),
    ...(tenant.support_url === undefined ? {} : { supportUrl: tenant.support_url }),
  }
}
