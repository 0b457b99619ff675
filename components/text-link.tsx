import type { ReactNode } from 'react'
import { safeLink } from './safe-url'

type Props = { href: string | undefined; look?: 'text' | 'primary' | 'secondary'; children: ReactNode }

/** A plain link, or one that looks like a button. An unsafe address renders nothing. */
export function TextLink({ href, look = 'text', children }: Props) {
  const safe = safeLink(href)
  if (!safe) return null
  return (
    <a className={look === 'text' ? 'link' : `button button-${look}`} href={safe}>
      {children}
    </a>
  )
}
