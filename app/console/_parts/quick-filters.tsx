import Link from 'next/link'

export type QuickFilter = { href: string; title: string; isChosen: boolean }

/** What a list shows, as links side by side. */
export const QuickFilters = ({ label, filters }: { label: string; filters: readonly QuickFilter[] }) => (
  <nav className="co-quick" aria-label={label}>
    {filters.map(({ href, title, isChosen }) => (
      <Link
        key={href}
        className="co-button co-button-small"
        href={href}
        prefetch={false}
        aria-current={isChosen ? 'page' : undefined}
      >
        {title}
      </Link>
    ))}
  </nav>
)
