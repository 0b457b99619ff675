import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import { audit } from './audit'
import type { CommandContext } from './command'
import { withDatabase } from './command'
import { recordChange } from './record-change'

let database: TestDatabase
let context: CommandContext
let lines: string[]

beforeAll(async () => {
  database = await testDatabase()
  const source = { DATABASE_URL: database.url, LATCHKEY_SECRET: 'a secret of thirty-two characters' }
  context = { root: '/', source, say: (line) => lines.push(line) }
  lines = []
  await withDatabase(context, async (opened) => {
    await recordChange('signing keys rotated', opened, context)
    await recordChange('tenant file: clients: spa', opened, context)
  })
})
afterAll(() => database.drop())

const run = async (...args: string[]): Promise<string[]> => {
  lines = []
  await audit(args, context)
  return lines
}

describe('npm run audit', () => {
  it('lists, oldest first, as lines or as the vendor’s records', async () => {
    const listed = await run('list')
    expect(listed).toEqual([
      expect.stringMatching(/^20\d\d-.* {2}sapi {8}- {2}- {2}- {2}signing keys rotated$/),
      expect.stringMatching(/ {2}tenant file: clients: spa$/),
    ])
    const [record] = (await run('list', '--json', '--type', 'sapi', '--limit', '1')).map((line) => JSON.parse(line))
    expect(record).toMatchObject({ type: 'sapi', details: { change: 'tenant file: clients: spa' } })
    expect(await run('list', '--since', '2099-01-01')).toEqual([])
    expect(await run('list', '--user', 'nobody')).toEqual([])
  })

  it('verifies, shows a head, and knows it again', async () => {
    const [line = ''] = await run('verify')
    expect(line).toMatch(/^default: 2 records, whole; of 0 the personal part was erased\. Head 2:[0-9a-f]{64}$/)
    const head = line.split(' ').at(-1) ?? ''
    await withDatabase(context, (opened) => recordChange('more', opened, context))
    expect(await run('verify', head)).toEqual([expect.stringContaining('3 records, whole')])
    await expect(
      run(
        'verify',
        head.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ).rejects.toThrow(/was modified/)
    expect(lines).toEqual([expect.stringContaining('The head that was noted at record 2 is not part of this chain')])
  })

  it('erases a person, and records that without the name', async () => {
    expect(await run('erase', 'auth0|nobody')).toEqual([
      'Erased who and from where in 0 records, and the steps of 0 logins.',
    ])
    await database.pool.query("UPDATE audit_record SET user_id = 'auth0|kim' WHERE seq = 1")
    expect(await run('erase', 'auth0|kim')).toEqual([
      'Erased who and from where in 1 records, and the steps of 0 logins.',
    ])
    const listed = (await run('list', '--json')).join()
    expect(listed).toContain('a person erased from 1 records')
    expect(listed).not.toContain('kim')
    expect(await run('verify')).toEqual([expect.stringContaining('of 1 the personal part was erased')])
  })

  it('fails where the log was tampered with', async () => {
    await database.pool.query('DELETE FROM audit_record WHERE seq = 2')
    await expect(run('verify')).rejects.toThrow('The audit log was modified.')
    expect(lines).toEqual(['default: NOT WHOLE after 1 records. Record 2 is missing.'])
  })

  it.each([
    [[], /Usage: `npm run audit/],
    [['erase'], /Usage: `npm run audit/],
    [['list', '--since', 'yesterday'], /is no time/],
    [['list', '--limit', '0'], /--limit must be/],
    [['list', '--colour', 'red'], /Unknown option '--colour'/],
    [['list', '--user'], /argument missing/],
    [['verify', 'x'], /no head/],
    [['verify', 'x', 'y'], /Usage/],
  ])('%j says what to do', async (args, reason) => {
    await expect(audit(args, context)).rejects.toThrow(reason)
  })
})
