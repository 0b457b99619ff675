// PostgreSQL hosting services that give a database two addresses: a direct one and one of a pooler in transaction mode.

/** Whether the address is known to be direct, or of a pooler in session mode, which holds one connection for each client. */
export function isDirectAddress(databaseUrl: string): boolean {
  if (!URL.canParse(databaseUrl)) return false
  const { hostname, port } = new URL(databaseUrl)
  if (hostname.endsWith('.neon.tech')) return !/^[^.]*-pooler\./.test(hostname)
  // Supabase: transaction mode uses port 6543, on either host.
  return SUPABASE.test(hostname) && port !== '6543'
}

const SUPABASE = /^db\.[^.]+\.supabase\.co$|\.pooler\.supabase\.com$/
