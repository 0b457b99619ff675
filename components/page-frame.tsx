import type { ReactNode } from 'react'
import type { Branding, Locale } from '../lib/pages/view'
import { Brand } from './brand'
import { LatchPlate } from './latch-plate'

/** How the door on the page stands: a crack open while somebody may come in, shut when nobody can. */
export type DoorPosition = 'ajar' | 'open' | 'shut'

type Props = {
  branding: Branding
  locale: Locale
  direction: 'ltr' | 'rtl'
  door: DoorPosition
  children: ReactNode
}

/** Every hosted page: the tenant's door, and beside it the room where the one thing to do is. */
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
