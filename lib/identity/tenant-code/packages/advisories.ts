// Known vulnerabilities of packages, as npm's audit finds them at the registry of its configuration. Nothing is installed.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Resolved } from './bundle'
import { Failure } from './failure'
import { withFolder } from './folder'
import { readJson, readRegistries, runNpm } from './npm'

export type Advisory = { name: string; versions: string[]; severity: string; title: string; url: string }

const AUDIT_MS = 30_000

const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      via: z.array(
        z.union([
          // The name of another package, which has an entry of its own.
          z.string(),
          z.object({ title: z.string(), severity: z.string(), url: z.string().default('') }),
        ]),
      ),
    }),
  ),
})

/** @returns null where the registry cannot be asked */
export async function findAdvisories(packages: readonly Resolved[], root: string): Promise<Advisory[] | null> {
  try {
    const found: Advisory[] = []
    for (const layer of layersOf(packages)) found.push(...(await withFolder((folder) => audit(layer, folder, root))))
    return joined(found)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Each has one version of a package: npm audits what could be installed together in one folder. */
function layersOf(packages: readonly Resolved[]): Map<string, string>[] {
  const layers: Map<string, string>[] = []
  const versions = new Map<string, Set<string>>()
  for (const { name, version } of packages) versions.set(name, (versions.get(name) ?? new Set()).add(version))
  for (const [name, of] of versions)
    for (const [index, version] of [...of].entries()) {
      layers[index] ??= new Map()
      layers[index].set(name, version)
    }
  return layers
}

async function audit(layer: ReadonlyMap<string, string>, folder: string, root: string): Promise<Advisory[]> {
  const manifest = { name: 'audited', version: '1.0.0', dependencies: Object.fromEntries(layer) }
  const entries = [...layer].map(([name, version]) => [`node_modules/${name}`, { version }])
  const packages = { '': manifest, ...Object.fromEntries(entries) }
  const lock = { name: 'audited', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
  await writeFile(join(/* turbopackIgnore: true */ folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const registries = await readRegistries({ folder, root })
  const { output } = await runNpm({ folder, root, args: ['audit'], registries, milliseconds: AUDIT_MS })
  const read = report.safeParse(readJson(output))
  if (!read.success) throw new Failure('The registry has no advisories.')
  return Object.entries(read.data.vulnerabilities).flatMap(([name, { via }]) =>
    via.flatMap((each) => (typeof each === 'string' ? [] : [{ name, versions: [layer.get(name) ?? ''], ...each }])),
  )
}

/** One entry for an advisory of several versions. */
function joined(found: readonly Advisory[]): Advisory[] {
  const all = new Map<string, Advisory>()
  for (const advisory of found) {
    const key = JSON.stringify([advisory.name, advisory.url, advisory.title])
    const versions = [...(all.get(key)?.versions ?? []), ...advisory.versions]
    all.set(key, { ...advisory, versions })
  }
  return [...all.values()]
}
