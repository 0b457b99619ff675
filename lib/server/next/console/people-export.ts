// The file of an export that was started in the console: for the person who started it alone, within a day, while the role still reads it.
import { Readable } from 'node:stream'
import { addSeconds } from '../../../kernel/clock'
import { percentDecoded } from '../../../kernel/url'
import type { ManagementDeps } from '../../../management/deps'
import { DEFAULT_FIELDS } from '../../../management/jobs/export'
import { jobs } from '../../../management/jobs/resource'
import { type ConsoleSession, contextOf, enter } from './entry'
import { consoleOf, troubleOf } from './page'
import { consoleRuntime, signInUrl } from './session'
import { UNCACHED } from './uncached'

/** Seconds. */
const OFFERED = 86_400

/** What an export has where nothing else is chosen. */
export const DEFAULT_EXPORT = { connection_id: null, format: 'json', fields: DEFAULT_FIELDS }

/** `other`: another person made it. */
export type Offer = 'ready' | 'other' | 'over' | 'waits'

export async function offerOf(id: string, session: ConsoleSession): Promise<Offer> {
  const { deps } = await contextOf(session)
  return offer(id, session, deps)
}

async function offer(
  id: string,
  { administrator, runtime }: ConsoleSession,
  { jobs: store }: ManagementDeps,
): Promise<Offer> {
  const job = await store.find(id)
  if (job?.type !== 'users_export' || job.settings.by !== administrator.userId) return 'other'
  if (job.status !== 'completed') return 'waits'
  return job.createdAt > addSeconds(runtime.clock.now(), -OFFERED) ? 'ready' : 'over'
}

export async function serveExportedFile(incoming: Request, segment: string): Promise<Response> {
  const id = percentDecoded(segment)
  const entry = await enter(await consoleRuntime(new URL(incoming.url), Object.fromEntries(incoming.headers)))
  if (entry.state !== 'in') return answer(null, 303, { location: signInUrl(`/console/users/export/${id}`) })
  try {
    const console = await consoleOf(entry.session)
    // Its scopes, as they are now, decide about what is in the file.
    const { location } = await console.read(jobs.read, { params: { id } })
    const { deps } = await contextOf(entry.session)
    const isOffered = location !== undefined && (await offer(id, entry.session, deps)) === 'ready'
    const file = isOffered ? await deps.exportedFile(id) : null
    if (!file) return answer('There is no such file\n', 404)
    return answer(Readable.toWeb(Readable.from(file.bytes)) as ReadableStream, 200, {
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${file.name}"`,
    })
  } catch (error) {
    const { kind } = troubleOf(error)
    return answer(null, kind === 'forbidden' ? 403 : kind === 'missing' ? 404 : 503)
  }
}

const answer = (body: BodyInit | null, status: number, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(body, {
    status,
    headers: { ...UNCACHED, ...more },
  })
