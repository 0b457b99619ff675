// Checks that the packages of package-lock.json are installed in those versions, and installs them if not. The check compares
// contents, because file times in a checkout carry no information.
import { readFile } from 'node:fs/promises'
import { inRoot } from './root.mjs'
import { capture, tail } from './run.mjs'
import { LaunchError, step } from './step.mjs'
import { inTurn } from './turns.mjs'

/** @param {{ development: boolean }} need whether the packages for building and testing are needed too */
export async function ensureDependencies({ development }) {
  if (!(await areMissing({ development }))) return
  // The previous holder of the lock may have installed them.
  await inTurn('install', async () => {
    if (await areMissing({ development })) await step('Installing the dependencies', install)
  })
}

async function areMissing(need) {
  const [wanted, present] = await Promise.all([
    readPackages(inRoot('package-lock.json')),
    readPackages(inRoot('node_modules', '.package-lock.json')),
  ])
  return missingPackages(wanted ?? {}, present ?? {}, need).length > 0
}

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
async function install() {
  const { code, output } = await capture('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']).catch(() => {
    throw new LaunchError('npm was not found: install it with Node.js, then try again.')
  })
  if (code === 0) return
  if (output.includes('ENOSPC')) throw new LaunchError('The disk is full: free some space and try again.')
  throw new LaunchError(
    `The dependencies could not be installed: check the connection to the npm registry and try again. npm said:\n${tail(output)}`,
  )
}

async function readPackages(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8')).packages
  } catch {
    return undefined
  }
}
