// A SAML connection's provider: what it is called, where it takes requests and which keys sign for it, as the connection says
// or the provider's metadata does. Metadata at an address is fetched through `callOut`, kept for ten minutes and fetched anew.
import type { KeyObject } from 'node:crypto'
import { CallOutError } from '../../kernel/call-out'
import { addSeconds } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import { certificatesOf, publicKeyOf } from '../../saml/certificate'
import { type BindingName, type IdpMetadata, readIdpMetadata } from '../../saml/idp-metadata'
import { BINDING } from '../../saml/names'
import type { Connection } from '../connection'
import { callbackUrl, type UpstreamDeps, UpstreamError } from './upstream'

export type SamlProvider = {
  issuer: string | null
  keys: readonly KeyObject[]
  signIn: { address: string; binding: BindingName }
  /** Of the redirect binding, the one that we sign out by. */
  signOut: string | null
}

type Names = Pick<Connection, 'name'>

/** What we are called towards the provider. */
export const audienceOf = ({ name, settings }: Connection, { entityId }: { entityId: string }): string =>
  settings.options.entityId ?? `${entityId}:${name}`

/** Where its answers go; the first is the one that we ask for. */
export function consumerUrls({ name }: Names, deps: Pick<UpstreamDeps, 'baseUrl'>): [string, string] {
  const callback = callbackUrl(deps)
  return [`${callback}?${new URLSearchParams({ connection: name })}`, callback]
}

export async function samlProviderOf(connection: Connection, deps: UpstreamDeps): Promise<SamlProvider> {
  const { options } = connection.settings
  const metadata = await metadataOf(connection, deps)
  const own = options.signingCert === undefined ? [] : certificatesOf(options.signingCert)
  const keys = (own.length > 0 ? own : (metadata?.certificates ?? [])).map(publicKeyOf).filter((key) => key !== null)
  const signIn = signInOf(options, metadata)
  if (keys.length === 0 || !signIn) throw notSetUp('the connection names no signingCert or no signInEndpoint')
  return {
    issuer: options.idpEntityId ?? metadata?.entityId ?? null,
    keys,
    signIn,
    signOut: options.signOutEndpoint ?? metadata?.signOut.redirect ?? null,
  }
}

const notSetUp = (reason: string, cause?: unknown): UpstreamError => new UpstreamError('unreachable', reason, cause)

function signInOf(
  { signInEndpoint, protocolBinding }: Connection['settings']['options'],
  metadata: IdpMetadata | null,
): SamlProvider['signIn'] | null {
  const wanted = protocolBinding === BINDING.post ? 'post' : 'redirect'
  if (signInEndpoint !== undefined) return { address: signInEndpoint, binding: wanted }
  const offered = metadata?.signIn ?? {}
  const bindings: BindingName[] = protocolBinding === undefined ? ['redirect', 'post'] : [wanted]
  const binding = bindings.find((name) => offered[name] !== undefined)
  const address = binding && offered[binding]
  return address ? { address, binding } : null
}

async function metadataOf(connection: Connection, deps: UpstreamDeps): Promise<IdpMetadata | null> {
  const { metadataXml, metadataUrl } = connection.settings.options
  if (metadataXml === undefined && metadataUrl === undefined) return null
  const metadata = metadataXml === undefined ? await fetched(connection, metadataUrl ?? '', deps) : read(metadataXml)
  if (metadata.validUntil !== null && metadata.validUntil <= deps.clock.now()) {
    throw notSetUp("the provider's metadata is over")
  }
  return metadata
}

const KEPT_SECONDS = 600

async function fetched({ id }: Connection, url: string, deps: UpstreamDeps): Promise<IdpMetadata> {
  const now = deps.clock.now()
  const known = deps.upstreamServers.get(id)
  if (known?.print === url && known.until > now) return known.server as Promise<IdpMetadata>
  const server = fetchMetadata(url, deps)
  const entry = { print: url, until: addSeconds(now, KEPT_SECONDS), server }
  deps.upstreamServers.set(id, entry)
  server.catch(() => {
    if (deps.upstreamServers.get(id) === entry) deps.upstreamServers.delete(id)
  })
  return server
}

async function fetchMetadata(url: string, { callOut }: UpstreamDeps): Promise<IdpMetadata> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml' }
  const answer = await callOut(url, { method: 'GET', headers }).catch((error: unknown) => {
    throw error instanceof CallOutError ? notSetUp(`its metadata cannot be fetched: ${error.reason}`, error) : error
  })
  if (answer.status !== 200) throw notSetUp(`its metadata's address answered ${answer.status}`)
  return read(Buffer.from(answer.body).toString())
}

function read(xml: string): IdpMetadata {
  try {
    return readIdpMetadata(xml)
  } catch (error) {
    throw error instanceof DomainError ? notSetUp("the provider's metadata cannot be read", error) : error
  }
}
