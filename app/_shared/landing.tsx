import { DEMO_PLACES, PlaceList } from './places'
import { Shell } from './shell'

const ROOMS = [
  { href: '/demo', name: 'Demo app', text: 'Sign in, look at the tokens, refresh them, log out. Start here.' },
  { href: '/dev/outbox', name: 'Outbox', text: 'Every email and text message that the server would have sent.' },
  ...DEMO_PLACES,
  {
    href: '/.well-known/openid-configuration',
    name: 'Discovery',
    text: 'What an OpenID Connect client needs to know, in one document.',
  },
  { href: '/healthz', name: 'Health', text: 'Whether the server is up; /readyz says whether it can work.' },
]

/** The front page of demo mode, for an operator who has just started the server. */
export function Landing() {
  return (
    <Shell current="/" demo>
      <div className="landing">
        <div className="landing-pitch">
          <h1 className="tools-title">The server is up. Here is the key.</h1>
          <p className="tools-lead">
            This is demo mode: a tenant with an app, an API and people whose passwords are no secret. Point your own app
            at this address whenever you like.
          </p>
          <a className="button button-primary" href="/demo">
            Open the demo app
          </a>
        </div>
        <PlaceList places={ROOMS} />
      </div>
    </Shell>
  )
}
