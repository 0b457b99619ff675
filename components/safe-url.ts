/**
 * Decides which addresses from a tenant's or a client's configuration may become a link or a picture.
 *
 * Invariant: no address that runs as script in this origin passes. Links may use an app's own scheme (`myapp://…`), because
 * native apps register such schemes; pictures are loaded over http(s) or from this server.
 */
const RUNS_HERE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:'])
const ANY_ORIGIN = 'https://here.invalid'

function parse(value: string | undefined): URL | undefined {
  return value !== undefined && URL.canParse(value, ANY_ORIGIN) ? new URL(value, ANY_ORIGIN) : undefined
}

export function safeLink(value: string | undefined): string | undefined {
  const url = parse(value)
  return url && !RUNS_HERE.has(url.protocol) ? value : undefined
}

/** An address that a hosted page loads: a picture, or a frame. */
export function safeResource(value: string | undefined): string | undefined {
  const url = parse(value)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? value : undefined
}
