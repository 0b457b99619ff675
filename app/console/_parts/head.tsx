import Link from 'next/link'
import type { ReactNode } from 'react'
import { type Viewed, ViewLink } from './view-link'

type Props = {
  title: ReactNode
  lead?: ReactNode
  /** The list that this page belongs to. */
  back?: { href: string; title: string }
  action?: ReactNode
  /** The object that the page is about, as others have it. */
  viewed?: Viewed
}

/** The head of a page: where it belongs, its name, and what it is for. */
export function Head({ title, lead, back, action, viewed }: Props) {
  return (
    <div className="co-head">
      <div className="co-head-text">
        {back && (
          <Link className="co-back" href={back.href} prefetch={false}>
            {back.title}
          </Link>
        )}
        <h1 className="co-title">{title}</h1>
        {lead && <div className="co-lead">{lead}</div>}
        {viewed && <ViewLink {...viewed} />}
      </div>
      {action}
    </div>
  )
}
