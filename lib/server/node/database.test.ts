import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { namesAddress } from '../../settings/app-url'
import { parseEnv } from '../../settings/env'
import { testDatabase } from '../../testing/database'
import { keepAddress, keepSecret, keptAddress, openDatabase } from './database'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-secret-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the address of the server', () => {
  it('is kept beside its data', async () => {
    expect(await keptAddress({ home: folder })).toBeNull()
    await keepAddress({ home: folder }, 'http://localhost:4317')
    expect(await keptAddress({ home: folder })).toBe('http://localhost:4317')
    await keepAddress({ home: folder }, 'http://localhost:4318')
    expect(await keptAddress({ home: folder })).toBe('http://localhost:4318')
  })

  it('is not known of another database, nor of a file that holds something else', async () => {
    await keepAddress({ home: null }, 'http://localhost:4317')
    expect(await keptAddress({ home: null })).toBeNull()
    await writeFile(join(folder, 'address'), 'nothing')
    expect(await keptAddress({ home: folder })).toBeNull()
  })

  it('counts for a command without settings of its own', () => {
    expect(namesAddress({ PORT: '', LATCHKEY_SECRET: 'x' })).toBe(false)
    expect([namesAddress({ PORT: '3000' }), namesAddress({ APP_URL: 'https://id.test' })]).toEqual([true, true])
  })
})

describe('the secret of demo mode', () => {
  it('is made once, for its owner alone, and kept', async () => {
    const secret = await keepSecret(folder, systemRandom)
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
    expect(await keepSecret(folder, systemRandom)).toBe(secret)
  })

  it('is one for two that start at once', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => keepSecret(folder, systemRandom)))
    expect(new Set(made).size).toBe(1)
  })

  it('is never an empty one', async () => {
    await writeFile(join(folder, 'secret'), '')
    await expect(keepSecret(folder, systemRandom)).rejects.toThrow(/is damaged: restore it/)
  })

  it('is closed again after it was opened', async () => {
    await writeFile(join(folder, 'secret'), 'kept from before, long enough to do\n', { mode: 0o644 })
    expect(await keepSecret(folder, systemRandom)).toBe('kept from before, long enough to do')
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
  })
})

describe('a database of the operator', () => {
  it('is used as given, with the secret as given, and nothing is written beside it', async () => {
    const own = await testDatabase()
    const secret = 's'.repeat(32)
    const env = parseEnv({ DATABASE_URL: own.url, LATCHKEY_SECRET: secret, LATCHKEY_DATA_DIR: folder })
    const database = await openDatabase(env, {
      clock: systemClock,
      random: systemRandom,
      note: () => {},
      onLostConnection: () => {},
    })
    expect(database.secret).toBe(secret)
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await database.close()
    await expect(readFile(join(folder, 'secret'))).rejects.toThrow(/ENOENT/)
    await own.drop()
  })
})
