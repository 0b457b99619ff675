// Bundles installed packages by esbuild, in a process of its own with an empty environment (bundle-process.mjs). This process never loads esbuild.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, notHere } from './failure'
import { type InstallFolder, readJson } from './npm'
import { runNode } from './process'
import type { Package } from './tree'

export const MAX_BUNDLE_BYTES = 12 * 1024 * 1024
const BUNDLE_MS = 90_000

type Bundled = { code: string; map: string | null; loaded: string[] }

/** Before npm is run, so that a host that cannot bundle says so at once. */
export async function assertBundles(place: InstallFolder): Promise<void> {
  try {
    await bundlePackages([], { ...place, tree: [] })
  } catch (error) {
    throw error instanceof Failure ? notHere('esbuild does not run here') : error
  }
}

export async function bundlePackages(
  entries: readonly string[],
  { folder, root, signal, tree }: InstallFolder & { tree: readonly Package[] },
): Promise<Bundled> {
  const program = join(root, 'lib', 'identity', 'tenant-code', 'packages', 'bundle-process.mjs')
  const { code, output, stopped } = await runNode({
    args: ['--max-old-space-size=1024', program],
    folder,
    environment: {},
    input: JSON.stringify({ entries, tree: tree.map(({ location, name }) => ({ location, name })) }),
    milliseconds: BUNDLE_MS,
    signal,
  })
  if (stopped === 'time') throw new Failure(`The packages were not bundled within ${BUNDLE_MS / 1000} seconds.`)
  if (stopped === 'size') throw new Failure('The packages are too large.')
  const { failure, loaded } = readJson(output)
  if (typeof failure === 'string') throw new Failure(failure)
  if (code !== 0 || !Array.isArray(loaded)) throw new Failure('The packages could not be bundled: esbuild ended early.')
  const [text, map] = await Promise.all([
    readFile(join(folder, 'bundle.js'), 'utf8'),
    readFile(join(folder, 'bundle.js.map'), 'utf8'),
  ])
  if (Buffer.byteLength(text) > MAX_BUNDLE_BYTES)
    throw new Failure(
      `The bundle is larger than ${MAX_BUNDLE_BYTES / 1024 / 1024} MiB. Name only the parts that are used, such as \`aws-sdk/clients/s3\`.`,
    )
  return { code: text, map: map.length > MAX_BUNDLE_BYTES ? null : map, loaded: loaded.map(String) }
}
