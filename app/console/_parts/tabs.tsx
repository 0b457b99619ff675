import Link from 'next/link'
import type { Reference } from '../../../lib/management/console-call'
import type { Console } from '../../../lib/server/next/console/page'
import { Head } from './head'
import type { Viewed } from './view-link'

export type Tab = { path: string; title: string; operation: Reference }

export type Tabbed = {
  title: string
  lead: string
  /** The pages of the section; the role sees those whose operation it may call. */
  tabs: readonly Tab[]
}

type TabsProps = {
  label: string
  tabs: readonly Tab[]
  console: Console
  /** The path of the page that is shown. */
  path: string
}

/** Pages side by side: those whose operation the role may call. */
export function Tabs({ label, tabs, console, path }: TabsProps) {
  const shown = tabs.filter(({ operation }) => console.may(operation))
  if (shown.length < 2) return null
  return (
    <nav className="co-tabs" aria-label={label}>
      <ul className="co-tabs-row">
        {shown.map((tab) => (
          <li key={tab.path}>
            <Link
              className="co-tab"
              href={tab.path}
              prefetch={false}
              aria-current={tab.path === path ? 'page' : undefined}
            >
              {tab.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type Props = Tabbed & Pick<TabsProps, 'console' | 'path'> & { viewed?: Viewed }

/** The head of a section of several pages. */
export const TabbedHead = ({ title, lead, tabs, console, path, viewed }: Props) => (
  <>
    <Head title={title} lead={lead} {...(viewed && { viewed })} />
    <Tabs label={title} tabs={tabs} console={console} path={path} />
  </>
)
