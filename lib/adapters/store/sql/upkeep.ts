// What has to be looked after, on PostgreSQL: messages that were not delivered, and secrets that have become old.
import type { OldSecret, UndeliveredMessages, UpkeepStore } from '../../../management/resources/upkeep'
import { columns } from '../columns'
import { type Database, run } from '../database'

/** Messages that are looked at. */
const LOOKED_AT = 1000

/** Those that failed, or wait after a failure, and were written after the last that was sent: one bad address is no trouble of the sender. */
const UNDELIVERED = {
  name: 'upkeep-undelivered',
  text: `WITH recent AS MATERIALIZED (
  SELECT CASE channel WHEN 'email' THEN 'email' ELSE 'phone' END AS kind, created_at, sent_at, last_error
  FROM outbox_message WHERE tenant_id = $1 AND created_at > $2 AND channel IN ('email', 'sms', 'voice')
  ORDER BY created_at DESC LIMIT ${LOOKED_AT}
), delivered AS (SELECT kind, max(sent_at) AS at FROM recent GROUP BY kind)
SELECT recent.kind, count(*)::int AS count, min(created_at) AS since,
  coalesce((array_agg(last_error ORDER BY created_at DESC))[1], '') AS "lastError"
FROM recent JOIN delivered ON delivered.kind = recent.kind
WHERE sent_at IS NULL AND last_error IS NOT NULL AND (delivered.at IS NULL OR created_at > delivered.at) GROUP BY recent.kind`,
  row: columns<UndeliveredMessages>({ kind: 'text', count: 'number', since: 'date', lastError: 'text' }),
}

/**
 * What registered itself, or proves itself in another way, has no secret that is changed here. The first is asked so that the index of
 * secrets leads, and not that of clients without a registration.
 */
const OLD_SECRETS = {
  name: 'upkeep-old-secrets',
  text: `(SELECT 'client' AS kind, client_id AS id, name, secret_changed_at AS "changedAt" FROM client
  WHERE secret_changed_at < $2 AND tenant_id = $1 AND 'client' = ANY($3) AND coalesce(registration_digest, '') = ''
    AND coalesce(settings->>'token_endpoint_auth_method', 'client_secret_post') IN ('client_secret_post', 'client_secret_basic')
  ORDER BY secret_changed_at LIMIT $4)
UNION ALL (SELECT 'connection', id, name, secret_changed_at FROM connection
  WHERE secret_changed_at < $2 AND tenant_id = $1 AND 'connection' = ANY($3) ORDER BY secret_changed_at LIMIT $4)
UNION ALL SELECT kind || '_provider', name, name, secret_changed_at FROM message_provider
  WHERE tenant_id = $1 AND secret_changed_at < $2 AND kind || '_provider' = ANY($3) AND cardinality(channels) > 0
    AND name <> 'custom'
ORDER BY "changedAt" LIMIT $4`,
  row: columns<OldSecret>({ kind: 'text', id: 'text', name: 'text', changedAt: 'date' }),
}

export const upkeepStore = ({ pool }: Database, tenantId: string): UpkeepStore => ({
  undelivered: (since) => run(pool, UNDELIVERED, [tenantId, since]),
  oldSecrets: (before, kinds, limit) => run(pool, OLD_SECRETS, [tenantId, before, kinds, limit]),
})
