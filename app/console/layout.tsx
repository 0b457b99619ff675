import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { administrators } from '../../lib/management/resources/administrators'
import { clients } from '../../lib/management/resources/clients'
import { users } from '../../lib/management/resources/users'
import { valueLabel } from '../../lib/server/next/console/form'
import { roleMay, tenantNameOf } from '../../lib/server/next/console/page'
import { readPlace } from '../../lib/server/next/console/place'
import { readArrived, readEntry } from '../../lib/server/next/console/session'
import { readTheme } from '../../lib/server/next/console/theme'
import { say } from '../../lib/text/console'
import { Mark } from '../_shared/mark'
import { Finder } from './_parts/finder'
import { Navigation } from './_parts/navigation'
import { PlaceKeeper } from './_parts/place-keeper'
import { Prefetch } from './_parts/prefetch'
import { SECTIONS } from './_parts/sections'
import { ThemeSwitch } from './_parts/theme-switch'
import './console.css'
import './parts.css'

export const metadata: Metadata = { title: { default: say('app.name'), template: `%s · ${say('app.name')}` } }

/** What the search of the frame offers beside places. */
const COMMANDS = [
  { title: say('find.command.application'), href: '/console/applications/new', operation: clients.create },
  { title: say('find.command.user'), href: '/console/users/new', operation: users.create },
  { title: say('find.command.invite'), href: '/console/administrators', operation: administrators.invite },
]

/** Of a narrow column: an address breaks before its @ first. */
function Address({ text }: { text: string }) {
  const [local = '', ...domain] = text.split('@')
  return (
    <bdi>
      {local}
      {domain.length > 0 && (
        <>
          <wbr />@{domain.join('@')}
        </>
      )}
    </bdi>
  )
}

/** The frame of every page: sections that the role may see, the tenant, and who is signed in. Without a session there is no frame. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const [entry, theme, place] = await Promise.all([readEntry(), readTheme(), readPlace()])
  if (entry.state !== 'in')
    return (
      <main className="co-alone" data-theme={theme}>
        <p className="co-home">
          <Mark />
          <span className="co-tenant">{tenantNameOf((await readArrived()).runtime)}</span>
        </p>
        {children}
      </main>
    )
  const { administrator, runtime } = entry.session
  const { role, email, name, userId } = administrator
  const sections = SECTIONS.filter(({ operation, member }) => operation === null || roleMay(role, operation, member))
  const places = sections.map(({ path, title, icon, key }) => ({ path, title, icon, key }))
  const commands = COMMANDS.filter(({ operation }) => roleMay(role, operation)).map(({ title, href }) => ({
    title,
    href,
  }))
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
        <Finder
          owner={userId}
          places={places.map(({ path, title, key }) => ({ path, title, key }))}
          commands={commands}
        />
        <details className="co-menu">
          <summary className="co-menu-button">{say('app.menu')}</summary>
          <Navigation label={say('app.sections')} sections={places} />
        </details>
        <div className="co-wide">
          <Navigation label={say('app.sections')} sections={places} />
        </div>
        <div className="co-person">
          <p className="co-person-name">
            <Address text={name ?? email ?? userId} />
          </p>
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
      <PlaceKeeper cookie={place.cookie} sent={place.sent} />
      <Prefetch />
    </div>
  )
}
