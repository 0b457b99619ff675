// The packages that npm installed, from its lock file: each is of a registry, under its own name, at an exact version with an integrity. Pure.
import * as z from 'zod'
import { Failure } from './failure'

/**
 * `location` is the folder of the package, from that of the build and with slashes. It ends in `name`, unless another package names it differently:
 * `auth0` has an older version of itself as `auth0-legacy`.
 */
export type Package = { location: string; name: string; version: string; integrity: string }

const MAX_PACKAGES = 2000

const specs = z.record(z.string(), z.string()).optional()
const entry = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  optional: z.boolean().optional(),
  dependencies: specs,
  peerDependencies: specs,
})
type Entry = z.infer<typeof entry>

const lock = z.object({ packages: z.record(z.string(), entry) })

/** @param origins of the registries @param text of the lock file */
export function readTree(text: string, origins: readonly string[]): Package[] {
  const { packages } = lock.parse(JSON.parse(text))
  // The root has no location; what is optional was not installed.
  const installed = Object.entries(packages).filter(([location, { optional }]) => location !== '' && !optional)
  if (installed.length > MAX_PACKAGES) throw new Failure(`The packages need more than ${MAX_PACKAGES} others.`)
  return installed.map(([location, found]) => packageAt(location, found, origins))
}

const LOCATION = /^(?:node_modules\/(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?:\/(?!$)|$))+$/
const INTEGRITY = /^sha(?:1|256|384|512)-[\w+/=]+/

function packageAt(location: string, found: Entry, origins: readonly string[]): Package {
  const name = found.name ?? location.split('node_modules/').at(-1) ?? location
  const refuse = (why: string): never => {
    throw new Failure(`${name} cannot be bundled: ${why}.`)
  }
  if (!LOCATION.test(location) || found.link) return refuse('it is a link and no package of a registry')
  if (found.inBundle) return refuse('another package brings it along')
  for (const [other, spec] of Object.entries({ ...found.dependencies, ...found.peerDependencies }))
    if (!isOfRegistry(spec)) return refuse(`it needs ${other} from elsewhere than a registry`)
  const { version, integrity, resolved } = found
  if (version === undefined || integrity === undefined || !INTEGRITY.test(integrity))
    return refuse('the registry states no integrity for it')
  if (resolved === undefined || !URL.canParse(resolved) || !origins.includes(new URL(resolved).origin))
    return refuse('it is not from the registry of npm’s configuration')
  return { location, name, version, integrity }
}

/** A version, a range or a tag, also of another name; not an address, a file or a repository. */
const isOfRegistry = (spec: string): boolean =>
  !/[:/\\]|^[.]|^~$|\.(?:tgz|tar|tar\.gz)$/i.test(spec.replace(/^npm:(?:@[\w.~-]+\/)?[\w.~-]+(?:@|$)/, ''))
