import type { PageView, ScreenView } from '../lib/pages/screens'
import type { Theme } from '../lib/pages/theme'
import type { Translate } from '../lib/texts/catalogue'
import { CaptchaScript } from './captcha-field'
import type { ScreenDefinition } from './define-screen'
import { documentTitle, HostedPage } from './hosted-page'
import { PasskeyScripts } from './passkey-scripts'

type Props = {
  screen: ScreenDefinition<ScreenView>
  view: PageView
  theme: Theme
  direction: 'ltr' | 'rtl'
  t: Translate
}

/** The whole document. It loads one style sheet and optional scripts, all from this server, and has no inline script. */
export function Document({ screen, view, theme, direction, t }: Props) {
  const { locale, nonce, assets } = view
  return (
    <html lang={locale} dir={direction}>
      {/* biome-ignore lint/style/noHeadElement: this is the document itself, rendered without Next. */}
      <head>
        <meta charSet="utf-8" />
        <title>{documentTitle(screen, view, t)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={theme.bar.light} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={theme.bar.dark} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={assets.stylesheet} />
        <style nonce={nonce}>{theme.css}</style>
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
