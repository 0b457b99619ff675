'use client'
import { CopyButton } from '../_shared/copy-button'
import { ClaimList } from './claim-list'
import { countdown } from './claims'
import { type DecodedToken, decodeToken } from './jwt'
import type { HeldTokens } from './memory'
import { useNow } from './use-now'

type Props = { name: string; purpose: string; token: string }

export function TokenCard({ name, purpose, token }: Props) {
  const decoded = decodeToken(token)
  const id = name.toLowerCase().replace(' ', '-')
  return (
    <section className="token" aria-labelledby={id}>
      <header className="token-head">
        <h2 id={id} className="token-name">
          {name}
        </h2>
        {decoded && <Expiry payload={decoded.payload} />}
        <p className="token-purpose">{purpose}</p>
      </header>
      {decoded ? <Readable decoded={decoded} /> : <p className="token-purpose">Opaque: only the server can read it.</p>}
      <details className="token-more">
        <summary>As it travels</summary>
        <Raw token={token} />
        <CopyButton value={token} of={name} />
      </details>
    </section>
  )
}

function Readable({ decoded }: { decoded: DecodedToken }) {
  return (
    <>
      <ClaimList claims={decoded.payload} />
      <details className="token-more">
        <summary>Header</summary>
        <ClaimList claims={decoded.header} />
      </details>
    </>
  )
}

/** Header, payload and signature each in a colour of its own. */
function Raw({ token }: { token: string }) {
  const parts = token.split('.')
  return (
    <p className="token-raw">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a token have no other identity than their place.
        <span key={index} data-part={index}>
          {part}
          {index < parts.length - 1 && '.'}
        </span>
      ))}
    </p>
  )
}

function Expiry({ payload: { exp, iat } }: { payload: Record<string, unknown> }) {
  const now = useNow()
  if (typeof exp !== 'number' || typeof iat !== 'number' || now === null) return null
  const left = Math.max(0, exp - now)
  return (
    <p className="token-expiry" data-over={left === 0 ? true : undefined}>
      <meter className="token-meter" min={0} max={exp - iat} value={left} aria-label="Time left" />
      {left === 0 ? 'expired' : `${countdown(left)} left`}
    </p>
  )
}

export function RefreshTokenCard({ tokens: { refreshToken, rotations } }: { tokens: HeldTokens }) {
  return (
    <section className="token" aria-labelledby="refresh-token">
      <header className="token-head">
        <h2 id="refresh-token" className="token-name">
          Refresh token
        </h2>
        <p className="token-purpose">Gets new tokens without you. Every use spends it and brings its successor.</p>
      </header>
      {refreshToken ? (
        <p className="token-rotation">
          {/* A new key per token lets the style sheet mark the change. */}
          <code key={refreshToken} className="token-current">
            {refreshToken.slice(0, 12)}…
          </code>
          <span>{rotations === 0 ? 'Not used yet.' : `Successor number ${rotations}.`}</span>
        </p>
      ) : (
        <p className="token-rotation">None was given: the app may not stay signed in.</p>
      )}
    </section>
  )
}
