// The texts for errors: what happened, and how to continue.
import { ServerError } from './server'

export type DemoProblem = { title: string; text: string; link?: { href: string; label: string } }

const KNOWN: Record<string, (description: string) => DemoProblem> = {
  access_denied: () => ({
    title: 'You did not sign in',
    text: 'The sign-in was cancelled or refused. You can start again.',
  }),
  unreachable: () => ({ title: 'The server did not answer', text: 'Is it still running? Start it and try again.' }),
  foreign_answer: () => ({
    title: 'That answer was not for this tab',
    text: 'The address you came back with belongs to no sign-in that this tab started, or was used before. Nothing was exchanged. Start again from here.',
  }),
  invalid_grant: () => ({
    title: 'The server no longer accepts this',
    text: 'The code or refresh token was used before, has expired, or the session ended elsewhere. Sign in again.',
  }),
  invalid_token: () => ({
    title: 'The access token is no longer accepted',
    text: 'It has expired or was revoked. Refresh the tokens or sign in again.',
  }),
  insecure_page: () => ({
    title: 'The browser locks its cryptography here',
    text: 'PKCE needs it, and browsers offer it on https and on localhost only. Open this page at one of those.',
  }),
  other_address: (href) => ({
    title: 'This server lives at another address',
    text: 'The demo app is registered for the address that the server calls its own. Open it there.',
    link: { href, label: `Open ${href}` },
  }),
}

export function problemOf(error: unknown): DemoProblem {
  if (!(error instanceof ServerError)) return { title: 'This page stumbled', text: 'Reload it and try again.' }
  const known = KNOWN[error.code]
  return known
    ? known(error.description)
    : { title: 'The server refused', text: `${error.description} (${error.code})` }
}
