import type { Console } from '../../../lib/next/console/page'
import { say } from '../../../lib/texts/console'
import { Head } from '../_parts/head'
import { type Tab, Tabs } from '../_parts/tabs'

const PATH = '/console/security'

const TABS: readonly Tab[] = [
  { path: PATH, title: say('security.attacks'), operation: 'brute_force_protection.read' },
  { path: `${PATH}/factors`, title: say('security.factors'), operation: 'guardian.factors.list' },
  { path: `${PATH}/keys`, title: say('security.keys'), operation: 'signing_keys.list' },
  { path: `${PATH}/blocks`, title: say('security.blocks'), operation: 'anomaly.blocked_ips.read' },
]

export const tabsFor = (console: Console): readonly Tab[] => TABS.filter(({ operation }) => console.may(operation))

/** The head of each page of the section. */
export function SecurityHead({ console, tab }: { console: Console; tab?: 'factors' | 'keys' | 'blocks' }) {
  const title = say('security.title')
  return (
    <>
      <Head title={title} lead={say('security.lead')} />
      <Tabs label={title} tabs={tabsFor(console)} path={tab ? `${PATH}/${tab}` : PATH} />
    </>
  )
}
