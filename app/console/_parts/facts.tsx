import type { ReactNode } from 'react'

/** With an id where links lead to it. */
export type Fact = readonly [name: string, value: ReactNode, id?: string]

/** Names and values that are only read. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="co-facts">
      {facts.map(([name, value, id]) => (
        <div key={name} id={id} className="co-fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
