import type { Metadata, Viewport } from 'next'
import { PageFrame } from '../../components/page-frame'
import { doorOf, Screen, titleOf } from '../../components/screen'
import { loadScreen } from '../../lib/next/page'
import { directionOf } from '../../lib/pages/locale'
import { translatorFor } from '../../lib/pages/texts'
import { themeFor } from '../../lib/pages/theme'

/** The next screen, in the components that the Node adapter also renders. */
export async function HostedPage() {
  const view = await loadScreen()
  const { locale, branding, nonce, assets } = view
  return (
    <>
      <style nonce={nonce}>{themeFor(branding).css}</style>
      <script src={assets.script} nonce={nonce} defer />
      <PageFrame branding={branding} locale={locale} direction={directionOf(locale)} door={doorOf(view)}>
        <Screen view={view} t={translatorFor(locale)} />
      </PageFrame>
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const view = await loadScreen()
  return { title: { absolute: `${titleOf(view, translatorFor(view.locale))} · ${view.branding.tenantName}` } }
}

export async function generateViewport(): Promise<Viewport> {
  const { bar } = themeFor((await loadScreen()).branding)
  return {
    themeColor: [
      { media: '(prefers-color-scheme: light)', color: bar.light },
      { media: '(prefers-color-scheme: dark)', color: bar.dark },
    ],
  }
}
