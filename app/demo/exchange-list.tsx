import type { LoggedExchange } from './exchange-log'

/** The actual requests and responses between the app and the server, newest last. */
export function ExchangeList({ log }: { log: LoggedExchange[] }) {
  return (
    <section className="talk" aria-labelledby="talk">
      <h2 id="talk" className="demo-heading">
        What just happened
      </h2>
      <ol className="talk-list">
        {log.map((exchange, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows at its end.
          <li key={index} className="talk-item">
            <Entry {...exchange} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Entry({ purpose, method, address, kind, status, milliseconds, sent, answer }: LoggedExchange) {
  return (
    <details className="talk-entry">
      <summary className="talk-summary">
        <span className="talk-purpose">{purpose}</span>
        <span className="talk-line">
          <code>
            {method} {pathOf(address)}
          </code>
          <span className="talk-result" data-failed={status !== null && status >= 400 ? true : undefined}>
            {kind === 'browser' ? 'redirect' : `${status} · ${milliseconds} ms`}
          </span>
        </span>
      </summary>
      <Values title="Sent" values={sent} />
      <Values title="Answered" values={answer} />
    </details>
  )
}

function Values({ title, values }: { title: string; values: Record<string, string> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <div className="talk-values">
      <h3>{title}</h3>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value.length > 180 ? `${value.slice(0, 180)}…` : value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const pathOf = (address: string): string => (URL.canParse(address) ? new URL(address).pathname : address)
