// Actions Modules: code that several actions share (`require('actions:NAME')`), with secrets and packages of its own. A version never changes,
// so an action keeps what it uses with its own code, and a login reads nothing more.
import * as z from 'zod'
import { type Dependency, dependency } from '../packages/need'
import { modulesIn } from './source'

/** The vendor's limit of characters. */
export const MAX_MODULE_CODE = 65_536
/** Of one action. */
export const MAX_USED_MODULES = 10

const PREFIX = 'actions:'

/** A version of a module, as an action has it. */
export const usedModule = z.object({
  module_id: z.string(),
  module_name: z.string(),
  module_version_id: z.string(),
  module_version_number: z.number(),
  code: z.string().max(MAX_MODULE_CODE),
  dependencies: z.array(dependency).default([]),
  /** Secrets by name, each as base64 of the sealed value. */
  sealed: z.record(z.string(), z.string()).default({}),
})

export type UsedModule = z.output<typeof usedModule>

type Coded = { code: string; dependencies: readonly Dependency[] }

export type WithModules = Coded & { modules?: readonly (Coded & { module_name: string })[] }

/** The module that `require` of this name loads; null for every other name. */
export const actionModule = (name: string): string | null =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null

/** The code and the packages of an action together with its modules'. */
export function wholeOf({ code, dependencies, modules = [] }: WithModules): Coded {
  const declared = [...dependencies, ...modules.flatMap((each) => each.dependencies)]
  const byName = new Map(declared.map((each) => [each.name, each]))
  return { code: [code, ...modules.map((each) => each.code)].join('\n'), dependencies: [...byName.values()] }
}

/** Why the modules do not fit together, or with the action; null if they do. */
export function whyUnfit({ dependencies, modules = [] }: WithModules): string | null {
  const versions = new Map(dependencies.map(({ name, version }) => [name, version]))
  for (const { module_name, code, dependencies: own } of modules) {
    const other = modulesIn(code).find((name) => actionModule(name) !== null)
    if (other !== undefined)
      return `uses the module ${module_name}, which requires ${other}: a module cannot use another one`
    for (const { name, version } of own) {
      if (versions.has(name) && versions.get(name) !== version)
        return `needs two versions of ${name}: its module ${module_name} has ${version ?? 'latest'}, and not ${versions.get(name) ?? 'latest'}`
      versions.set(name, version)
    }
  }
  return null
}
