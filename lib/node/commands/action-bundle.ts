// `npm run actions -- bundle`: makes the bundle of packages for an action on a machine that reaches the registry, for a server that does not.
import { writeFile } from 'node:fs/promises'
import { createBundler, type Dependency } from '../../rules/packages/bundle'
import { UsageError } from '../failure'
import { type Command, readArguments } from './command'

const OPTIONS = {
  dependency: { type: 'string', multiple: true },
  module: { type: 'string', multiple: true },
  out: { type: 'string' },
} as const
const OUT = 'actions.bundle.json'

const usage = (): UsageError =>
  new UsageError(
    `Usage: \`npm run actions -- bundle --dependency NAME@VERSION\`, once for each package; \`--module NAME/PART\` for a part that the action requires; \`--out FILE\` (${OUT}).`,
  )

export const bundlePackages: Command = async (args, { root, say }) => {
  const { values, positionals } = readArguments(args, OPTIONS, usage)
  const { dependency: given = [], module: parts = [], out = OUT } = values
  if (given.length === 0 || positionals.length > 0) throw usage()
  const dependencies = given.map(dependencyOf)
  const entries = [...dependencies.map(({ name }) => name), ...parts]
  const built = await createBundler({ root }).build(dependencies, entries)
  if ('failure' in built) throw new UsageError(built.failure)
  const { bundle } = built
  await writeFile(out, JSON.stringify(bundle))
  for (const { name, version } of bundle.packages) say(`${name}@${version}`)
  say(
    `${out}: ${Math.ceil(Buffer.byteLength(bundle.code) / 1024)} KiB of code. Name it as \`bundle\` of the action in the tenant file.`,
  )
}

/** `name`, `name@version` or `@scope/name@version`. */
function dependencyOf(text: string): Dependency {
  const at = text.indexOf('@', 1)
  return at < 0 ? { name: text } : { name: text.slice(0, at), version: text.slice(at + 1) }
}
