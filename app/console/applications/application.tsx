import type { ReactNode } from 'react'
import type { AnswerOf } from '../../../lib/management/console-call'
import { clientGrants } from '../../../lib/management/resources/client-grants'
import { clientTokens } from '../../../lib/management/resources/client-tokens'
import { clients } from '../../../lib/management/resources/clients'
import { loginTests } from '../../../lib/management/resources/login-tests'
import {
  APPLICATION_PAGES,
  type ApplicationPageName,
  grantChoices,
  withDefaults,
} from '../../../lib/server/next/console/application-pages'
import { type ConnectionSwitch, connectionSwitches } from '../../../lib/server/next/console/enabled-connections'
import { type FormGroup, formGroups, valueLabel } from '../../../lib/server/next/console/form'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { CopyableId } from '../_parts/copy'
import { Facts } from '../_parts/facts'
import { Head } from '../_parts/head'
import { PageLink, TryLink } from '../_parts/links'
import { NotApplied } from '../_parts/not-applied'
import { consolePage } from '../_parts/page'
import type { IndexEntry } from '../_parts/panel-index'
import { SettingsPanels } from '../_parts/settings-panels'
import { TestLinks } from '../_parts/shares'
import { Above, Notice } from '../_parts/states'
import { type Tab, Tabs } from '../_parts/tabs'

export type Application = AnswerOf<typeof clients.read>

export type ApplicationPage = {
  id: string
  application: Application
  tag: string
  /** All connections; null where it signs no user in, or the person may not read them. */
  connections: readonly ConnectionSwitch[] | null
  /** As it is for this application: it changes nothing that is above the person. */
  console: Console
  query: Readonly<Record<string, string>>
}

const PATH = '/console/applications'

const pathOf = (id: string, page: ApplicationPageName): string =>
  [PATH, encodeURIComponent(id), ...(page === '' ? [] : [page])].join('/')

const tabsOf = (id: string): Tab[] => [
  { path: pathOf(id, ''), title: say('applications.tab.settings'), operation: clients.read },
  { path: pathOf(id, 'credentials'), title: say('applications.tab.credentials'), operation: clients.read },
  { path: pathOf(id, 'access'), title: say('applications.tab.access'), operation: clientGrants.list },
  { path: pathOf(id, 'logins'), title: say('applications.tab.logins'), operation: clientTokens.refreshTokensList },
  { path: pathOf(id, 'protocols'), title: say('applications.tab.protocols'), operation: clients.read },
]

/** A page of an application: its name, the ways to its other pages, its settings of this page, and `more`, whose panels an index may name. */
export const applicationPage = (
  name: ApplicationPageName,
  more: (page: ApplicationPage) => Promise<ReactNode>,
  panels: readonly IndexEntry[] = [],
) =>
  consolePage(async ({ console: whole, params: { id = '' }, query }) => {
    const { value: application, tag, notApplied } = await whole.readTagged(clients.read, { params: { id } })
    const console = await whole.facing('clients', id)
    const connections = await connectionSwitches(application, console)
    // Awaited here, so that a refusal becomes a page.
    const further = await more({ id, application, tag, connections, console, query })
    const links = name === '' ? await TestLinks({ of: { client_id: id }, console: whole }) : null
    return (
      <>
        <Head
          title={application.name}
          lead={valueLabel(clients.update, 'app_type', application.app_type ?? 'regular_web')}
          back={{ href: PATH, title: say('applications.title') }}
          viewed={{ kind: 'clients', id }}
          action={console.may(loginTests.create) && <TryLink of={{ client_id: id }} />}
        />
        <Tabs label={application.name} tabs={tabsOf(id)} console={console} path={pathOf(id, name)} />
        {console.isAbove && <Above kind="clients" />}
        {connections?.every(({ isEnabled }) => !isEnabled) && (
          <Notice>
            <p>{say('applications.connections.none')}</p>
            <PageLink href={pathOf(id, 'access')} title={say('applications.connections.open')} />
          </Notice>
        )}
        {name === '' && (
          <Facts
            facts={[
              [say('column.client_id'), <CopyableId key="id" value={application.client_id} />],
              [say('applications.domain'), <code key="domain">{console.baseUrl}</code>],
            ]}
          />
        )}
        <SettingsPanels
          groups={groupsOf(name)}
          operation={clients.update}
          params={{ id }}
          tag={tag}
          value={withDefaults(application)}
          choices={{ grant_types: grantChoices(console.vendorHost) }}
          allowed={console.may(clients.update)}
          before={name === '' ? null : { panels, content: further }}
        />
        {name === '' && links}
        {name === '' && further}
        {name === '' && <NotApplied paths={notApplied} />}
      </>
    )
  })

function groupsOf(name: ApplicationPageName): FormGroup[] {
  const all = formGroups(clients.update, 'applications')
  return APPLICATION_PAGES[name].flatMap((wanted) => all.filter(({ group }) => group === wanted))
}
