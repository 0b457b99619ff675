'use client'
import { CopyButton } from '../_shared/copy-button'
import type { ShownAssertion } from './assertion'
import { ClaimList } from './claim-list'

/** What a SAML or WS-Federation application got. */
export function Received({ assertion: { facts, xml }, onBack }: { assertion: ShownAssertion; onBack(): void }) {
  return (
    <>
      <section className="demo-hero">
        <div className="demo-pitch">
          <h1 className="tools-title">You’re in</h1>
          <p className="tools-lead">
            The server posted this assertion to the application. An application verifies its signature, audience and
            times before it believes it.
          </p>
          <div className="demo-actions">
            <button type="button" className="button button-secondary" onClick={onBack}>
              More ways in
            </button>
          </div>
        </div>
      </section>
      <section className="token" aria-labelledby="assertion">
        <header className="token-head">
          <h2 id="assertion" className="token-name">
            Assertion
          </h2>
          <p className="token-purpose">Tells the application who signed in.</p>
        </header>
        <ClaimList claims={facts} />
        <details className="token-more">
          <summary>As it travels</summary>
          <p className="token-raw">{xml}</p>
          <CopyButton value={xml} of="Assertion" />
        </details>
      </section>
    </>
  )
}
