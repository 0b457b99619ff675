// Packages of npm for actions: resolved by npm from the registry that its own configuration names, and bundled by esbuild as one text
// (docs/adr/0053-packages-bundled-when-deployed.md). A bundle is `(require) => ({ get "lodash"() {…}, … })`: each module is evaluated when it is
// first used, and `require` is for modules of Node.js alone.
// - npm and esbuild are processes of their own, in a folder that exists for one build. Nothing of a package is run (threat-model.md AC10, AC11).
// - Where they cannot run, the failure names the command that makes a bundle elsewhere.
import * as z from 'zod'
import { digest } from '../../../kernel/secret'
import { assertBundles, bundlePackages, MAX_BUNDLE_BYTES } from './esbuild'
import { Failure } from './failure'
import { withFolder } from './folder'
import { installPackages } from './install'
import { type Dependency, dependency, faultOfNeed, ofRegistry } from './need'
import type { InstallFolder } from './npm'

export type { Dependency } from './need'

/** A package whose code is in the bundle. */
export type Resolved = { name: string; version: string; integrity: string }

/** `digest` is the SHA-256 of the code, as base64url. */
export type BuiltBundle = { digest: string; code: string; map: string | null; packages: Resolved[] }

/** `failure` is a sentence for a person, without paths of this machine. */
export type Built = { bundle: BuiltBundle } | { failure: string }

export type Bundler = {
  /**
   * Rejects where `signal` stops it.
   * @param entries what may be required: names of the dependencies, and modules in them (`date-fns/format`)
   */
  build(dependencies: readonly Dependency[], entries: readonly string[], signal?: AbortSignal): Promise<Built>
}

/** @param root the folder of the installation, with `lib/identity/tenant-code/packages` */
export const createBundler = ({ root }: { root: string }): Bundler => ({
  async build(dependencies, entries, signal) {
    const needed = ofRegistry(dependencies, entries)
    const fault = faultOfNeed(needed)
    if (fault !== null) return { failure: fault }
    try {
      return { bundle: await withFolder((folder) => built(needed, { folder, root, signal })) }
    } catch (error) {
      if (error instanceof Failure) return { failure: error.message }
      throw error
    }
  },
})

async function built({ dependencies, entries }: ReturnType<typeof ofRegistry>, place: InstallFolder) {
  await assertBundles(place)
  const tree = await installPackages(dependencies, place)
  const { code, map, loaded } = await bundlePackages(entries, { ...place, tree })
  const packages = tree.filter(({ location }) => loaded.includes(location))
  return bundleOf(
    code,
    map,
    packages.map(({ name, version, integrity }) => ({ name, version, integrity })),
  )
}

const bundleOf = (code: string, map: string | null, packages: Resolved[]): BuiltBundle => ({
  ...{ digest: digestOf(code), code, map },
  packages: packages.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1)),
})

const digestOf = (code: string): string => digest(code).toString('base64url')

const bundleSchema = z.strictObject({
  digest: z.string(),
  code: z.string().max(MAX_BUNDLE_BYTES).startsWith('(require) => {'),
  map: z.string().max(MAX_BUNDLE_BYTES).nullable(),
  packages: z
    .array(z.strictObject({ name: z.string().max(214), version: z.string().max(256), integrity: z.string().max(1024) }))
    .max(5000),
})

/** A bundle that `npm run actions -- bundle` made elsewhere. */
export const readBundle = (text: string): Built => read(bundleSchema, text)

const scriptBundleSchema = bundleSchema.extend({
  need: z.strictObject({ dependencies: z.array(dependency).max(100), entries: z.array(z.string().max(300)).max(100) }),
})

/** The bundle of scripts, with what it was made for. */
export function readScriptBundle(
  text: string,
): { need: z.output<typeof scriptBundleSchema>['need']; bundle: BuiltBundle } | { failure: string } {
  const found = read(scriptBundleSchema, text)
  if ('failure' in found) return found
  const { need, ...bundle } = found.bundle
  return { need, bundle }
}

function read<T extends BuiltBundle>(schema: z.ZodType<T>, text: string): { bundle: T } | { failure: string } {
  const { data } = schema.safeParse(parsed(text))
  if (data === undefined) return { failure: 'It is no bundle of packages as `npm run actions -- bundle` writes it.' }
  if (data.digest !== digestOf(data.code))
    return { failure: 'The bundle of packages was changed: its digest is not that of its code.' }
  return { bundle: data }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
