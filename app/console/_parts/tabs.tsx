import Link from 'next/link'
import type { Reference } from '../../../lib/management/console-call'
import type { Console } from '../../../lib/server/next/console/page'
import { Head } from './head'

export type Tabbed = {
  title: string
  lead: string
  /** The pages of the section; the role sees those whose operation it may call. */
  tabs: readonly { path: string; title: string; operation: Reference }[]
}

type Props = Tabbed & {
  console: Console
  /** The path of the page that is shown. */
  path: string
}

/** The head of a section of several pages, side by side. */
export function TabbedHead({ title, lead, tabs, console, path }: Props) {
  const shown = tabs.filter(({ operation }) => console.may(operation))
  return (
    <>
      <Head title={title} lead={lead} />
      {shown.length > 1 && (
        <nav className="co-tabs" aria-label={title}>
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
      )}
    </>
  )
}
