import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { administrators } from '../../lib/management/resources/administrators'
import { valueLabel } from '../../lib/server/next/console/form'
import { roleMay, tenantNameOf } from '../../lib/server/next/console/page'
import { readEntry } from '../../lib/server/next/console/session'
import { readTheme } from '../../lib/server/next/console/theme'
import { say } from '../../lib/text/console'
import { Mark } from '../_shared/mark'
import { Navigation } from './_parts/navigation'
import { SECTIONS } from './_parts/sections'
import { ThemeSwitch } from './_parts/theme-switch'
import './console.css'
import './parts.css'

export const metadata: Metadata = { title: { default: say('app.name'), template: `%s · ${say('app.name')}` } }

/** The frame of every page: sections that the role may see, the tenant, and who is signed in. Without a session there is no frame. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const [entry, theme] = await Promise.all([readEntry(), readTheme()])
  if (entry.state !== 'in')
    return (
      <main className="co-alone" data-theme={theme}>
        {children}
      </main>
    )
  const { administrator, runtime } = entry.session
  const { role, email, name, userId } = administrator
  const sections = SECTIONS.filter(
    ({ operation, member }) => operation === null || roleMay(role, operation, member),
  ).map(({ path, title, icon }) => ({ path, title, icon }))
  return (
    <div className="co-frame" data-theme={theme}>
      <a className="co-skip" href="#content">
        {say('app.skip')}
      </a>
      <header className="co-side">
        <Link className="co-home" href="/console" prefetch={false}>
          <Mark />
          <span className="co-tenant">{tenantNameOf(runtime)}</span>
        </Link>
        <details className="co-menu">
          <summary className="co-menu-button">{say('app.menu')}</summary>
          <Navigation label={say('app.sections')} sections={sections} />
        </details>
        <div className="co-wide">
          <Navigation label={say('app.sections')} sections={sections} />
        </div>
        <div className="co-person">
          <p className="co-person-name">{name ?? email ?? userId}</p>
          <p className="co-person-role">{valueLabel(administrators.update, 'role', role)}</p>
          <ThemeSwitch chosen={theme} />
          <form method="post" action="/console/auth/sign-out">
            <button type="submit" className="co-link-button">
              {say('app.sign_out')}
            </button>
          </form>
        </div>
      </header>
      <main id="content" className="co-main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
