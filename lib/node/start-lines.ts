// What a start prints once it listens: where to go first, and who may enter.
import type { Env } from '../settings/env'

export function startLines({ appUrl, demo, devOutbox }: Pick<Env, 'appUrl' | 'demo' | 'devOutbox'>): string[] {
  const place = (name: string, path: string, who = ''): string =>
    `  ${name.padEnd(11)} ${appUrl}${path}${who && `  (${who})`}`
  return [
    `\nLatchkey answers at ${appUrl}\n`,
    ...(demo ? [place('Open first', '/demo')] : []),
    ...(devOutbox ? [place('Outbox', '/dev/outbox')] : []),
    place('Console', '/console', demo ? 'ada@demo.test is the owner' : 'administrators'),
    place('Account', '/account', 'every user'),
    place('Reference', '/reference', 'everyone'),
    place('Discovery', '/.well-known/openid-configuration'),
    `${place('Health', '/healthz')}\n`,
    ...(demo ? [DEMO_HINT] : []),
  ]
}

const DEMO_HINT = `Sign in as ada@demo.test; her password and further people are on the demo page. Mail and text messages arrive in the outbox.
Use a tenant of your own with LATCHKEY_CONFIG=tenant.yaml (README.md, "Connect your application"). Ctrl-C stops the server.
`
