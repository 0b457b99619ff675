import type { ReactNode } from 'react'

type Fact = readonly [name: string, value: ReactNode]

/** Names and values that are only read. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="co-facts">
      {facts.map(([name, value]) => (
        <div key={name} className="co-fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
