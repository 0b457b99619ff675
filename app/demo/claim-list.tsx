import { rowsOf } from './claims'
import type { TokenClaims } from './jwt'

export function ClaimList({ claims }: { claims: TokenClaims }) {
  return (
    <dl className="claims">
      {rowsOf(claims).map(({ name, value, meaning }) => (
        <div key={name} className="claim">
          <dt className="claim-name">
            <code>{name}</code>
            {meaning && <span className="claim-meaning">{meaning}</span>}
          </dt>
          <dd className="claim-value">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
