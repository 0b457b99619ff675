'use client'
import { useState } from 'react'
import { safeResource } from '../../components/safe-url'
import type { TokenClaims } from './jwt'

/** The user who signed in, from the ID token. */
export function Person({ claims }: { claims: TokenClaims }) {
  const email = textOf(claims.email)
  const name = textOf(claims.name) ?? email ?? textOf(claims.sub) ?? 'Somebody'
  return (
    <aside className="tag" aria-label="Who is signed in">
      <span className="tag-eye" aria-hidden="true" />
      <div className="person">
        <Avatar name={name} picture={textOf(claims.picture)} />
        <div className="person-lines">
          <p className="person-name">
            <bdi>{name}</bdi>
          </p>
          {email && <p className="person-email">{email}</p>}
        </div>
      </div>
      <dl className="tag-lines">
        <div className="tag-line">
          <dt>Email</dt>
          <dd>{claims.email_verified === true ? 'verified' : 'not verified'}</dd>
        </div>
        <div className="tag-line">
          <dt>User id</dt>
          <dd>
            <code>{textOf(claims.sub)}</code>
          </dd>
        </div>
      </dl>
    </aside>
  )
}

/** The picture, or the initial where there is no picture or it does not load. */
function Avatar({ name, picture }: { name: string; picture: string | undefined }) {
  const [broken, setBroken] = useState(false)
  const safe = broken ? undefined : safeResource(picture)
  if (!safe) {
    return (
      <span className="avatar" aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
    )
  }
  return (
    // biome-ignore lint/performance/noImgElement: a picture from anywhere, of one size; there is nothing to optimise.
    <img className="avatar" src={safe} alt="" referrerPolicy="no-referrer" onError={() => setBroken(true)} />
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
