// What managers change of a user's second factors at once, on PostgreSQL.
import type { UserFactorStore } from '../../../../management/resources/user-factors'
import { columns } from '../../columns'
import { type Database, run } from '../../database'
import { inTransaction } from '../../transaction'
import { writeChangeMail } from '../outbox'

/** Changes of a user's factors happen one after the other. */
const HOLD_USER = {
  name: 'managed-factors-hold-user',
  text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
}

const REMOVE_ALL = {
  name: 'managed-factors-remove-all',
  text: 'DELETE FROM authenticator WHERE tenant_id = $1 AND user_id = $2',
}

const INSERT = {
  name: 'managed-factors-insert',
  text: `INSERT INTO authenticator (tenant_id, id, user_id, type, channel, name, active, sealed, phone_number, email, vouched,
  created_at, confirmed_at)
VALUES ($1, $2, $3, $4, $5, $6, true, $7, $8, $9, true, $10, $10)`,
}

const OWNER = {
  name: 'managed-factors-owner',
  text: 'SELECT user_id AS "userId" FROM authenticator WHERE tenant_id = $1 AND id = $2',
  row: columns<{ userId: string }>({ userId: 'text' }),
}

export const userFactorStore = ({ pool }: Database, tenantId: string): UserFactorStore => ({
  async owner(id) {
    return (await run(pool, OWNER, [tenantId, id]))[0]?.userId ?? null
  },
  replace: (userId, factors, at, mail) =>
    inTransaction(pool, async (client) => {
      const [held] = await run(client, HOLD_USER, [tenantId, userId])
      if (!held) return false
      await run(client, REMOVE_ALL, [tenantId, userId])
      for (const { id, type, channel, name, sealed, phoneNumber, email } of factors)
        await run(client, INSERT, [tenantId, id, userId, type, channel, name, sealed, phoneNumber, email, at])
      await writeChangeMail(client, tenantId, mail)
      return true
    }),
})
