// Checks the sources of the checkout against the rules in launch/rules.mjs and launch/retired-words.mjs; part of `npm run check`.
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { findRetiredWords } from './launch/retired-words.mjs'
import { inRoot, root } from './launch/root.mjs'
import { findViolations } from './launch/rules.mjs'
import { readFacts } from './launch/source-facts.mjs'

process.chdir(root)
const folders = await Promise.all(['app', 'components', 'lib'].map(listSources))
const paths = [...folders.flat(), 'server.ts']
const texts = await mapBounded(paths, async (path) => ({ path, text: await readFile(inRoot(path), 'utf8') }))
const sources = texts.map(({ path, text }) => readFacts(path, text))
const isList = (path) => path === 'lib/server/node/launch/retired-words.mjs'
const words = texts
  .filter(({ path }) => !isList(path) && !path.startsWith('lib/server/node/retired-words.test'))
  .flatMap(findRetiredWords)
const violations = [...findViolations(sources), ...words]
for (const violation of violations) console.log(violation)
if (violations.length > 0) process.exitCode = 1

async function listSources(folder) {
  const entries = await readdir(inRoot(folder), { recursive: true })
  return entries
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => join(folder, name).split(sep).join('/'))
    .sort()
}
