import { createServer } from 'node:net'
import { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEnv } from '../../settings/env'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { explainFailure } from './failure'

describe('why it cannot continue', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await testDatabase({ empty: true })
  })
  afterAll(() => database.drop())

  async function connecting(change: (url: URL) => void): Promise<string | undefined> {
    const url = new URL(database.url)
    change(url)
    const error = await new Client({ connectionString: url.href }).connect().catch((reason: unknown) => reason)
    return explainFailure(error, { databaseUrl: url.href })
  }

  it('names every wrong setting', () => {
    const refusal = attempt(() => parseEnv({ PORT: 'x', LATCHKEY_Y: '1' }))
    expect(explainFailure(refusal)).toMatch(/^The settings cannot be used:\n {2}LATCHKEY_Y .*\n {2}PORT /)
  })

  it('says that the port is taken', async () => {
    const first = createServer()
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
    const address = first.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const error = await new Promise((resolve) => createServer().on('error', resolve).listen(port, '127.0.0.1'))
    first.close()
    expect(explainFailure(error, { port })).toMatch(new RegExp(`^Port ${port} is taken: .*PORT=${port + 1}`))
  })

  it('says that the database is not there', async () => {
    const sentence = await connecting((url) => {
      url.search = ''
      url.port = '9'
    })
    expect(sentence).toBe(
      'The database at localhost:9 cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL.',
    )
  })

  it('says that the login is refused, without repeating the password', async () => {
    const sentence = await connecting((url) => {
      url.password = 'a-wrong-one'
    })
    expect(sentence).toMatch(/refuses the login/)
    expect(sentence).not.toContain('a-wrong-one')
  })

  it.each(['require', 'verify-full', 'prefer', 'no-verify'])(
    'says that the database has no TLS, with sslmode=%s',
    async (mode) => {
      const sentence = await connecting((url) => {
        url.searchParams.set('sslmode', mode)
      })
      expect(sentence).toMatch(/^The database at .* has no TLS, which sslmode in DATABASE_URL demands/)
    },
  )

  it.each([
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('says that the certificate of the database is not accepted: %s', (code) => {
    const error = Object.assign(new Error('refused'), { code })
    expect(explainFailure(error, { databaseUrl: database.url })).toMatch(
      /^The certificate .*sslrootcert in DATABASE_URL/,
    )
  })

  it('says that the database takes no connection without TLS', () => {
    const error = new DatabaseError(
      'no pg_hba.conf entry for host "10.0.0.9", user "u", database "d", no encryption',
      1,
      'error',
    )
    error.code = '28000'
    expect(explainFailure(error, { databaseUrl: database.url })).toMatch(/add sslmode=require to DATABASE_URL/)
  })

  it('says that the database was not created', async () => {
    const sentence = await connecting((url) => {
      url.pathname = '/nowhere'
    })
    expect(sentence).toMatch(/"nowhere" does not exist .*create it/)
  })

  it('says that the disk is full', () => {
    expect(explainFailure(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toMatch(/^The disk is full/)
  })

  it('says which file it may not write', () => {
    const closed = Object.assign(new Error('open'), { code: 'EROFS', path: '/srv/.data/secret' })
    expect(explainFailure(closed)).toBe(
      '/srv/.data/secret cannot be read or written (EROFS): give this account the right to it, or choose another data folder with LATCHKEY_DATA_DIR.',
    )
  })

  it('leaves a defect its stack', () => {
    expect(explainFailure(new TypeError('x is undefined'))).toBeUndefined()
  })
})

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
