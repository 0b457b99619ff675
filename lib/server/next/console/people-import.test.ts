// A file with people that an administrator looks at before it is imported.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, type ConsoleContext, mayCall } from '../../../management/console-call'
import { entryLines, FILE_LIFETIME, firstRecords, keepFile, keptFile } from '../../../management/jobs/people-file/kept'
import { guessMapping } from '../../../management/jobs/people-file/mapping'
import { jobs } from '../../../management/jobs/resource'
import { runJobs } from '../../../management/jobs/runner'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { connections } from '../../../management/resources/connections'
import { users } from '../../../management/resources/users'
import { requestTo } from '../../../testing/console-sign-in'
import { jobWorker } from '../../../testing/jobs'
import { type TestServer, testServer } from '../../../testing/server'
import { contextFor } from './entry'
import { mappingIn } from './people-import'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function contextOf(role: ConsoleRole): Promise<{ context: ConsoleContext; userId: string }> {
  const request = requestTo('/console')
  const runtime = (await server.runtime()).within(request)
  const userId = await server.addUser({ email: `${server.random.hex(6)}@example.com` })
  await runtime.administrators.put(userId, role, server.clock.now())
  const administrator = await runtime.administrators.find(userId)
  if (!administrator) throw new Error(`no ${role}`)
  return { context: await contextFor(administrator, runtime, ''), userId }
}

const CSV = "E-mail;First name;Plan\nann@file.test;Ann;gold\nbob@file.test;'=Bob;silver\n"

const filesKept = async (): Promise<number> =>
  Number((await server.database.pool.query(`SELECT count(*) FROM job WHERE type = 'people_file'`)).rows[0]?.count)

describe('a file with people', () => {
  it('is kept sealed, and read as records with their columns', async () => {
    const { context, userId } = await contextOf('admin')
    const id = await keepFile(bytes(CSV), userId, context.deps)
    const file = await keptFile(id, userId, context.deps)
    expect(file).toMatchObject({ product: 'other', columns: ['E-mail', 'First name', 'Plan'], people: 2 })
    expect(await firstRecords(file, 9, context.deps)).toEqual([
      { 'E-mail': 'ann@file.test', 'First name': 'Ann', Plan: 'gold' },
      { 'E-mail': 'bob@file.test', 'First name': '=Bob', Plan: 'silver' },
    ])
    const { rows } = await server.database.pool.query<{ sealed: Buffer }>(
      'SELECT sealed FROM job_part WHERE job_id = $1',
      [id],
    )
    expect(rows.map(({ sealed }) => sealed.includes('ann@file.test'))).toEqual([false])
  })

  it('is the only one of its person, who alone sees it, for an hour', async () => {
    const [one, other] = [await contextOf('admin'), await contextOf('owner')]
    const first = await keepFile(bytes(CSV), one.userId, one.context.deps)
    const second = await keepFile(bytes(CSV), one.userId, one.context.deps)
    await expect(keptFile(first, one.userId, one.context.deps)).rejects.toThrow('no such file')
    await expect(keptFile(second, other.userId, other.context.deps)).rejects.toThrow('no such file')
    expect((await keptFile(second, one.userId, one.context.deps)).people).toBe(2)
    await expect(answerOf(jobs.read, { params: { id: second } }, one.context)).rejects.toThrow('does not exist')
    server.clock.advance(FILE_LIFETIME + 1)
    await expect(keptFile(second, one.userId, one.context.deps)).rejects.toThrow('no such file')
    const third = await keepFile(bytes(CSV), other.userId, other.context.deps)
    expect(await filesKept()).toBe(1)
    await other.context.deps.jobs.discardUpload(third)
    expect(await filesKept()).toBe(0)
  })

  it('leaves nothing behind where it cannot be read', async () => {
    const { context, userId } = await contextOf('admin')
    for (const file of [
      '',
      'email\n',
      '["x"]',
      'a,a\n1,2\n',
      `${Array.from({ length: 201 }, (_, n) => `c${n}`)}\n${Array.from({ length: 201 }, () => 1)}\n`,
    ])
      await expect(keepFile(bytes(file), userId, context.deps)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await filesKept()).toBe(0)
  })

  it('is imported as its columns are chosen', async () => {
    const { context, userId } = await contextOf('admin')
    const { deps } = context
    const lines = [
      { mail: 'cy@file.test', plan: 'gold', shoes: 44 },
      { mail: 'no address', plan: 'gold', shoes: 45 },
    ].map((each) => JSON.stringify(each))
    const file = await keptFile(await keepFile(bytes(lines.join('\n')), userId, deps), userId, deps)
    expect(guessMapping(file.columns, file.product)).toEqual({ mail: 'email', plan: '', shoes: '' })
    const chosen = new URLSearchParams({ m0: 'email', m1: 'user_metadata.plan', m2: '' })
    const entries = entryLines(file, mappingIn(chosen, file.columns), deps)
    const sent = await jobs.usersImports.form?.files.users?.(entries, deps)
    const databases = await answerOf(connections.list, { query: { strategy: 'auth0' } }, context)
    const body = { users: sent, connection_id: databases[0]?.id, send_completion_email: 'false' } as never
    const { id } = await answerOf(jobs.usersImports, { body }, context)
    await runJobs(jobWorker(server))
    const job = await answerOf(jobs.read, { params: { id } }, context)
    expect(job.summary).toEqual({ total: 2, inserted: 1, updated: 0, failed: 1 })
    expect(await answerOf(jobs.errors, { params: { id } }, context)).toMatchObject([
      { number: 2, user: { email: 'no address' }, errors: [{ path: 'email' }] },
    ])
    const { rows: people } = await answerOf(
      users.list,
      { query: { q: 'email:cy*', include_totals: 'true' } },
      context,
    ).then((found) => ({ rows: (found as unknown as { users: unknown[] }).users }))
    expect(people).toMatchObject([{ email: 'cy@file.test', user_metadata: { plan: 'gold' } }])
  })

  it.each(['application_editor', 'user_support', 'auditor'] as const)(
    'is nothing that a role %s imports',
    async (role) => {
      const { context } = await contextOf(role)
      expect(mayCall(jobs.usersImports, context.actor)).toBe(false)
      const check = { body: { connection_id: 'con', users: [{}] } }
      await expect(answerOf(jobs.usersImportsCheck, check, context)).rejects.toMatchObject({
        code: 'insufficient_scope',
      })
    },
  )

  it('has no column that becomes what an import does not take', () => {
    const given = new URLSearchParams({ m0: 'connection', m1: '__proto__', m2: 'email' })
    expect(mappingIn(given, ['a', 'b', 'c'])).toEqual({ a: '', b: '', c: 'email' })
  })
})
