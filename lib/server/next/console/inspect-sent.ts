// What a pasted token or message is: decoded, and checked against the keys of this tenant. It is read here and nowhere kept: not stored,
// logged or part of an address.
import { readUnverified } from '../../../crypto/keys/client-jwt'
import { verifyJwt } from '../../../crypto/keys/jwt'
import { CONSOLE_PATH } from '../../../data/clients/console'
import { DomainError } from '../../../kernel/errors'
import type { Json, JsonObject } from '../../../kernel/json'
import { percentDecoded } from '../../../kernel/url'
import { say } from '../../../text/console'
import { inspectAccessToken } from '../../../tokens/access-token'
import { readRefreshToken } from '../../../tokens/refresh-token'
import type { Runtime } from '../../runtime/runtime'

export type InspectedSent = {
  title: string
  /** What the check of its signature said. */
  verdict: string
  isOurs: boolean
  facts: readonly (readonly [string, string])[]
  /** The decoded content. */
  content: string
  links: readonly { title: string; href: string }[]
}

/** Characters. */
export const MAX_SENT = 100_000

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** Null for what is neither a token nor a message. */
export async function inspectSent(pasted: string, runtime: Runtime): Promise<InspectedSent | null> {
  const text = pasted.trim().replace(/^Bearer\s+/i, '')
  if (text.length > MAX_SENT) return null
  if (JWT.test(text)) return inspectJwt(text, runtime)
  return (await inspectOpaque(text, runtime)) ?? inspectMessage(text, runtime)
}

const TYPES = ['JWT', 'at+jwt', 'logout+jwt'] as const

async function inspectJwt(token: string, runtime: Runtime): Promise<InspectedSent | null> {
  const decoded = readUnverified(token)
  if (decoded === null) return null
  const { header, claims } = decoded
  const { issuer, keyring, clock } = runtime
  const isOurs = await verifyJwt(
    token,
    { issuer, types: [...TYPES], now: clock.now(), ignoreExpiry: true },
    keyring,
  ).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError) return false
      throw error
    },
  )
  const expires = typeof claims.exp === 'number' ? new Date(claims.exp * 1000) : null
  const isExpired = expires !== null && expires <= clock.now()
  const kid = typeof header.kid === 'string' ? header.kid : ''
  return {
    title: say('find.jwt'),
    verdict: isOurs ? say(isExpired ? 'find.ours.expired' : 'find.ours.valid', { kid }) : say('find.foreign'),
    isOurs,
    facts: expires ? [[say(isExpired ? 'find.expired' : 'find.expires'), expires.toISOString()]] : [],
    content: JSON.stringify({ header, claims }, null, 2),
    links: isOurs ? linksOf(claims as JsonObject) : [],
  }
}

function linksOf({ sub, azp, client_id: clientId, org_id: organization }: JsonObject): InspectedSent['links'] {
  const client = typeof azp === 'string' ? azp : clientId
  const link = (title: string, section: string, id: Json | undefined) =>
    typeof id === 'string' && id !== ''
      ? [{ title: `${title} ${id}`, href: `${CONSOLE_PATH}/${section}/${encodeURIComponent(id)}` }]
      : []
  // The subject of a token that a client got for itself is the client.
  const isUser = typeof sub === 'string' && !sub.endsWith('@clients')
  return [
    ...link(say('find.user'), 'users', isUser ? sub : undefined),
    ...link(say('find.application'), 'applications', client),
    ...link(say('find.organization'), 'organizations', organization),
  ]
}

async function inspectOpaque(token: string, runtime: Runtime): Promise<InspectedSent | null> {
  if (!/^[\w.-]{20,}$/.test(token)) return null
  if (readRefreshToken(token, runtime.vault) !== null) {
    const facts: InspectedSent['facts'] = []
    return { title: say('find.refresh'), verdict: say('find.ours'), isOurs: true, facts, content: '', links: [] }
  }
  try {
    const { claims } = await inspectAccessToken(token, runtime.issuing())
    const content = JSON.stringify({ claims }, null, 2)
    return {
      title: say('find.opaque'),
      verdict: say('find.ours'),
      isOurs: true,
      facts: [],
      content,
      links: linksOf(claims as JsonObject),
    }
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** A SAML message or a WS-Federation answer: XML, base64 of it, deflated or not, with percent signs; or a parameter that holds it. */
async function inspectMessage(pasted: string, runtime: Runtime): Promise<InspectedSent | null> {
  const [, parameter] = /(?:^|[?&])(?:SAMLRequest|SAMLResponse|wresult)=([^&\s]+)/.exec(pasted) ?? []
  const given = parameter === undefined ? percentDecoded(pasted) : decodedParameter(parameter)
  const isXml = given.trimStart().startsWith('<')
  if (!isXml && !/^[A-Za-z0-9+/=\s]{40,}$/.test(given)) return null
  try {
    const { name, facts, xml } = await runtime.readXml('outline', isXml ? { source: given } : { encoded: given })
    return { title: name, verdict: say('find.message'), isOurs: false, facts, content: xml, links: [] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    // Base64 may be of anything.
    return isXml
      ? { title: say('find.xml'), verdict: error.description, isOurs: false, facts: [], content: '', links: [] }
      : null
  }
}

/** Base64 that was not encoded for an address has plus signs, which a form reads as spaces. */
function decodedParameter(parameter: string): string {
  const value = new URLSearchParams(`value=${parameter}`).get('value') ?? ''
  return value.trimStart().startsWith('<') ? value : value.replaceAll(' ', '+')
}
