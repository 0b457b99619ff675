// oidc-provider's storage on PostgreSQL: one table per model with the necessary look-up columns, one prepared statement per
// operation, an expiry for purging, and a `consume` that exactly one caller wins.

const MODELS = {
  AccessToken: ['grant_id'],
  AuthorizationCode: ['grant_id'],
  ClientCredentials: [],
  DeviceCode: ['grant_id', 'user_code'],
  Grant: [],
  Interaction: [],
  RefreshToken: ['grant_id'],
  ReplayDetection: [],
  Session: ['uid'],
}

const PAYLOAD_FIELD = { grant_id: 'grantId', uid: 'uid', user_code: 'userCode' }

const tableOf = (model) => `oidc_${model.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}`

export const schema = Object.entries(MODELS)
  .map(([model, lookups]) => {
    const table = tableOf(model)
    const columns = lookups.map((column) => `${column} text,`).join(' ')
    const indexes = lookups.map((column) => `CREATE INDEX ON ${table} (${column});`).join(' ')
    return `CREATE TABLE ${table} (
      id text PRIMARY KEY, payload json NOT NULL, ${columns} expires_at timestamptz, consumed_at timestamptz);
      CREATE INDEX ON ${table} (expires_at); ${indexes}`
  })
  .join('\n')

function upsertStatement(table, lookups) {
  const columns = ['id', 'payload', 'expires_at', ...lookups]
  const values = ['$1', '$2', "now() + $3 * interval '1 second'", ...lookups.map((_, index) => `$${index + 4}`)]
  const updates = columns.slice(1).map((column) => `${column} = EXCLUDED.${column}`)
  return `INSERT INTO ${table} (${columns}) VALUES (${values}) ON CONFLICT (id) DO UPDATE SET ${updates}`
}

/** The adapter factory, which oidc-provider calls once per model. */
export const createAdapter = (pool) => (model) => {
  const lookups = MODELS[model]
  if (!lookups) throw new Error(`the bench peer does not use ${model}`)
  const table = tableOf(model)
  const upsert = upsertStatement(table, lookups)
  const query = (name, text, values) => pool.query({ name: `${table}_${name}`, text, values })

  const findBy = async (column, value) => {
    const { rows } = await query(`find_${column}`, `SELECT payload, consumed_at FROM ${table} WHERE ${column} = $1`, [
      value,
    ])
    const [row] = rows
    return row && (row.consumed_at ? { ...row.payload, consumed: row.consumed_at.getTime() / 1000 } : row.payload)
  }

  return {
    find: (id) => findBy('id', id),
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (userCode) => findBy('user_code', userCode),
    upsert: (id, payload, expiresIn) => {
      const found = lookups.map((column) => payload[PAYLOAD_FIELD[column]] ?? null)
      return query('upsert', upsert, [id, JSON.stringify(payload), expiresIn ?? null, ...found])
    },
    async consume(id) {
      const text = `UPDATE ${table} SET consumed_at = now() WHERE id = $1 AND consumed_at IS NULL`
      const { rowCount } = await query('consume', text, [id])
      if (rowCount === 0) throw new Error(`${model} is consumed already`)
    },
    destroy: (id) => query('destroy', `DELETE FROM ${table} WHERE id = $1`, [id]),
    revokeByGrantId: (grantId) => query('revoke', `DELETE FROM ${table} WHERE grant_id = $1`, [grantId]),
  }
}
