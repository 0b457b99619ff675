import type { ReactNode } from 'react'
import { Mark } from './mark'
import './tools.css'

const PLACES = [
  { href: '/demo', name: 'Demo app' },
  { href: '/dev/outbox', name: 'Outbox' },
  { href: '/.well-known/openid-configuration', name: 'Discovery' },
]

/** The frame of the pages for developers: demo app, outbox and their front page. */
export function Shell({ current, children }: { current: string; children: ReactNode }) {
  return (
    <div className="tools">
      <header className="tools-head">
        <a className="tools-home" href="/">
          <Mark />
          Latchkey
        </a>
        <nav className="tools-nav" aria-label="Pages for developers">
          {PLACES.map(({ href, name }) => (
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
