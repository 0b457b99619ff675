// A page as an HTTP response: adds language, branding and security policy to a screen.

import { type PageNeeds, pagePolicy } from '../http/headers'
import { type HttpRequest, type HttpResponse, html, withHeaders } from '../http/message'
import type { Random } from '../kernel/random'
import type { TenantSettings } from '../tenants/settings'
import { pickLocale } from './locale'
import type { Branding, Locale, PageCommon, PageView, ScreenView } from './view'

export type PageRenderer = (view: PageView) => Promise<string>

export type PageDeps = {
  settings: TenantSettings
  tenantName: string
  assets: PageCommon['assets']
  random: Random
  renderPage: PageRenderer
}

export async function respondWithPage(
  screen: ScreenView,
  request: HttpRequest,
  deps: PageDeps,
  options: { status?: number; uiLocales?: string | null } = {},
): Promise<HttpResponse> {
  const nonce = deps.random.token(16)
  const view = completeView(screen, request, deps, { nonce, uiLocales: options.uiLocales })
  return withHeaders(html(await deps.renderPage(view), options.status), ...pagePolicy(nonce, needsOf(screen)), [
    'vary',
    'accept-language',
  ])
}

const needsOf = (screen: ScreenView): PageNeeds => ({
  frames: screen.screen === 'logged-out' ? (screen.frames ?? []) : [],
  waits: isWaiting(screen),
})

/** Whether the screen waits for another device. */
function isWaiting(screen: ScreenView): boolean {
  switch (screen.screen) {
    case 'passwordless-code':
      return screen.link?.phase === 'waiting'
    case 'mfa-challenge':
      return screen.phase === 'wait'
    case 'mfa-enroll':
      return screen.phase === 'push' && !screen.answered
    case 'push-device':
      return screen.phase === 'idle'
    default:
      return false
  }
}

/** Completes a screen with the language and branding of its page. */
export function completeView(
  screen: ScreenView,
  request: HttpRequest,
  deps: Omit<PageDeps, 'random' | 'renderPage'>,
  { nonce, uiLocales }: { nonce: string | undefined; uiLocales?: string | null | undefined },
): PageView {
  const locale = localeOf(request, deps.settings, uiLocales ?? undefined)
  return { locale, branding: brandingOf(deps), nonce, assets: deps.assets, ...screen }
}

export const localeOf = (request: HttpRequest, settings: TenantSettings, uiLocales?: string): Locale =>
  pickLocale({
    uiLocales: uiLocales ?? request.query.get('ui_locales') ?? undefined,
    acceptLanguage: request.headers['accept-language'],
    enabled: settings.tenant.enabled_locales,
  })

export function brandingOf({ settings, tenantName }: Pick<PageDeps, 'settings' | 'tenantName'>): Branding {
  const { branding, tenant } = settings
  const logoUrl = branding.logo_url ?? tenant.picture_url
  return {
    tenantName: tenant.friendly_name ?? tenantName,
    ...(logoUrl === undefined ? {} : { logoUrl }),
    ...(branding.colors.primary === undefined ? {} : { accent: branding.colors.primary }),
    ...(branding.colors.page_background === undefined ? {} : { pageBackground: branding.colors.page_background }),
    ...(tenant.support_url === undefined ? {} : { supportUrl: tenant.support_url }),
  }
}
