// Installs packages into the folder of a build, by npm.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from './failure'
import type { Dependency } from './need'
import { type InstallFolder, originsOf, readJson, readRegistries, runNpm } from './npm'
import type { ProcessResult } from './process'
import { type Package, readTree } from './tree'

const INSTALL_MS = 150_000

export async function installPackages(dependencies: readonly Dependency[], place: InstallFolder): Promise<Package[]> {
  const needed = Object.fromEntries(dependencies.map(({ name, version }) => [name, version ?? 'latest']))
  // npm takes the folder for a project by this file, and looks for none above it.
  // Next would trace ours for each function otherwise, by which Node.js reads Next's own output as ES modules.
  await writeFile(
    join(/* turbopackIgnore: true */ place.folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: needed }),
  )
  const registries = await readRegistries(place)
  const ended = await runNpm({ ...place, args: ['install'], registries, milliseconds: INSTALL_MS })
  const failure = failureOf(ended, place)
  if (failure !== null) throw new Failure(failure)
  return readTree(await readFile(join(place.folder, 'package-lock.json'), 'utf8'), originsOf(registries))
}

const UNREACHABLE =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST\w+|ENET\w+|ERR_SOCKET_TIMEOUT|E5\d\d|\w*CERT\w*|\w*TLS\w*)$/

function failureOf({ code, output, stopped }: ProcessResult, { folder }: InstallFolder): string | null {
  if (stopped === 'time') return `The packages were not installed within ${INSTALL_MS / 1000} seconds.`
  if (stopped === 'size') return 'The packages are too large.'
  if (code === 0) return null
  const { error } = readJson(output)
  const {
    code: reason = 'no reason',
    summary = '',
    detail = '',
  } = typeof error === 'object' && error !== null ? texts(error) : {}
  if (reason === 'E404')
    return `The registry has no ${/'([^']+)'/.exec(detail)?.[1] ?? 'such package'}, or does not show it.`
  if (reason === 'E401' || reason === 'E403') return `The registry refuses access (${reason}).`
  if (reason === 'EOUTSIDE' || reason === 'ENOGIT')
    return `A package needs another one from elsewhere than a registry (${plain(summary, folder)}).`
  if (UNREACHABLE.test(reason)) return `The registry does not answer (${reason}).`
  return `npm could not install the packages (${reason}): ${plain(summary, folder)}`
}

const texts = (error: object): Record<string, string> =>
  Object.fromEntries(Object.entries(error).map(([name, value]) => [name, String(value)]))

/** One line, without the folder of the build. */
const plain = (text: string, folder: string): string =>
  text.replaceAll(folder, '').replace(/\s+/g, ' ').trim().slice(0, 300)
