import type { Metadata, Viewport } from 'next'
import { HostedPage as Content, documentTitle } from '../../components/hosted-page'
import { loadPage } from '../../lib/next/page'
import { directionOf } from '../../lib/pages/locale'
import { translatorFor } from '../../lib/pages/texts'
import { themeFor } from '../../lib/pages/theme'

/** The due screen, in the components that the Node adapter also renders. */
export async function HostedPage() {
  const { screen, view } = await loadPage()
  const { locale, branding, nonce, assets } = view
  return (
    <>
      <style nonce={nonce}>{themeFor(branding).css}</style>
      <script src={assets.script} nonce={nonce} defer />
      <Content screen={screen} view={view} direction={directionOf(locale)} t={translatorFor(locale)} />
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const { screen, view } = await loadPage()
  return { title: { absolute: documentTitle(screen, view, translatorFor(view.locale)) } }
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
