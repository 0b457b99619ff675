// How the pages of a tenant look, and in which language.
import type { RenderDeps } from '../../../pages/respond'
import { openTheme } from '../../../pages/themed-look'
import { pickLocale } from '../../../text/locale'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

export const openPages = ({ tenant, customTexts, shared }: Opening): RenderDeps => ({
  settings: tenant.settings,
  tenantName: tenant.name,
  assets: shared.assets,
  random: shared.random,
  renderPage: shared.renderPage,
  customTexts,
  theme: tenant.theme === null ? undefined : openTheme(tenant.theme),
})

export const openLanguages = ({ tenant: { settings } }: Opening): Pick<Runtime, 'localeOf'> => ({
  localeOf: (visitor, uiLocales) =>
    pickLocale({
      uiLocales: uiLocales ?? visitor.uiLocales,
      acceptLanguage: visitor.acceptLanguage,
      enabled: settings.tenant.enabled_locales,
    }),
})
