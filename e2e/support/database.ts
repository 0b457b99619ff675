// A test cannot change the clock of the server under test, so it changes the dates of rows in its database.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

async function connectionString(): Promise<string> {
  const data = process.env.E2E_DATA_DIR ?? ''
  const home = (await readFile(join(data, 'location'), 'utf8').catch(() => data)).trim()
  const password = (await readFile(join(home, 'postgres', 'password'), 'utf8')).trim()
  const [, , , port, folder] = (await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')
  return `postgresql://latchkey:${password}@localhost:${port}/latchkey?host=${encodeURIComponent(folder ?? '')}`
}

async function change(statement: string, value: unknown): Promise<number> {
  const client = new Client({ connectionString: await connectionString() })
  await client.connect()
  try {
    return (await client.query(statement, [value])).rowCount ?? 0
  } finally {
    await client.end()
  }
}

/** Makes the login of the page expired. */
export async function expireLogin(pageUrl: string): Promise<void> {
  const handle = new URL(pageUrl).searchParams.get('state') ?? ''
  const found = await change(
    `UPDATE login_transaction SET expires_at = now() - interval '1 minute' WHERE handle_digest = sha256($1::bytea)`,
    Buffer.from(handle),
  )
  if (found !== 1) throw new Error('there is no such login')
}

/** Makes the last sign-in of a person older than a dangerous step of the console takes. */
export async function ageSignIn(email: string): Promise<void> {
  const found = await change(
    `UPDATE session SET auth_time = auth_time - interval '20 minutes'
     WHERE user_id IN (SELECT id FROM "user" WHERE email = $1)`,
    email,
  )
  if (found === 0) throw new Error('the person is not signed in')
}

/** Makes the secret of an application one that was not changed for so many days. */
export async function ageSecret(clientId: string, days: number): Promise<void> {
  const found = await change(
    `UPDATE client SET secret_changed_at = now() - interval '${days} days' WHERE client_id = $1`,
    clientId,
  )
  if (found !== 1) throw new Error('there is no such application')
}
