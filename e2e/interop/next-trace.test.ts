// What Next's build traced for the functions of a platform. Vercel adds the trace of the instrumentation to the function of the proxy,
// which has no package.json of Next's: with ours, Node.js reads the proxy as an ES module and fails.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

it.each(['instrumentation', 'middleware'])('the trace of the %s has no package.json of this product', (name) => {
  const trace = join(ROOT, `.next/server/${name}.js.nft.json`)
  const { files } = JSON.parse(readFileSync(trace, 'utf8')) as { files: string[] }
  const paths = files.map((file) => relative(ROOT, join(dirname(trace), file)))
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => path.endsWith('package.json') && !path.includes('node_modules'))).toEqual([])
})
