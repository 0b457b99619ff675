import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import { explainFailure } from '../failure'
import { keys } from './keys'
import { migrations } from './migrations'

let database: TestDatabase
const lines: string[] = []
beforeAll(async () => {
  database = await testDatabase({ empty: true })
})
afterAll(() => database.drop())

const context = () => ({
  root: process.cwd(),
  source: { DATABASE_URL: database.url, LATCHKEY_SECRET: 'a secret of thirty-two characters' },
  say: (line: string) => lines.push(line),
})

it('names the missing migrations of an empty database, and every other command asks for them', async () => {
  await migrations(['status'], context())
  expect(lines.at(-1)).toMatch(/^To be applied:\n {2}\d+_/)
  const error = await keys([], context()).catch((thrown: unknown) => thrown)
  expect(explainFailure(error)).toMatch(/^The database lacks a table of this version \(.*\): run `npm run migrate`\.$/)
})

it('migrates an empty database, once', async () => {
  await migrations([], context())
  expect(lines.at(-1)).toMatch(/^Applied \d+\.$/)
  await migrations([], context())
  expect(lines.at(-1)).toBe('The database is up to date.')
})
