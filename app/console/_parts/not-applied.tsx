import { say } from '../../../lib/text/console'
import { Panel } from './panel'

/** The members of an object that it keeps without effect; nothing where there are none. */
export function NotApplied({ paths = [] }: { paths?: readonly string[] | undefined }) {
  if (paths.length === 0) return null
  return (
    <Panel title={say('not_applied')} lead={say('not_applied.lead')}>
      <ul className="co-rows">
        {paths.map((path) => (
          <li key={path} className="co-row">
            <code className="co-row-text">{path}</code>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
