'use client'
import { DEMO_PLACES, PlaceList } from '../_shared/places'
import { ExchangeList } from './exchange-list'
import { HowItWorks } from './how-it-works'
import { KeyTag } from './key-tag'
import { ProblemNote } from './problem-note'
import { Received } from './received'
import { SignedIn } from './signed-in'
import { type Demo, useDemo } from './use-demo'
import { PASSWORD, plainLink } from './ways-in'
import { WaysIn } from './ways-in-list'

const WITHOUT_SCRIPTS =
  'Without JavaScript every way in works up to the one-time code. Exchanging it for tokens takes JavaScript.'
const RETURNED = 'You signed in, and the server sent a one-time code back. Exchanging it for tokens takes JavaScript.'

/** The whole demo app: one page, signed out or signed in. */
type Props = {
  /** The app's registered address: the redirect target of links that work without scripts. */
  home: string
  /** The server returned an authorization code. */
  returned: boolean
}

export function DemoApp(props: Props) {
  const demo = useDemo()
  return (
    <div className="demo" data-busy={demo.busy ?? undefined}>
      <Content demo={demo} {...props} />
    </div>
  )
}

function Content({ demo, ...props }: Props & { demo: Demo }) {
  if (demo.assertion) return <Received assertion={demo.assertion} onBack={demo.forgetAssertion} />
  return demo.tokens ? <SignedIn demo={demo} tokens={demo.tokens} /> : <SignedOut demo={demo} {...props} />
}

function SignedOut({ demo, home, returned }: Props & { demo: Demo }) {
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
          <button
            type="button"
            className="button button-primary demo-start"
            onClick={() => signIn(PASSWORD)}
            disabled={busy !== null}
          >
            {busy === null ? 'Sign in' : 'One moment…'}
          </button>
          <noscript>
            <p className="notice">{returned ? RETURNED : WITHOUT_SCRIPTS}</p>
            <a className="link" href={plainLink(PASSWORD, home)}>
              Sign in without JavaScript
            </a>
          </noscript>
        </div>
        <KeyTag />
      </section>
      {log.length > 0 && problem ? <ExchangeList log={log} /> : <HowItWorks />}
      <WaysIn home={home} onStart={signIn} />
      <section className="demo-steps" aria-labelledby="places">
        <h2 id="places" className="demo-heading">
          Also on this server
        </h2>
        <PlaceList places={DEMO_PLACES} />
      </section>
    </>
  )
}
