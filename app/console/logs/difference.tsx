import { labelOfMember } from '../../../lib/server/next/console/log-sentences'
import { say } from '../../../lib/text/console'

/** What changed, member by member; of a list, what was removed and added. */
export function Difference({ change, difference }: { change: string; difference: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="co-changes">
      {Object.entries(difference).map(([name, values]) => {
        const [removed, added] = linesOf(values)
        return (
          <div key={name} className="co-change">
            <dt>{labelOfMember(change, name)}</dt>
            <dd className="co-changed">
              {removed.map((line) => (
                <del key={line}>
                  <span className="co-hidden">{say('logs.removed')}: </span>
                  {line}
                </del>
              ))}
              {added.map((line) => (
                <ins key={line}>
                  <span className="co-hidden">{say('logs.added')}: </span>
                  {line}
                </ins>
              ))}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function linesOf(values: unknown): [removed: string[], added: string[]] {
  const [before, after] = Array.isArray(values) ? values : [null, values]
  const [was, is] = [partsOf(before), partsOf(after)]
  return [was.filter((each) => !is.includes(each)), is.filter((each) => !was.includes(each))]
}

const partsOf = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map((each) =>
    typeof each === 'string' ? each : JSON.stringify(each),
  )
}
