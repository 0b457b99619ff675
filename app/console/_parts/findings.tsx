import { readFindings } from '../../../lib/server/next/console/findings'
import { say } from '../../../lib/text/console'
import { Badge } from './badge'
import { Panel } from './panel'

/** Asking takes a moment, so the page does not wait for it. */
export async function Findings() {
  const findings = await readFindings()
  if (findings === null) return null
  return (
    <Panel title={say('home.attention')} lead={say('home.attention.lead')}>
      {findings.length === 0 && <p>{say('home.attention.none')}</p>}
      {findings.length > 0 && (
        <ul className="co-rows">
          {findings.map(({ about, health, says }) => (
            <li key={about + says} className="co-row">
              <div className="co-row-text">{says}</div>
              <Badge danger={health === 'ill'}>{about}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
