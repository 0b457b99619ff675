// A provider's metadata, from the connection's own text, which is parsed once, or from a URL, which `callOut` fetches. What was
// fetched is cached for ten minutes and then fetched again. While the URL fails, the last response remains valid, for a day at
// most: logins continue while the metadata is unavailable, and a withdrawn key does not stay valid for ever.
import { addSeconds, ageHere, lasts } from '../../../kernel/clock'
import { DomainError } from '../../../kernel/errors'
import type { Connection } from '../connection'
import { callingProvider, type UpstreamDeps, UpstreamError } from './upstream'

type Metadata = { validUntil: Date | null }

/** Parses the XML of one kind of metadata. */
export type ReadMetadata<M extends Metadata> = (xml: string) => Promise<M>

type Names = Pick<Connection, 'id'>

export type MetadataPlace = { xml: string | undefined; url: string | undefined }

export const notSetUp = (reason: string, cause?: unknown): UpstreamError =>
  new UpstreamError('unreachable', reason, { cause })

/** Null if the connection has no metadata. */
export async function metadataOf<M extends Metadata>(
  connection: Names,
  { xml, url }: MetadataPlace,
  read: ReadMetadata<M>,
  deps: UpstreamDeps,
): Promise<M | null> {
  if (!xml && !url) return null
  const metadata = xml ? await ofText(connection, xml, read, deps) : await keptAt(connection, url ?? '', read, deps)
  if (metadata.validUntil !== null && metadata.validUntil <= deps.clock.now()) {
    throw notSetUp("the provider's metadata is over")
  }
  return metadata
}

/** Forgets a failure, which may have been this server's. */
function ofText<M extends Metadata>({ id }: Names, xml: string, read: ReadMetadata<M>, deps: UpstreamDeps): Promise<M> {
  const known = deps.upstreamServers.get(id)
  if (known?.fingerprint === xml) return known.server as Promise<M>
  const server = readable(xml, read)
  const entry = { fingerprint: xml, until: deps.clock.now(), server }
  deps.upstreamServers.set(id, entry)
  server.catch(() => {
    if (deps.upstreamServers.get(id) === entry) deps.upstreamServers.delete(id)
  })
  return server
}

const KEPT_SECONDS = 600
/** The least time between retries, so that requests cannot make this server call a failing URL repeatedly. */
const RETRY_SECONDS = 5
const MAX_SECONDS = 86400

type Kept<M> = { metadata: M; at: Date }

async function keptAt<M extends Metadata>(
  { id }: Names,
  url: string,
  read: ReadMetadata<M>,
  deps: UpstreamDeps,
): Promise<M> {
  const now = deps.clock.now()
  const found = deps.upstreamServers.get(id)
  const known = found?.fingerprint === url ? { ...found, server: found.server as Promise<Kept<M>> } : null
  if (known && lasts(known.until, now, KEPT_SECONDS)) return (await known.server).metadata
  const server = renewed(known?.server, now, () => fetchMetadata(url, read, deps))
  const entry = { fingerprint: url, until: addSeconds(now, KEPT_SECONDS), server, renewedAt: found?.renewedAt }
  deps.upstreamServers.set(id, entry)
  const retrySoon = (): void => {
    entry.until = addSeconds(now, RETRY_SECONDS)
  }
  server.then(({ at }) => at < now && retrySoon(), retrySoon)
  return (await server).metadata
}

const RENEW_SECONDS = 30

/**
 * Has the next look-up read the metadata at the URL again, because the provider may have changed its keys; at most every thirty
 * seconds, and false before.
 */
export function requestMetadataRefresh(
  { id }: Names,
  url: string | undefined,
  { upstreamServers, clock }: UpstreamDeps,
): boolean {
  const known = upstreamServers.get(id)
  const now = clock.now()
  if (!known || known.fingerprint !== url) return false
  if (known.renewedAt && ageHere(known.renewedAt, now) < RENEW_SECONDS) return false
  known.until = now
  known.renewedAt = now
  return true
}

async function renewed<M>(before: Promise<Kept<M>> | undefined, now: Date, ask: () => Promise<M>): Promise<Kept<M>> {
  try {
    return { metadata: await ask(), at: now }
  } catch (error) {
    const last = await before?.catch(() => null)
    if (last && ageHere(last.at, now) < MAX_SECONDS) return last
    throw error
  }
}

async function fetchMetadata<M extends Metadata>(
  url: string,
  read: ReadMetadata<M>,
  { callOut }: UpstreamDeps,
): Promise<M> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml' }
  const answer = await callingProvider(callOut)(url, { method: 'GET', headers })
  if (answer.status !== 200) throw notSetUp(`its metadata's address answered ${answer.status}`)
  return readable(Buffer.from(answer.body).toString(), read)
}

async function readable<M extends Metadata>(xml: string, read: ReadMetadata<M>): Promise<M> {
  try {
    return await read(xml)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'temporarily_unavailable') throw error
    throw notSetUp("the provider's metadata cannot be read", error)
  }
}
