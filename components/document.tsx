import type { PageView, ScreenView } from '../lib/pages/screens'
import type { Look } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'
import { CaptchaScript } from './captcha-field'
import type { ScreenDefinition } from './define-screen'
import { documentTitle, HostedPage } from './hosted-page'
import { PasskeyScripts } from './passkey-scripts'
import { safeResource } from './safe-url'

type Props = {
  screen: ScreenDefinition<ScreenView>
  view: PageView
  look: Look
  direction: 'ltr' | 'rtl'
  t: Translate
}

/** The whole document. Its style sheets and its scripts are of this server, except a captcha's, and it has no inline script. */
export function Document({ screen, view, look, direction, t }: Props) {
  const { locale, branding, nonce, assets } = view
  const favicon = safeResource(branding.faviconUrl)
  return (
    <html lang={locale} dir={direction}>
      {/* biome-ignore lint/style/noHeadElement: this is the document itself, rendered without Next. */}
      <head>
        <meta charSet="utf-8" />
        <title>{documentTitle(screen, view, t)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={look.schemes} />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={look.bar.light} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={look.bar.dark} />
        {favicon ? (
          <link rel="icon" href={favicon} referrerPolicy="no-referrer" />
        ) : (
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        )}
        <link rel="stylesheet" href={assets.stylesheet} />
        {view.theme && <link rel="stylesheet" href={assets.themed} />}
        <style nonce={nonce}>{look.css}</style>
        <script src={assets.script} nonce={nonce} defer />
        {screen.passkeys?.(view) && <PasskeyScripts nonce={nonce} />}
        <CaptchaScript captcha={screen.captcha?.(view)} nonce={nonce} />
      </head>
      <body>
        <HostedPage screen={screen} view={view} direction={direction} t={t} />
      </body>
    </html>
  )
}
