/**
 * Which addresses from a tenant's or a client's configuration may become a link or a picture.
 *
 * Must hold: nothing that runs as script in our origin gets through. Links may use an app's own scheme (`myapp://…`),
 * because native apps register those; pictures come over http(s) or from this server.
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

/** What is loaded into a page of ours: a picture, or a frame. */
export function safeResource(value: string | undefined): string | undefined {
  const url = parse(value)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? value : undefined
}
