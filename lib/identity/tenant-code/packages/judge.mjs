// Where the modules of a bundle may lie: in the folder of a package that npm recorded. Pure.
import { isAbsolute, win32 } from 'node:path'
import { ABSENT, PRESENT } from '../platform/names.js'

/** Modules of Node.js that exist with `node:` only: without it the name is that of a package. */
const PREFIXED = ['sea', 'sqlite', 'test']

/** @returns {string | null} the name without `node:` */
export function nodeModule(specifier) {
  if (specifier.startsWith('node:')) return specifier.slice('node:'.length)
  return PRESENT.includes(specifier) || (Object.hasOwn(ABSENT, specifier) && !PREFIXED.includes(specifier))
    ? specifier
    : null
}

export const isAbsent = (name) => !PRESENT.includes(name)

/** Why a name is refused whatever lies there; null for the name of a package, a relative path, or one of `imports` (`#name`). */
export function faultOfSpecifier(specifier) {
  if (
    isAbsolute(specifier) ||
    win32.isAbsolute(specifier) ||
    /^[a-z][a-z\d+.-]*:/i.test(specifier) ||
    specifier.includes('\0')
  )
    return 'a module outside of packages'
  return null
}

export const isRelative = (specifier) => /^\.\.?(?:[\\/]|$)/.test(specifier)

/** `@scope/name/sub` is of `@scope/name`. @param {string} specifier */
export const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** @param {{ location: string, name: string }[]} packages the name is the package's own; its folder may have another one */
export function createTree(packages) {
  const names = new Map(packages.map(({ location, name }) => [location, name]))

  /** @param {string} path from the folder of the build, with slashes @returns the location of the package that has this file */
  function ownerOf(path) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (names.has(path.slice(0, end))) return path.slice(0, end)
    return null
  }

  /** As Node.js looks for it: the package itself, beside it, then outwards. @param {string} from '' is the action itself */
  function areSeen(from, name) {
    const seen = names.get(from) === name ? [from] : []
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const candidate = `${at}${at === '' ? '' : '/'}node_modules/${name}`
      if (names.has(candidate)) return [...seen, candidate]
      if (at === '') return seen
    }
  }

  return {
    ownerOf,
    nameOf: (location) => names.get(location) ?? 'the action',
    /** Whether the module at `path`, to which a name led in a module of `from`, may be there. */
    mayReach(from, specifier, path) {
      const owner = ownerOf(path)
      if (owner === null) return false
      if (isRelative(specifier)) return owner === from
      if (specifier.startsWith('#')) return owner === from || areSeen(from, folderNameOf(owner)).includes(owner)
      return areSeen(from, packageOf(specifier)).includes(owner)
    },
  }
}

const folderNameOf = (location) => location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length)
