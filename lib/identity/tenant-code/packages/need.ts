// What may be declared as a dependency: a name of the registry, and an exact version, a range or a tag. Whatever else npm accepts (files, links,
// git, addresses, aliases) is refused before npm sees it.
import * as z from 'zod'
import { PRESENT } from '../platform/names'
import { packageOf } from './judge.mjs'

/** `version` is exact, a range or a tag; absent means `latest`. */
export const dependency = z.object({
  name: z.string().min(1).max(214),
  version: z.string().min(1).max(50).optional(),
})

export type Dependency = z.output<typeof dependency>

type Need = { dependencies: readonly Dependency[]; entries: readonly string[] }

/** The vendor's limit for an action, and for a module. */
export const MAX_PACKAGES = 10
/** Of an action with its modules, or of scripts. */
const MAX_BUNDLED = 30
const MAX_ENTRIES = 100

const NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i
const VERSION = /^(?![.~/])(?!.*\.(?:tgz|tar|tar\.gz)$)[\w.+*^<>=|~ -]{1,100}$|^~\d[\w.+-]{0,99}$/
const MODULE = /^[\w.~@/+-]{1,300}$/

/** Packages that cannot run here, with what an action uses in their place. */
const REFUSED: Readonly<Record<string, string>> = {
  argon2: 'it is native; use bcryptjs',
  canvas: 'it is native',
  'node-sass': 'it is native',
  sharp: 'it is native',
  sqlite3: 'it is native',
}

/** Without what the server itself has in place of a package, such as `bcrypt`. */
export const ofRegistry = (dependencies: readonly Dependency[], entries: readonly string[]): Need => ({
  dependencies: dependencies.filter(({ name }) => !PRESENT.includes(name)),
  entries: [...new Set(entries)].filter((entry) => !PRESENT.includes(packageOf(entry))).sort(),
})

/** Null where all of it may be resolved. */
export function faultOfNeed({ dependencies, entries }: Need): string | null {
  if (dependencies.length === 0) return 'There are no packages to bundle.'
  const twice = dependencies.find(({ name }, index) => firstOf(name, dependencies) !== dependencies[index])
  if (twice) {
    const both = [twice, firstOf(twice.name, dependencies)].map(called).sort()
    return `A bundle has one version of a package, not ${both.join(' beside ')}.`
  }
  if (dependencies.length > MAX_BUNDLED) return `A bundle has at most ${MAX_BUNDLED} packages.`
  if (entries.length > MAX_ENTRIES) return `A bundle has at most ${MAX_ENTRIES} modules that are required.`
  const names = dependencies.map(({ name }) => name)
  return (
    dependencies.map(faultOf).find((fault) => fault !== null) ??
    entries.map((entry) => faultOfEntry(entry, names)).find((fault) => fault !== null) ??
    null
  )
}

const firstOf = (wanted: string, dependencies: readonly Dependency[]): Dependency | undefined =>
  dependencies.find(({ name }) => name === wanted)

const called = (each: Dependency | undefined): string => `${each?.name} ${each?.version ?? 'latest'}`

function faultOf({ name, version }: Dependency): string | null {
  if (name.length > 214 || !NAME.test(name) || RESERVED.includes(name))
    return `${quoted(name)} is no name of a package.`
  const why = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (why !== undefined) return `The package ${name} cannot be used in actions: ${why}.`
  return version === undefined || VERSION.test(version)
    ? null
    : `${quoted(version)} is no version, range or tag of ${name} in a registry.`
}
const RESERVED = ['node_modules', 'favicon.ico']

function faultOfEntry(entry: string, names: readonly string[]): string | null {
  if (!MODULE.test(entry) || entry.split('/').some((part) => part === '' || part === '.' || part === '..'))
    return `${quoted(entry)} is no module of a package.`
  return names.includes(packageOf(entry)) ? null : `${quoted(entry)} is of no dependency of this action.`
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100))
