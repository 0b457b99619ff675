// What a database must be before anything is written: its encoding holds every text, and the schema that the settings name exists.

export type DatabaseShape = {
  encoding: string
  /** The first schema of the path that exists and may be used. */
  schema: string | null
  /** The search_path of the session: of DATABASE_URL, of the user or of the database. */
  path: string
  user: string
}

export const SHAPE = `SELECT current_setting('server_encoding') AS encoding, current_schema() AS schema,
  current_setting('search_path') AS path, current_user AS "user"`

/** A sentence, or null. */
export function shapeProblem({ encoding, schema, path, user }: DatabaseShape): string | null {
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, which cannot hold every text: make one with \`CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'\`, and name it in DATABASE_URL.`
  const names = schemasOf(path)
  const first = names.find((name) => name !== '$user')
  // The schema of the user's own name is there only where it was made.
  if (schema !== null && (schema === first || (names[0] === '$user' && schema === user))) return null
  return `The schema ${first ?? 'of the search_path'} does not exist in the database, or its user may not use it: create it (\`CREATE SCHEMA …\`), or correct schema or search_path in DATABASE_URL, or the search_path of the user.`
}

const schemasOf = (path: string): string[] =>
  [...path.matchAll(/"((?:[^"]|"")+)"|([^\s,"]+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
