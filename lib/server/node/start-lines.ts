// What a start says once it listens: where to go first, and who may enter. Lines for a terminal, fields for the log.
import type { Env } from '../../settings/env'

type Start = Pick<Env, 'appUrl' | 'demo' | 'devOutbox'>

type Place = { name: string; path: string; who?: string }

const placesOf = ({ demo, devOutbox }: Start): Place[] => [
  ...(demo ? [{ name: 'Open first', path: '/demo' }] : []),
  ...(devOutbox ? [{ name: 'Outbox', path: '/dev/outbox' }] : []),
  { name: 'Console', path: '/console', who: demo ? 'ada@demo.test is the owner' : 'administrators' },
  { name: 'Account', path: '/account', who: 'every user' },
  { name: 'Reference', path: '/reference', who: 'everyone' },
  { name: 'Discovery', path: '/.well-known/openid-configuration' },
  { name: 'Health', path: '/healthz' },
]

export const answersAt = ({ appUrl }: Pick<Start, 'appUrl'>): string => `Latchkey answers at ${appUrl}`

export const startLines = (start: Start): string[] => [
  `\n${answersAt(start)}\n`,
  ...placesOf(start).map(
    ({ name, path, who }) => `  ${name.padEnd(11)} ${start.appUrl}${path}${who === undefined ? '' : `  (${who})`}`,
  ),
  start.demo ? `\n${DEMO_HINT}` : '',
]

export const startFields = (start: Start): Record<string, string> =>
  Object.fromEntries(
    placesOf(start).map(({ name, path }) => [name.toLowerCase().replace(' ', '_'), start.appUrl + path]),
  )

const DEMO_HINT = `Sign in as ada@demo.test; her password and further people are on the demo page. Mail and text messages arrive in the outbox.
Use a tenant of your own with LATCHKEY_CONFIG=tenant.yaml (README.md, "Connect your application"). Ctrl-C stops the server.
`
