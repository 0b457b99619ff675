'use client'
import { ClaimList } from './claim-list'
import { ExchangeList } from './exchange-list'
import { decodeToken, type TokenClaims } from './jwt'
import type { HeldTokens } from './memory'
import { Person } from './person'
import { ProblemNote } from './problem-note'
import { RefreshTokenCard, TokenCard } from './token-card'
import type { Demo } from './use-demo'

export function SignedIn({ demo, tokens }: { demo: Demo; tokens: HeldTokens }) {
  const { busy, problem, news, userInfo, log } = demo
  return (
    <>
      <section className="demo-hero">
        <div className="demo-pitch">
          <h1 className="tools-title">You’re in</h1>
          <p className="tools-lead">
            The app checked the ID token’s signature, issuer, audience, nonce and time. Now it knows who you are, and it
            still has not seen your password.
          </p>
          {problem && <ProblemNote problem={problem} />}
          <div className="demo-actions">
            <button
              type="button"
              className="button button-primary"
              onClick={demo.refresh}
              disabled={busy !== null || !tokens.refreshToken}
            >
              Refresh tokens
            </button>
            <button
              type="button"
              className="button button-secondary"
              onClick={demo.askUserInfo}
              disabled={busy !== null}
            >
              Ask user info
            </button>
            <button type="button" className="button button-secondary" onClick={demo.signOut} disabled={busy !== null}>
              Log out
            </button>
          </div>
          <p className="demo-news" role="status">
            {news}
          </p>
        </div>
        <Person claims={claimsOf(tokens.idToken)} />
      </section>
      <div className="demo-columns">
        <div className="demo-tokens">
          {userInfo && <UserInfoCard claims={userInfo} />}
          <TokenCard name="ID token" purpose="Tells this app who signed in." token={tokens.idToken} />
          <TokenCard
            name="Access token"
            purpose="Opens the API. The app only passes it on."
            token={tokens.accessToken}
          />
          <RefreshTokenCard tokens={tokens} />
        </div>
        <ExchangeList log={log} />
      </div>
    </>
  )
}

function UserInfoCard({ claims }: { claims: TokenClaims }) {
  return (
    <section className="token" aria-labelledby="user-info">
      <header className="token-head">
        <h2 id="user-info" className="token-name">
          User info
        </h2>
        <p className="token-purpose">What the server says about the person right now.</p>
      </header>
      <ClaimList claims={claims} />
    </section>
  )
}

const claimsOf = (token: string): TokenClaims => decodeToken(token)?.payload ?? {}
