import Link from 'next/link'

export type Tab = { path: string; title: string; operation: string }

type Props = {
  label: string
  tabs: readonly Tab[]
  /** The path of the page that is shown. */
  path: string
}

/** The pages of one section, side by side. */
export function Tabs({ label, tabs, path }: Props) {
  if (tabs.length < 2) return null
  return (
    <nav className="co-tabs" aria-label={label}>
      <ul className="co-tabs-row">
        {tabs.map((tab) => (
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
