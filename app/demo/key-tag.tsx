import { CopyButton } from '../_shared/copy-button'
import { ADA } from './ways-in'

/** The demo account to sign in with, drawn as a spare key. */
export function KeyTag() {
  return (
    <aside className="tag" aria-label="A demo account to sign in with">
      <span className="tag-eye" aria-hidden="true" />
      <h2 className="tag-title">A key to try it with</h2>
      <dl className="tag-lines">
        <Line name="Email" value={ADA.email} />
        <Line name="Password" value={ADA.password} />
      </dl>
      <p className="tag-note">
        Mail to anybody ends up in the <a href="/dev/outbox">outbox</a>.
      </p>
    </aside>
  )
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div className="tag-line">
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton value={value} of={name.toLowerCase()} />
      </dd>
    </div>
  )
}
