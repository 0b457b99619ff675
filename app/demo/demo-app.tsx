'use client'
import { ExchangeList } from './exchange-list'
import { HowItWorks } from './how-it-works'
import { KeyTag } from './key-tag'
import { ProblemNote } from './problem-note'
import { SignedIn } from './signed-in'
import { type Demo, useDemo } from './use-demo'

/** The whole demo app: one page, signed out or signed in. */
export function DemoApp() {
  const demo = useDemo()
  return (
    <div className="demo" data-busy={demo.busy ?? undefined}>
      {demo.tokens ? <SignedIn demo={demo} tokens={demo.tokens} /> : <SignedOut demo={demo} />}
    </div>
  )
}

function SignedOut({ demo }: { demo: Demo }) {
  const { busy, problem, log, signIn } = demo
  return (
    <>
      <section className="demo-hero">
        <div className="demo-pitch">
          <h1 className="tools-title">Try the front door</h1>
          <p className="tools-lead">
            This page is an ordinary web app with no privileges. It sends you to the server to sign in, gets a one-time
            code back and exchanges it for tokens. It never sees your password.
          </p>
          {problem && <ProblemNote problem={problem} />}
          <button type="button" className="button button-primary demo-start" onClick={signIn} disabled={busy !== null}>
            {busy === null ? 'Sign in' : 'One moment…'}
          </button>
          <noscript>
            <p className="notice">The demo app runs in the browser: switch JavaScript on to try it.</p>
          </noscript>
        </div>
        <KeyTag />
      </section>
      {log.length > 0 && problem ? <ExchangeList log={log} /> : <HowItWorks />}
    </>
  )
}
