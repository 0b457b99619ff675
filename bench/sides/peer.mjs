// The peer, prepared and started: its tables and users, its keys, its process.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../lib/testing/free-port.mjs'
import { people } from '../lib/definition.mjs'
import { storedPassword } from '../lib/password.mjs'
import { startServer } from '../lib/server-process.mjs'
import { schema as accountSchema } from '../peer/accounts.mjs'
import { schema as modelSchema } from '../peer/adapter.mjs'

const claimsOf = (person) => ({
  email: person.email,
  email_verified: true,
  name: person.name,
  nickname: person.nickname,
  given_name: person.givenName,
  family_name: person.familyName,
  picture: person.picture,
  updated_at: 1_700_000_000,
})

async function seed(url, passwordHash) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(modelSchema)
  await client.query(accountSchema)
  for (const person of people) {
    const values = [person.id, person.email, passwordHash, JSON.stringify(claimsOf(person))]
    await client.query('INSERT INTO account (id, email, password_hash, claims) VALUES ($1, $2, $3, $4)', values)
  }
  await client.end()
}

function createKeys() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'bench' }
  return { jwks: { keys: [key] }, cookieKeys: [randomBytes(32).toString('hex')] }
}

export async function preparePeer({ bench, folder, cluster, preload, cheap, suffix }) {
  const database = await cluster.createDatabase(`bench_peer_${suffix}`)
  await seed(database, await storedPassword({ cheap }))
  const keys = join(folder, `peer-keys-${suffix}.json`)
  await writeFile(keys, JSON.stringify(createKeys()), { mode: 0o600 })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), DATABASE_URL: database, PEER_KEYS: keys }

  return {
    name: 'peer',
    origin,
    apiParameter: 'resource',
    submitFields: {},
    paths: { authorize: '/auth', token: '/token', device: '/device/auth', userinfo: '/me', jwks: '/jwks' },
    start: () =>
      startServer({
        args: [...preload, join(bench, 'peer/server.mjs')],
        cwd: bench,
        env,
        url: `${origin}/.well-known/openid-configuration`,
        log: join(folder, `peer-${suffix}.log`),
      }),
  }
}
