import type { ReactNode } from 'react'
import { Mark } from './mark'
import { PLACES } from './places'
import './tools.css'

const DEMO = { href: '/demo', name: 'Demo app' }

const LINKS = [
  { href: '/dev/outbox', name: 'Outbox' },
  ...PLACES,
  { href: '/.well-known/openid-configuration', name: 'Discovery' },
]

type Props = { current: string; demo: boolean; children: ReactNode }

/** The frame of the pages for developers: front page, demo app and outbox. The demo app exists in demo mode only. */
export function Shell({ current, demo, children }: Props) {
  return (
    <div className="tools">
      <header className="tools-head">
        <a className="tools-home" href="/">
          <Mark />
          Latchkey
        </a>
        <nav className="tools-nav" aria-label="Pages for developers">
          {(demo ? [DEMO, ...LINKS] : LINKS).map(({ href, name }) => (
            <a key={href} className="tools-place" href={href} aria-current={href === current ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main className="tools-main">{children}</main>
    </div>
  )
}
