import { say } from '../../../lib/text/console'
import './panel-index.css'

/** Fewer are in sight at once. */
const LONG = 4

export type IndexEntry = { id: string; title: string }

/** The panels of a long page, to go to one. */
export function PanelIndex({ panels }: { panels: readonly IndexEntry[] }) {
  if (panels.length < LONG) return null
  return (
    <nav className="co-index" aria-label={say('form.index')}>
      <ul>
        {panels.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
