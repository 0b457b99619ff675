// What a start loads before its first answer: the modules that the entry imports statically. Each package in it makes every start slower.
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { beforeAll, expect, it } from 'vitest'
import { bundleOptions } from './build.mjs'

let outputs: Metafile['outputs']
let loaded: string[]

beforeAll(async () => {
  const options = bundleOptions({ server: 'server.ts' }) as BuildOptions
  const { metafile } = await build({ ...options, metafile: true, write: false })
  outputs = metafile.outputs
  loaded = reached(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === 'lib/server/node/boot.ts') ?? '')
}, 60_000)

function reached(entry: string): string[] {
  const found = new Set([entry])
  for (const path of found)
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !external) found.add(imported)
  return [...found]
}

it('has no package that is not bundled, and neither the client of the database nor what a page or a provider needs', () => {
  const external = loaded.flatMap((path) => (outputs[path]?.imports ?? []).filter((each) => each.external))
  const packages = external.filter(({ kind, path }) => kind === 'import-statement' && !path.startsWith('node:'))
  expect([...new Set(packages.map(({ path }) => path))]).toEqual([])
  const inputs = loaded.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
  expect(inputs).toContain('lib/server/node/server.ts')
  expect(inputs.filter((path) => /^prisma\/generated|zod\/v4\/locales\/(?!en\.)/.test(path))).toEqual([])
})

it('is at most two megabytes of code', () => {
  const bytes = loaded.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0)
  expect(bytes).toBeGreaterThan(500_000)
  expect(bytes).toBeLessThan(2_000_000)
})
