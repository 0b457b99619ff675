// What the portal says after a provider did not connect an account: a notice, and where no answer came, whose and why, as on the login page.
// The cause is sealed for the session, because the notice is in the address: a link from elsewhere must not claim one.
import type { UpstreamConnection } from '../../data/connections/connection'
import type { UpstreamError } from '../../data/connections/upstream/upstream'
import type { Unreached } from '../../kernel/network-failure'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'

type Cause = { sid: string; connectionId: string; why: Unreached }

const CAUSE = 'upstream connecting cause'

/** The path with the notice. */
export function pathWithFailure(
  { path, sid }: { path: string; sid: string },
  { id: connectionId }: UpstreamConnection,
  { failure, unreached: why }: UpstreamError,
  { vault, random }: Pick<LoginDeps, 'vault' | 'random'>,
): string {
  const notice: NoticeCode = failure === 'denied' ? 'upstream_denied' : 'upstream_failed'
  const query = new URLSearchParams({ notice })
  if (why) query.set('cause', vault.sealText(CAUSE, JSON.stringify({ sid, connectionId, why } satisfies Cause), random))
  return `${path}?${query}`
}

/** Null for anything that this server did not write for the session. */
export function readCause(sealed: string | undefined, sid: string, { vault }: Pick<LoginDeps, 'vault'>): Cause | null {
  const text = vault.openText(CAUSE, sealed ?? '')
  const cause = text === null ? null : (JSON.parse(text) as Cause)
  return cause?.sid === sid ? cause : null
}
