// What a custom token exchange reads, on PostgreSQL.
import type { TokenExchangePort, TokenExchangeProfile } from '../../../login/exchanged-user'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'

const PROFILE = {
  name: 'token-exchange-profile',
  text: `SELECT p.id, p.name, a.name AS "actionName" FROM token_exchange_profile p JOIN action a ON a.id = p.action_id
WHERE p.tenant_id = $1 AND p.subject_token_type = $2`,
  row: columns<TokenExchangeProfile>({ id: 'text', name: 'text', actionName: 'text' }),
}

const ACCOUNT = {
  name: 'token-exchange-account',
  text: `SELECT ${USER_COLUMNS} FROM identity i JOIN "user" u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
WHERE i.tenant_id = $1 AND i.connection_id = $2 AND i.provider_user_id = $3`,
  row: columns<UserColumns>(USER),
}

export const tokenExchangeStore = ({ pool }: Database, tenantId: string): TokenExchangePort => ({
  profileOf: async (type) => (await run(pool, PROFILE, [tenantId, type]))[0] ?? null,
  async findAccount(connectionId, providerUserId) {
    const [row] = await run(pool, ACCOUNT, [tenantId, connectionId, providerUserId])
    return row ? presentUser(row) : null
  },
})
