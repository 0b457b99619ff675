import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { longestFirst } from './longest-first.mjs'

const inRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

it('begins with the listed files, in their order, and leaves the rest as it was', async () => {
  const nothing = () => undefined
  const vitest = { config: { root: '/' }, cache: { getFileTestResults: nothing, getFileStats: nothing } }
  const project = { name: '', config: { isolate: false, sequence: { groupOrder: 0 } } }
  const files = ['/x/one.test.ts', '/x/slow.test.ts', '/x/two.test.ts', '/x/slowest.test.ts'].map(
    (moduleId) => ({ moduleId, project }) as TestSpecification,
  )
  const Sequencer = longestFirst(['x/slowest.test.ts', 'x/slow.test.ts'])
  const sorted = await new Sequencer(vitest as unknown as Vitest).sort(files)
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual([
    '/x/slowest.test.ts',
    '/x/slow.test.ts',
    '/x/one.test.ts',
    '/x/two.test.ts',
  ])
})

it.each(['vitest.config.ts', 'e2e/interop/vitest.config.ts'])('%s lists files that exist', (config) => {
  const listed = readFileSync(inRoot(config), 'utf8').match(/(?<=^ {2}')[^']+\.test\.ts(?=',$)/gm) ?? []
  expect(listed.length).toBeGreaterThan(5)
  expect(listed.filter((path) => !existsSync(inRoot(path)))).toEqual([])
})
