import type { MouseEvent } from 'react'
import { CopyButton } from '../_shared/copy-button'
import { GROUPS, type Hint, plainLink, type StartElsewhere, type Walk, type WayIn } from './ways-in'

type Start = { home: string; onStart(wayIn: WayIn): void }

/** The other ways to sign in, each with one link. */
export function WaysIn({ home, onStart }: Start) {
  return (
    <section className="demo-steps" aria-labelledby="ways-in">
      <h2 id="ways-in" className="demo-heading">
        More ways in
      </h2>
      <p className="tools-lead">
        Each one starts a login. Codes and links that would be sent are in the{' '}
        <a className="link" href="/dev/outbox">
          outbox
        </a>
        .
      </p>
      <div className="way-groups">
        {GROUPS.map(({ name, walks }) => (
          <section key={name} className="way-group" aria-label={name}>
            <h3 className="way-group-name">{name}</h3>
            <ul className="way-list">
              {walks.map((walk) => (
                <Entry key={walk.name} walk={walk} home={home} onStart={onStart} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  )
}

function Entry({ walk, home, onStart }: Start & { walk: Walk }) {
  return (
    <li className="way">
      {'address' in walk ? <Other walk={walk} /> : <Login walk={walk} home={home} onStart={onStart} />}
      <p className="landing-text">{walk.text}</p>
      {walk.hints.length > 0 && <Hints hints={walk.hints} of={walk.name} />}
    </li>
  )
}

function Login({ walk, home, onStart }: Start & { walk: WayIn & { name: string } }) {
  const start = (event: MouseEvent): void => {
    event.preventDefault()
    onStart(walk)
  }
  return (
    <a className="landing-name way-name" href={plainLink(walk, home)} onClick={start}>
      {walk.name}
    </a>
  )
}

/** The login of an application of another protocol, or what leads to one. */
function Other({ walk: { name, address, posts } }: { walk: StartElsewhere & { name: string } }) {
  if (!posts) {
    return (
      <a className="landing-name way-name" href={address}>
        {name}
      </a>
    )
  }
  return (
    <form method="post" action={address}>
      <button type="submit" className="landing-name way-name way-button">
        {name}
      </button>
    </form>
  )
}

function Hints({ hints, of }: { hints: Hint[]; of: string }) {
  return (
    <dl className="way-hints">
      {hints.map(({ name, value }) => (
        <div key={name} className="tag-line">
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton value={value} of={`${name.toLowerCase()}, ${of}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
