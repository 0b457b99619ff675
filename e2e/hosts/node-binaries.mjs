// Other versions of Node.js, from npm, kept in the user's cache.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { succeed } from '../../lib/server/node/launch/run.mjs'
import { step } from '../../lib/server/node/launch/step.mjs'

/** The maintained versions besides the oldest supported one, which runs all other tests. */
export const NODE_VERSIONS = [22, 24]

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'latchkey')

export const nodePackage = () => `node-${process.platform}-${process.arch}`

/** @returns {Promise<string>} the program */
export async function ensureNode(version) {
  const folder = join(CACHE, `node-${version}`)
  const program = join(folder, 'node_modules', nodePackage(), 'bin', 'node')
  if (!existsSync(program)) await step(`Fetching Node.js ${version}`, () => fetchNode(version, folder))
  return program
}

async function fetchNode(version, folder) {
  await mkdir(folder, { recursive: true })
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const args = ['install', ...options, `${nodePackage()}@${version}`]
  await succeed(`Node.js ${version} could not be fetched:`, 'npm', args)
}
