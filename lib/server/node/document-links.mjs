// Checks the links of the documents, and what sources say about documents, by launch/document-links.mjs; part of `npm run check`.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { findDocumentFaults } from './launch/document-links.mjs'
import { inRoot, root } from './launch/root.mjs'

const FOLDERS = ['app', 'components', 'docs', 'e2e', 'lib', 'prisma']

process.chdir(root)
const inFolders = await Promise.all(FOLDERS.map(listFiles))
const inTheRoot = (await readdir(root)).filter((name) =>
  /\.(md|ts|js|mjs)$|^\.env\.example$|^compose\.yaml$/.test(name),
)
const paths = [...inFolders.flat(), ...inTheRoot].filter(
  (path) => !/^prisma\/generated\/|\/document-links\./.test(path),
)
const files = await mapBounded(paths, async (path) => ({ path, text: await readFile(inRoot(path), 'utf8') }))
const faults = findDocumentFaults(files, (path) => existsSync(inRoot(path)))
for (const fault of faults) console.log(fault)
if (faults.length > 0) process.exitCode = 1

async function listFiles(folder) {
  const entries = await readdir(inRoot(folder), { recursive: true })
  return entries
    .filter((name) => /\.(md|tsx?|mjs|ya?ml)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name).split(sep).join('/'))
}
