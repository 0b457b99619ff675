// Logout notices to clients (OIDC Back-Channel Logout 1.0). The statement that ends a session writes the notices, so they exist
// exactly if the session ended, for every client that took part up to that moment.
import type { LogoutCause } from '../../../data/outbox/logout-notice'

/** The RETURNING clause of an UPDATE of `session`. */
export const RETURNING_ENDED = `RETURNING session.tenant_id, session.user_id, session.sid, session.participants,
  session.ended_at`

/** One notice for each client that took part in a session of `ended`, a part of a WITH, and registered a logout URL. */
export const notifyParticipants = (ended: string, cause: LogoutCause, which = 'true'): string => `
INSERT INTO outbox_message (id, tenant_id, channel, recipient, notice, created_at, next_attempt_at)
SELECT gen_random_uuid(), e.tenant_id, 'backchannel_logout', c.client_id,
  jsonb_build_object('sub', e.user_id, 'sid', e.sid, 'cause', '${cause}'), e.ended_at, e.ended_at
FROM ${ended} e JOIN client c ON c.tenant_id = e.tenant_id AND c.client_id = ANY(e.participants)
WHERE c.settings #> '{oidc_logout,backchannel_logout_urls,0}' IS NOT NULL AND ${which}`
