import type { ReactNode } from 'react'
import type { Branding } from '../lib/pages/view'
import type { Locale } from '../lib/texts/locale'
import { Brand } from './brand'
import { LatchPlate } from './latch-plate'

/** The position of the drawn door: ajar while a sign-in is possible, shut when it is not. */
export type DoorPosition = 'ajar' | 'open' | 'shut'

type Props = {
  branding: Branding
  locale: Locale
  direction: 'ltr' | 'rtl'
  door: DoorPosition
  children: ReactNode
}

/** The frame of every hosted page: the tenant's drawn door, and beside it the current task. */
export function PageFrame({ branding, locale, direction, door, children }: Props) {
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
