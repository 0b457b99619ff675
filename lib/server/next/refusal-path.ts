// Addresses at which Next answers what the edge refused: `/.refused/<reason>/<path>`. They need no protection: each answers its
// refusal to every caller. Apart from refusal.ts, because the proxy is loaded without the endpoints.
import type { RequestRefusal } from '../endpoints/refusals'

const START = '/.refused/'

/** Of the path only the part that every framework can decode is kept: it decides the format. */
export const refusalPath = (reason: RequestRefusal, path: string): string => `${START}${reason}${path.split('%')[0]}`

/** The reason as text, and the path that was refused; undefined for any other path. */
export function readRefusalPath(path: string): { reason: string; refused: string } | undefined {
  if (!path.startsWith(START)) return undefined
  const [reason = '', ...segments] = path.slice(START.length).split('/')
  return { reason, refused: `/${segments.join('/')}` }
}
