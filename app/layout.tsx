import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { documentLanguage } from '../lib/server/next/page'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Latchkey', template: '%s · Latchkey' },
  robots: { index: false },
  icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
}

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const { lang, dir } = await documentLanguage()
  return (
    <html lang={lang} dir={dir}>
      <body>{children}</body>
    </html>
  )
}
