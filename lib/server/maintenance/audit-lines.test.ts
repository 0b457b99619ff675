// JSON lines of the audit log: written at once, kept through log rotation, and never blocking a request (threat-model.md RE10).
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { composeRecord } from '../../data/audit/record'
import { fixedClock } from '../../kernel/clock'
import { isOverWithin } from '../../testing/in-time'
import { openAuditLines } from './audit-lines'

let folder: string
let sentences: string[]
const clock = fixedClock()
const say = (_fields: unknown, sentence: string) => void sentences.push(sentence)
const log = { debug: say, info: say, warn: say, error: say, fatal: say }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-audit-'))
  sentences = []
})
afterEach(async () => {
  await chmod(folder, 0o755)
  await rm(folder, { recursive: true })
})

const recordOf = (logId: string) =>
  composeRecord(
    {
      name: 'login',
      facts: { user: { id: 'auth0|kim', email: 'kim\u2028@mail.test' } },
      tenantId: 't',
      hostname: 'id.test',
      at: clock.now(),
      source: { ip: '198.51.100.7', userAgent: 'A\nB', requestId: 'r' },
    },
    logId,
  )

const linesIn = async (path: string) =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { log_id: string; data: Record<string, unknown> })

it('are the vendor’s log streams, one record a line', async () => {
  const path = join(folder, 'deep', 'audit.log')
  const lines = openAuditLines(path, { log, clock })
  lines.write('t', recordOf('1'))
  lines.write('t', recordOf('2'))
  await lines.close()
  const [first, second] = await linesIn(path)
  expect(first).toMatchObject({ log_id: '1', tenant: 't', data: { type: 's', user_agent: 'A B', ip: '198.51.100.7' } })
  expect(second?.log_id).toBe('2')
  expect(first).toMatchObject({ level: 'info', time: first?.data.date, msg: 'Successful login' })
})

it('go to a new file once the old one was moved away', async () => {
  const path = join(folder, 'audit.log')
  const lines = openAuditLines(path, { log, clock })
  lines.write('t', recordOf('1'))
  await expect.poll(() => linesIn(path).catch(() => [])).toHaveLength(1)
  await rename(path, `${path}.1`)
  clock.advance(2)
  lines.write('t', recordOf('2'))
  await expect.poll(() => linesIn(path).catch(() => [])).toHaveLength(1)
  await lines.close()
  expect((await linesIn(`${path}.1`)).map(({ log_id }) => log_id)).toEqual(['1'])
  expect((await linesIn(path)).map(({ log_id }) => log_id)).toEqual(['2'])
})

it.runIf(process.platform === 'linux')('wait, bounded, while the disk is full, and say so once', async () => {
  const lines = openAuditLines('/dev/full', { log, clock })
  for (let i = 0; i < 20_000; i += 1) lines.write('t', recordOf(`${i}${'x'.repeat(400)}`))
  await expect.poll(() => sentences).toEqual(['The lines of the audit log cannot be written.'])
  expect(await isOverWithin(3, () => lines.close())).toBe(true)
  expect(sentences).toHaveLength(1)
})

it('come once the place can be written to', async () => {
  const blocked = openAuditLines(join(folder, 'audit.log', 'not-a-folder'), { log, clock })
  const first = openAuditLines(join(folder, 'audit.log'), { log, clock })
  first.write('t', recordOf('1'))
  await expect.poll(() => linesIn(join(folder, 'audit.log')).catch(() => [])).toHaveLength(1)
  blocked.write('t', recordOf('2'))
  await expect.poll(() => sentences).toHaveLength(1)
  await first.close()
  await rename(join(folder, 'audit.log'), join(folder, 'old'))
  const there = () => linesIn(join(folder, 'audit.log', 'not-a-folder')).catch(() => [])
  await expect.poll(there).toHaveLength(1)
  await blocked.close()
  expect(sentences.at(-1)).toContain('written again')
})
