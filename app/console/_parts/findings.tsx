import { readFindings } from '../../../lib/server/next/console/findings'
import { say, sayCount } from '../../../lib/text/console'
import { Badge } from './badge'
import { Marked } from './marked'
import { Panel } from './panel'

/** A check may find the same of every application. */
const SHOWN = 5

type Finding = NonNullable<Awaited<ReturnType<typeof readFindings>>>[number]

/** Asking takes a moment, so the page does not wait for it. */
export async function Findings() {
  const findings = await readFindings()
  if (findings === null) return null
  const worst = findings.toSorted((one, other) => Number(other.health === 'ill') - Number(one.health === 'ill'))
  return (
    <Panel title={say('home.attention')} lead={say('home.attention.lead')}>
      {findings.length === 0 && <p>{say('home.attention.none')}</p>}
      {findings.length > 0 && <FindingRows findings={worst.slice(0, SHOWN)} />}
      {worst.length > SHOWN && (
        <details className="co-fold">
          <summary>{sayCount('home.attention.more', worst.length - SHOWN)}</summary>
          <FindingRows findings={worst.slice(SHOWN)} />
        </details>
      )}
    </Panel>
  )
}

const FindingRows = ({ findings }: { findings: readonly Finding[] }) => (
  <ul className="co-rows">
    {findings.map(({ about, health, says }) => (
      <li key={about + says} className="co-row">
        <div className="co-row-text">
          <Marked text={says} />
        </div>
        <Badge danger={health === 'ill'}>{about}</Badge>
      </li>
    ))}
  </ul>
)
