// docs/management-api.md lists what needs a scope beside that of its operation. `npx vitest run lib/management/scopes-documented.test.ts
// --update=true` writes the table.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { OPERATIONS } from '.'
import { scopesThatGuard } from './operations/member-access'
import type { Operation } from './operations/operation'

const code = (text: string): string => `\`${text}\``

const oneOf = (scopes: readonly string[]): string => scopes.map(code).join(' or ')

// biome-ignore lint/suspicious/noExplicitAny: what an operation depends on does not matter here.
function rowsOf(operation: Operation<any>): string[] {
  const { method, path, needs, guarded = {} } = operation
  const where = code(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  const members = [...new Set(Object.values(guarded).flat())]
  const scopesOf = (member: string): string => oneOf(scopesThatGuard(operation, member))
  return [
    ...(needs ? [`| ${where} | all of it | ${oneOf(needs)} |`] : []),
    ...[...new Set(members.map(scopesOf))].map((scopes) => {
      const names = members.filter((member) => scopesOf(member) === scopes)
      return `| ${where} | ${names.map(code).join(', ')} | ${scopes} |`
    }),
  ]
}

const table = (): string =>
  ['| Operation | Members | Need also |', '| --- | --- | --- |', ...OPERATIONS.flatMap(rowsOf)]
    .map((row) => `${row}\n`)
    .join('')

it('is the table of the documentation', async () => {
  const page = '../../docs/management-api.md'
  const text = readFileSync(new URL(page, import.meta.url), 'utf8')
  const stands = /^\| Operation \| Members \| Need also \|\n(?:\|.*\n)+/m
  expect(text).toMatch(stands)
  await expect(text.replace(stands, table)).toMatchFileSnapshot(page)
})
