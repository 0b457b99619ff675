// The packages of scripts: what they require by a literal name, with a version (`pg@8.13.1`) or without, and what a hook declares. All scripts of a
// connection are one need, and all enabled rules; a hook is one. Pure.
import { ownMember } from '../../../kernel/json'
import { type Need, needOf } from '../actions/need'
import { modulesIn } from '../actions/source'
import type { Dependency } from '../packages/need'
import { ABSENT, PRESENT } from '../platform/names'

/** Of packages that scripts require without a version (docs/scripts.md). Of others it is the newest when they are built. */
const VERSIONS: Readonly<Record<string, string>> = {
  async: '3.2.6',
  auth0: '4.10.0',
  axios: '1.7.9',
  bluebird: '3.7.2',
  'crypto-js': '4.2.0',
  jsonwebtoken: '9.0.2',
  lodash: '4.17.21',
  moment: '2.30.1',
  mongodb: '6.12.0',
  mysql: '2.18.1',
  mysql2: '3.11.5',
  'node-fetch': '2.7.0',
  pg: '8.13.1',
  request: '2.88.2',
  underscore: '1.13.7',
  uuid: '9.0.1',
  validator: '13.12.0',
  xml2js: '0.6.2',
}

const NAMED = /^((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?(\/.*)?$/

/** `version` as it is required. */
type Named = { name: string; version?: string | undefined; module: string }

/** Null for what the server itself has, and for what it says that it lacks. */
function packageIn(required: string): Named | null {
  const bare = required.replace(/^node:/, '')
  const [, name = '', version, sub = ''] = NAMED.exec(required) ?? []
  if (name === '' || name === '.' || name === '..' || PRESENT.includes(bare) || PRESENT.includes(name)) return null
  if (bare !== required || Object.hasOwn(ABSENT, bare)) return null
  return { name, version, module: `${name}${sub}` }
}

const packagesIn = (script: string): Named[] => modulesIn(script).flatMap((each) => packageIn(each) ?? [])

/** Null where they need nothing. Of two versions of a package the one that is named first counts. */
export function needOfScripts(scripts: readonly string[], declared: readonly Dependency[] = []): Need | null {
  const named = scripts.flatMap(packagesIn)
  const dependencies = [...versionsOf([...declared, ...named])].map(
    ([name, [version = ownMember(VERSIONS, name)]]) => ({
      name,
      ...(version === undefined ? {} : { version }),
    }),
  )
  const code = named.map(({ module }) => `require(${JSON.stringify(module)})`).join('\n')
  return needOf({ code, dependencies })
}

/** The same with every version that is named: where there are two of a package, it cannot be built (`faultOfNeed`), and nothing runs with the wrong one. */
export function needOfVersions(scripts: readonly string[], declared: readonly Dependency[] = []): Need | null {
  const need = needOfScripts(scripts, declared)
  const known = versionsOf([...declared, ...scripts.flatMap(packagesIn)])
  const dependencies = need?.dependencies.flatMap((each) => {
    const [, ...others] = known.get(each.name) ?? []
    return [each, ...others.map((version) => ({ name: each.name, version }))]
  })
  return need && dependencies ? { ...need, dependencies } : null
}

/** Of each package, in the order in which they are named. */
function versionsOf(named: readonly Dependency[]): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const { name, version } of named) {
    const known = all.get(name) ?? []
    all.set(name, version === undefined || known.includes(version) ? known : [...known, version])
  }
  return all
}

/** The packages that a script names, without versions. */
export const namesIn = (script: string): string[] => [...new Set(packagesIn(script).map(({ name }) => name))]

/** The script as it runs: its packages have one version each, which the bundle has. */
export const withoutVersions = (script: string): string =>
  script.replace(
    /(\brequire\s*\(\s*)(['"`])([^'"`\n]+)\2/g,
    (whole, start: string, quote: string, required: string) => {
      const found = packageIn(required)
      return found ? `${start}${quote}${found.module}${quote}` : whole
    },
  )
