// Checks the sources of the checkout against the rules in launch/rules.mjs; part of `npm run check`.
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { inRoot, root } from './launch/root.mjs'
import { findViolations } from './launch/rules.mjs'
import { readFacts } from './launch/source-facts.mjs'

process.chdir(root)
const folders = await Promise.all(['app', 'components', 'lib'].map(listSources))
const paths = [...folders.flat(), 'server.ts']
const sources = await Promise.all(paths.map(async (path) => readFacts(path, await readFile(inRoot(path), 'utf8'))))
const violations = findViolations(sources)
for (const violation of violations) console.log(violation)
if (violations.length > 0) process.exitCode = 1

async function listSources(folder) {
  const entries = await readdir(inRoot(folder), { recursive: true })
  return entries
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => join(folder, name).split(sep).join('/'))
    .sort()
}
