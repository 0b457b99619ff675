import type { AnswerOf } from '../../../lib/management/console-call'
import type { logins } from '../../../lib/management/resources/logins'
import { isConsoleKey, say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'

/** Also of a login that is only thought of, which has no times. */
export type ShownStep = Omit<AnswerOf<typeof logins.read>['requests'][number]['steps'][number], 'at'>
type ShownLine = NonNullable<ShownStep['lines']>[number]

/** One step of a login, which folds. One that failed is open. */
export function Step({ step }: { step: ShownStep }) {
  const { kind, subject, outcome, says, lines = [], claims = {} } = step
  const title =
    kind === 'event'
      ? (says ?? subject)
      : say(`logins.kind.${kind}`, { subject: kind === 'request' ? protocolName(subject) : subject })
  const tables = Object.entries(claims).filter(([, members]) => Object.keys(members).length > 0)
  const isShort = lines.length === 0 && tables.length === 0 && (kind === 'event' || !says)
  const head = (
    <>
      {title}
      {outcome === 'failed' && <Badge danger>{step.reason ?? say('logins.verdict.failed')}</Badge>}
    </>
  )
  return (
    <li className={`co-step co-step-${outcome}`}>
      {isShort ? (
        <span className="co-step-title">{head}</span>
      ) : (
        <details open={outcome === 'failed'}>
          <summary className="co-step-title">{head}</summary>
          {kind !== 'event' && says && <p>{says}</p>}
          {lines.length > 0 && <Lines lines={lines} />}
          {tables.map(([name, members]) => (
            <Claims key={name} name={name} claims={members} />
          ))}
        </details>
      )}
    </li>
  )
}

function protocolName(subject: string): string {
  const key = `logins.subject.${subject}`
  return isConsoleKey(key) ? say(key) : subject
}

/** What a line is about, unless its name is that of the protocol. */
export function lineWords(name: string): string | undefined {
  const key = `logins.line.${name}`
  return isConsoleKey(key) ? say(key) : undefined
}

const saysSomething = ({ verdict, value, says }: ShownLine): boolean => verdict !== 'none' || Boolean(value || says)

function Lines({ lines }: { lines: readonly ShownLine[] }) {
  return (
    <div className="co-table-frame">
      <table className="co-table">
        <thead>
          <tr>
            <th scope="col">{say('logins.line')}</th>
            <th scope="col">{say('logins.verdict')}</th>
            <th scope="col">{say('logins.value')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.filter(saysSomething).map(({ name, verdict, value, says }) => (
            <tr key={name}>
              <td>{lineWords(name) ?? <code>{name}</code>}</td>
              <td data-title={say('logins.verdict')}>
                {verdict !== 'none' && <Badge danger={verdict === 'failed'}>{say(`logins.verdict.${verdict}`)}</Badge>}
              </td>
              <td data-title={say('logins.value')}>
                {(value || says) && <bdi>{[value, says].filter(Boolean).join(' · ')}</bdi>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Claims({ name, claims }: { name: string; claims: Readonly<Record<string, unknown>> }) {
  const key = `logins.claims.${name}`
  return (
    <div className="co-table-frame">
      <table className="co-table">
        <caption>{isConsoleKey(key) ? say(key) : name}</caption>
        <thead>
          <tr>
            <th scope="col">{say('logins.claim')}</th>
            <th scope="col">{say('logins.value')}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(claims).map(([claim, value]) => (
            <tr key={claim}>
              <td>
                <code>{claim}</code>
              </td>
              <td data-title={say('logins.value')}>
                <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
