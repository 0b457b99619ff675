// Login links, which continue a pending login, on PostgreSQL. They are in the row of the last mail to an address, so a newer
// mail invalidates the links together with the code. One statement answers a link, and one redeems it.
import type { Pool } from 'pg'
import type { LinkRef, LinkState, LoginLinkPort } from '../../../identity/one-time-codes/one-time-code'
import { columns } from '../columns'
import { run } from '../database'
import { inTransaction } from '../transaction'
import { userAt } from './code-users'

const OF_LOGIN = 'tenant_id = $1 AND connection_id = $2 AND address = $3 AND login_digest = $4'

const FIND = {
  name: 'login-link-find',
  text: `SELECT number, CASE WHEN answer = 'rejected' THEN 'rejected' WHEN consumed_at IS NOT NULL OR expires_at <= $6 THEN 'over'
  ELSE coalesce(answer, 'waiting') END AS status
FROM one_time_code WHERE ${OF_LOGIN} AND link_digest = coalesce($5, link_digest)`,
  row: columns<LinkState>({ number: 'text', status: 'text' }),
}

const ANSWER = {
  name: 'login-link-answer',
  text: `UPDATE one_time_code SET answer = CASE WHEN number = $7 THEN 'approved' ELSE 'rejected' END,
  consumed_at = CASE WHEN number = $7 THEN NULL ELSE $6::timestamptz END
WHERE ${OF_LOGIN} AND link_digest = $5 AND answer IS NULL AND consumed_at IS NULL AND expires_at > $6
RETURNING answer`,
  row: columns<{ answer: 'approved' | 'rejected' }>({ answer: 'text' }),
}

const USE = {
  name: 'login-link-use',
  text: `UPDATE one_time_code SET consumed_at = $6
WHERE ${OF_LOGIN} AND consumed_at IS NULL AND expires_at > $6 AND (answer = 'approved' OR (answer IS NULL AND link_digest = $5))
RETURNING 1`,
}

const valuesOf = (tenantId: string, { connectionId, address, login, digest }: LinkRef, now: Date) => [
  tenantId,
  connectionId,
  address,
  login,
  digest,
  now,
]

export const loginLinkStore = (pool: Pool, tenantId: string): LoginLinkPort => ({
  async findLink(ref, now) {
    return (await run(pool, FIND, valuesOf(tenantId, ref, now)))[0] ?? null
  },
  async answerLink(ref, number, now) {
    return (await run(pool, ANSWER, [...valuesOf(tenantId, ref, now), number]))[0]?.answer ?? null
  },
  redeemLink: (ref, newcomer, now) =>
    inTransaction(pool, async (client) => {
      const used = await run(client, USE, valuesOf(tenantId, ref, now))
      return used.length === 0 ? null : { user: await userAt(client, tenantId, ref, newcomer, now) }
    }),
})
