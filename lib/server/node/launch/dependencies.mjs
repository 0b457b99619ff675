// Checks that the packages of package-lock.json are installed in those versions, and installs them if not. The check compares
// contents, because file times in a checkout carry no information.
import { readFile } from 'node:fs/promises'
import { inRoot } from './root.mjs'
import { succeed } from './run.mjs'
import { step } from './step.mjs'
import { inTurn } from './turns.mjs'

/** @param {{ development: boolean }} need whether the packages for building and testing are needed too */
export async function ensureDependencies(need) {
  if (!(await areMissing(need))) return
  await inTurn('install', async () => {
    // The process before may have installed them.
    if (await areMissing(need)) await step('Installing the dependencies', install)
  })
}

async function areMissing(need) {
  const [wanted, present] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map(readPackages),
  )
  return missingPackages(wanted, present, need).length > 0
}

const readPackages = async (path) => JSON.parse(await readFile(inRoot(path), 'utf8').catch(() => '{}')).packages ?? {}

/**
 * Names of the packages that are absent or in another version.
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} present
 * @param {{ development: boolean }} need
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }} LockedPackage
 */
export function missingPackages(wanted, present, { development }) {
  return Object.entries(wanted)
    .filter(([name, entry]) => name !== '' && isNeeded(entry, development) && present[name]?.version !== entry.version)
    .map(([name]) => name)
}

const isNeeded = (entry, development) =>
  !entry.optional && !entry.link && (development || !(entry.dev || entry.devOptional))

/** Install scripts do not run: no package of this product needs one, and some would download more files. */
const install = () =>
  succeed(
    'The dependencies could not be installed: check the connection to the npm registry and try again. npm said:',
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
  )
