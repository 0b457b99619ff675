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
/** What is under the check of words only: other programs, the documents and the columns of the database. */
const more = (await Promise.all(['bench', 'docs', 'e2e', 'prisma'].map(listWritten))).flat()
const inTheRoot = ['CONTRIBUTING.md', 'README.md', 'SECURITY.md']
const written = await mapBounded([...more, ...inTheRoot], async (path) => ({
  path,
  text: await readFile(inRoot(path), 'utf8'),
}))
const words = [...texts, ...written].filter(({ path }) => !/\/retired-words\./.test(path)).flatMap(findRetiredWords)
const violations = [...findViolations(sources), ...words]
for (const violation of violations) console.log(violation)
if (violations.length > 0) process.exitCode = 1

async function listSources(folder) {
  return listFiles(folder, /\.(tsx?|mjs)$/)
}

async function listWritten(folder) {
  return listFiles(folder, /\.(tsx?|mjs|md|prisma)$/)
}

async function listFiles(folder, pattern) {
  const entries = await readdir(inRoot(folder), { recursive: true })
  return entries
    .filter((name) => pattern.test(name) && !/(^|[\\/])(node_modules|generated)[\\/]/.test(name))
    .map((name) => join(folder, name).split(sep).join('/'))
    .sort()
}
