// Every screen of a login, in the components that the Node adapter also renders. proxy.ts lets only their addresses come here.
import type { Metadata, Viewport } from 'next'
import { CaptchaScript } from '../../../components/captcha-field'
import { documentTitle, HostedPage } from '../../../components/hosted-page'
import { PasskeyScripts } from '../../../components/passkey-scripts'
import { safeResource } from '../../../components/safe-url'
import { themeFor } from '../../../lib/pages/theme'
import { translateFor } from '../../../lib/pages/translate-for'
import { loadPage } from '../../../lib/server/next/page'
import { directionOf } from '../../../lib/text/locale'

export default async function ScreenPage() {
  const { screen, view } = await loadPage()
  const { locale, branding, nonce, assets } = view
  return (
    <>
      <style nonce={nonce}>{themeFor(branding).css}</style>
      <script src={assets.script} nonce={nonce} defer />
      {screen.passkeys?.(view) && <PasskeyScripts nonce={nonce} />}
      <CaptchaScript captcha={screen.captcha?.(view)} nonce={nonce} />
      <HostedPage screen={screen} view={view} direction={directionOf(locale)} t={await translateFor(view)} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const { screen, view } = await loadPage()
  const favicon = safeResource(view.branding.faviconUrl)
  return {
    title: { absolute: documentTitle(screen, view, await translateFor(view)) },
    ...(favicon && { icons: { icon: favicon } }),
  }
}

export async function generateViewport(): Promise<Viewport> {
  const { bar } = themeFor((await loadPage()).view.branding)
  return {
    themeColor: [
      { media: '(prefers-color-scheme: light)', color: bar.light },
      { media: '(prefers-color-scheme: dark)', color: bar.dark },
    ],
  }
}
