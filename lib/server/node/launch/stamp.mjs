// Checks whether a build output matches the sources, by a hash of their contents.
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { mapBounded } from '../../../kernel/map-bounded.mjs'
import { inRoot } from './root.mjs'

const SOURCES = ['app', 'components', 'lib', 'public', 'prisma/schema.prisma', 'server.ts', 'proxy.ts']
const SETTINGS = ['package-lock.json', 'tsconfig.json', 'postcss.config.mjs', 'next.config.js', 'instrumentation.ts']
/** Files that only tests use, and what is written among the sources: a build that counted it would be stale at once. */
const NOT_SOURCES =
  /(\.test\.[cm]?[jt]sx?|[\\/]lib[\\/]testing[\\/].*|[\\/]public[\\/]((hosted|themed)\.css.*|simplewebauthn\.js))$/

/** @param {string} path absolute */
export const isSource = (path) => !NOT_SOURCES.test(path)

/** One hash of all build inputs, without files that only tests use. */
export async function hashSources() {
  const files = (await Promise.all([...SOURCES, ...SETTINGS].map((path) => listFiles(inRoot(path))))).flat()
  return hashFiles(files.filter(isSource))
}

/** @param {string[]} files */
export async function hashFiles(files) {
  const contents = await mapBounded(files, (file) => readFile(file))
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '')
  for (const [index, content] of contents.entries())
    hash.update(`\0${files[index]}\0${content.length}\0`).update(content)
  return hash.digest('hex')
}

/** @param {string} stampFile */
export async function isCurrent(stampFile, hash) {
  return (await readFile(stampFile, 'utf8').catch(() => '')) === hash
}

/** Written last, so that an interrupted build does not count as finished. */
export const markCurrent = (stampFile, hash) => writeFile(stampFile, hash)

/** The file itself, or every file below the folder in a fixed order. */
async function listFiles(path) {
  if (extname(path)) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
