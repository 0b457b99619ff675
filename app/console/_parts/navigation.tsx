'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Icon } from './icon'
import type { ConsoleSection } from './sections'

type Props = { label: string; sections: readonly Omit<ConsoleSection, 'operation' | 'member'>[] }

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
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
