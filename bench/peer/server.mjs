// The peer: oidc-provider on node:http and PostgreSQL, as its documentation shows, in production mode. Started by
// sides/peer.mjs with PORT, DATABASE_URL and PEER_KEYS (a file with the signing and cookie keys).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import pg from 'pg'
import { createAccounts } from './accounts.mjs'
import { createAdapter } from './adapter.mjs'
import { configuration } from './configuration.mjs'
import { createInteraction } from './interaction.mjs'

const { PORT, DATABASE_URL, PEER_KEYS } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, idleTimeoutMillis: 0 })
const accounts = createAccounts(pool)
const provider = new Provider(
  `http://localhost:${PORT}`,
  configuration({
    ...JSON.parse(readFileSync(PEER_KEYS, 'utf8')),
    adapter: createAdapter(pool),
    findAccount: accounts.findAccount,
  }),
)
provider.on('server_error', (_context, error) => console.error(error))

const interaction = createInteraction(provider, accounts)
const oidc = provider.callback()
const server = createServer((request, response) =>
  (request.url.startsWith('/interaction/') ? interaction : oidc)(request, response),
)
server.keepAliveTimeout = 65_000
server.listen(Number(PORT), '127.0.0.1')

process.once('SIGTERM', () => {
  server.close(() => pool.end())
  server.closeAllConnections()
})
