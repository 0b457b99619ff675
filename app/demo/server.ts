// The client's view of the identity server: discovery, then fetch; every request and response is logged. Nothing here is
// specific to this server; with another ISSUER the code works with another server.
import { asText, shortened } from './exchange-log'
import { note } from './memory'

export type Discovery = {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  userinfo_endpoint: string
  jwks_uri: string
  end_session_endpoint: string
}

/** The server's error response, or no response. */
export class ServerError extends Error {
  constructor(
    readonly code: string,
    readonly description: string,
  ) {
    super(description || code)
    this.name = 'ServerError'
  }
}

type Answer = Record<string, unknown>
type Call = { purpose: string; address: string; form?: Record<string, string>; bearer?: string }

let discovered: Promise<Discovery> | undefined

/** Fetched once per page, and again after a failure. */
export function discover(origin: string): Promise<Discovery> {
  discovered ??= getDocument(origin).catch((error: unknown) => {
    discovered = undefined
    throw error
  })
  return discovered
}

async function getDocument(origin: string): Promise<Discovery> {
  const response = await fetch(`${origin}/.well-known/openid-configuration`).catch(unreachable)
  if (!response.ok) throw new ServerError(String(response.status), 'The server has no discovery document.')
  return (await response.json()) as Discovery
}

export async function loadKeys(address: string): Promise<JsonWebKey[]> {
  const { keys } = await call({ purpose: 'Fetch the keys that sign tokens', address })
  return Array.isArray(keys) ? (keys as JsonWebKey[]) : []
}

/** A GET, or a form POST, with a JSON response. */
export async function call({ purpose, address, form, bearer }: Call): Promise<Answer> {
  const began = performance.now()
  const headers: Record<string, string> = bearer ? { Authorization: `Bearer ${bearer}` } : {}
  const init = form ? { method: 'POST', headers, body: new URLSearchParams(form) } : { headers }
  const response = await fetch(address, init).catch(unreachable)
  const answer = await readAnswer(response)
  note({
    purpose,
    method: form ? 'POST' : 'GET',
    address,
    kind: 'fetch',
    status: response.status,
    milliseconds: Math.round(performance.now() - began),
    sent: shortened({ ...headers, ...form }),
    answer: shortened(answer),
  })
  if (!response.ok) throw refusalOf(response, answer)
  return answer
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Answer) : { answer: value }
  } catch {
    return { answer: text.slice(0, 200) }
  }
}

const refusalOf = (response: Response, answer: Answer): ServerError =>
  new ServerError(
    asText(answer.error ?? String(response.status)),
    asText(answer.error_description ?? answer.answer ?? response.statusText),
  )

function unreachable(): never {
  throw new ServerError('unreachable', 'The server did not answer.')
}
