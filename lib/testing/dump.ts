// The content that an attacker with a stolen database can read.
import type { Database } from '../adapters/store/database'

/** Every column of every table as text, bytes both in hexadecimal and decoded. */
export async function dumpEverything({ pool }: Pick<Database, 'pool'>): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  const texts = await Promise.all(
    tables.map(async ({ name }) => JSON.stringify((await pool.query(`SELECT t::text AS row FROM ${name} t`)).rows)),
  )
  const text = texts.join('\n')
  const bytes = [...text.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  )
  return [text, ...bytes].join('\n')
}
