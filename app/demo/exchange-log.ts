// The log of requests and responses between this page and the server, for the section "what just happened". Secrets are
// shortened before they are logged, because users read and share the log.

export type LoggedExchange = {
  /** The purpose in one sentence. */
  purpose: string
  method: 'GET' | 'POST'
  address: string
  /** A redirect of the whole browser, or a fetch of this page. */
  kind: 'browser' | 'fetch'
  status: number | null
  milliseconds: number | null
  sent: Record<string, string>
  answer: Record<string, string>
}

const SECRETS = new Set([
  'code',
  'code_verifier',
  'access_token',
  'refresh_token',
  'id_token',
  'id_token_hint',
  'Authorization',
])

export function shortened(values: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    SECRETS.has(name) ? abbreviate(value) : asText(value),
  ])
  return Object.fromEntries(entries)
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const abbreviate = (value: unknown): string => {
  const text = asText(value)
  return text.length > 16 ? `${text.slice(0, text.startsWith('Bearer ') ? 17 : 10)}…` : text
}
