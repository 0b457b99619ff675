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

/** Makes the login of the page expired. */
export async function expireLogin(pageUrl: string): Promise<void> {
  const handle = new URL(pageUrl).searchParams.get('state') ?? ''
  const client = new Client({ connectionString: await connectionString() })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `UPDATE login_transaction SET expires_at = now() - interval '1 minute' WHERE handle_digest = sha256($1::bytea)`,
      [Buffer.from(handle)],
    )
    if (rowCount !== 1) throw new Error('there is no such login')
  } finally {
    await client.end()
  }
}
