// Debian packages that the trials need: installed if possible, otherwise named.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { capture, succeed } from '../../lib/server/node/launch/run.mjs'
import { LaunchError, step } from '../../lib/server/node/launch/step.mjs'

/** @param {Record<string, string>} packages by the program that each contains */
export async function ensurePrograms(packages) {
  const missing = Object.entries(packages).flatMap(([program, name]) => (isHere(program) ? [] : [name]))
  if (missing.length === 0) return
  const advice = `apt-get install --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !isHere('apt-get')) throw new LaunchError(`Missing here: run \`${advice}\` as root.`)
  await step(`Installing ${missing.join(', ')}`, async () => {
    await capture('apt-get', ['update', '-qq'])
    const options = ['install', '-y', '-qq', '--no-install-recommends', ...missing]
    await succeed(`\`${advice}\` failed:`, 'apt-get', options, { DEBIAN_FRONTEND: 'noninteractive' })
  })
}

function isHere(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
