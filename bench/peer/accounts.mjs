// The peer's users: rows in PostgreSQL, found by e-mail address at login and by id when claims are needed.
import { verify } from '@node-rs/argon2'

export const schema = `CREATE TABLE account (
  id text PRIMARY KEY, email text NOT NULL UNIQUE, password_hash text NOT NULL, claims json NOT NULL);`

export function createAccounts(pool) {
  return {
    /** The account id, or undefined if the address or the password is wrong. */
    async authenticate(email, password) {
      const text = 'SELECT id, password_hash FROM account WHERE email = $1'
      const { rows } = await pool.query({ name: 'account_by_email', text, values: [email] })
      const [account] = rows
      return account && (await verify(account.password_hash, password)) ? account.id : undefined
    },

    async findAccount(_context, accountId) {
      const text = 'SELECT claims FROM account WHERE id = $1'
      const { rows } = await pool.query({ name: 'account_by_id', text, values: [accountId] })
      const [account] = rows
      return account && { accountId, claims: () => ({ sub: accountId, ...account.claims }) }
    },
  }
}
