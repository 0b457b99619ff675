import type { ReactNode } from 'react'
import type { Branding, PageTheme } from '../lib/pages/view'
import type { Locale } from '../lib/text/locale'
import { Brand } from './brand'
import { LatchPlate } from './latch-plate'

/** The position of the drawn door: ajar while a sign-in is possible, shut when it is not. */
export type DoorPosition = 'ajar' | 'open' | 'shut'

type Props = {
  branding: Branding
  theme?: PageTheme | undefined
  locale: Locale
  direction: 'ltr' | 'rtl'
  door: DoorPosition
  children: ReactNode
}

/**
 * The frame of every hosted page: the tenant's drawn door, and beside it the current task. With a theme it is the vendor's: the
 * theme's page, on which the tenant's logo and the task share one box.
 */
export function PageFrame({ branding, theme, locale, direction, door, children }: Props) {
  if (theme) {
    return (
      <div className="stage themed" lang={locale} dir={direction} data-door={door}>
        <main className="widget">
          {theme.showsLogo && <Brand branding={branding} />}
          {children}
        </main>
      </div>
    )
  }
  return (
    <div className="stage" lang={locale} dir={direction} data-door={door}>
      <div className="door">
        <Brand branding={branding} />
        <LatchPlate />
      </div>
      <main className="room">{children}</main>
    </div>
  )
}
