'use client'
import Link, { useLinkStatus } from 'next/link'
import { usePathname } from 'next/navigation'
import { Icon } from './icon'
import type { ConsoleSection } from './sections'

type Props = { label: string; sections: readonly Pick<ConsoleSection, 'path' | 'title' | 'icon'>[] }

export function Navigation({ label, sections }: Props) {
  const here = usePathname()
  const isCurrent = (path: string): boolean => path === here || (path !== '/console' && here.startsWith(`${path}/`))
  return (
    <nav aria-label={label}>
      <ul className="co-nav">
        {sections.map(({ path, title, icon }) => (
          <li key={path}>
            <Link className="co-place" href={path} prefetch={false} aria-current={isCurrent(path) ? 'page' : undefined}>
              <Icon path={icon} />
              {title}
              <Chosen />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The place is marked from the click on, before its page is there. */
const Chosen = () => (useLinkStatus().pending ? <span className="co-chosen" /> : null)
