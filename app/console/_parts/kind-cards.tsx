export type KindCard = { href: string; title: string; hint?: string; isChosen: boolean }

/** The kinds of a new object, as links to its form. */
export function KindCards({ label, cards }: { label: string; cards: readonly KindCard[] }) {
  return (
    <nav className="co-cards" aria-label={label}>
      {cards.map(({ href, title, hint, isChosen }) => (
        <a key={href} className="co-card" href={href} aria-current={isChosen ? 'true' : undefined}>
          <span className="co-card-title">{title}</span>
          {hint !== undefined && <span className="co-hint">{hint}</span>}
        </a>
      ))}
    </nav>
  )
}
