// `npm run actions -- bundle`: makes the bundle of packages for an action on a machine that reaches the registry, for a server that does not.
import { writeFile } from 'node:fs/promises'
import { needOf } from '../../../identity/tenant-code/actions/need'
import { createBundler, type Dependency } from '../../../identity/tenant-code/packages/bundle'
import { needOfScripts } from '../../../identity/tenant-code/scripts/packages'
import { UsageError } from '../failure'
import { type Command, readArguments, readText } from './command'

const OPTIONS = {
  dependency: { type: 'string', multiple: true },
  scripts: { type: 'boolean' },
  out: { type: 'string' },
} as const
const OUT = 'actions.bundle.json'

const usage = (): UsageError =>
  new UsageError(
    [
      'Usage: `npm run actions -- bundle FILE…`, the code of actions that share the bundle, with',
      '  --dependency NAME@VERSION  a package, as often as you like; without a version, the latest',
      '  --scripts                  FILE… are rules, hooks or scripts of connections; their packages are those that they require',
      `  --out FILE                 where to write the bundle (${OUT})`,
    ].join('\n'),
  )

export const bundlePackages: Command = async (args, { root, say }) => {
  const { values, positionals } = readArguments(args, OPTIONS, usage)
  const { dependency: given = [], scripts: areScripts = false, out = OUT } = values
  const texts = await Promise.all(positionals.map(readText))
  const declared = given.map(dependencyOf)
  const need = areScripts ? needOfScripts(texts, declared) : needOf({ code: texts.join('\n'), dependencies: declared })
  if (need === null) throw usage()
  const built = await createBundler({ root }).build(need.dependencies, need.entries)
  if ('failure' in built) throw new UsageError(built.failure)
  const { bundle } = built
  await writeFile(out, JSON.stringify(areScripts ? { ...bundle, need } : bundle))
  for (const { name, version } of bundle.packages) say(`${name}@${version}`)
  say(
    `${out}: ${need.entries.join(', ')}; ${Math.ceil(Buffer.byteLength(bundle.code) / 1024)} KiB. Name it as ${areScripts ? '`scriptBundle` of' : '`bundle` of the action in'} the tenant file.`,
  )
}

/** `name`, `name@version` or `@scope/name@version`. */
function dependencyOf(text: string): Dependency {
  const at = text.indexOf('@', 1)
  return at < 0 ? { name: text } : { name: text.slice(0, at), version: text.slice(at + 1) }
}
