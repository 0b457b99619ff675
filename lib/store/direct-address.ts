// Hosts of PostgreSQL that offer a database by two addresses, its own and a pooler's in transaction mode.

/** Whether it is known to be the database's own, or a pooler's in session mode, which holds a connection for each client. */
export function isDirectAddress(databaseUrl: string): boolean {
  if (!URL.canParse(databaseUrl)) return false
  const { hostname, port } = new URL(databaseUrl)
  if (hostname.endsWith('.neon.tech')) return !/^[^.]*-pooler\./.test(hostname)
  // Supabase: transaction mode is at port 6543, on either host.
  return SUPABASE.test(hostname) && port !== '6543'
}

const SUPABASE = /^db\.[^.]+\.supabase\.co$|\.pooler\.supabase\.com$/
