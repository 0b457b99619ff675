// `npm run bench`: installs the benchmark's own packages, builds what is older than its sources, then measures. Uses Node
// built-ins only, so that it can report missing packages.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bench = dirname(fileURLToPath(import.meta.url))
const root = dirname(bench)

function run(what, command, args, cwd) {
  console.log(`${what}…`)
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status === 0) return
  console.error(`${what} failed${error ? `: ${error.message}` : ''}. Run \`${command} ${args.join(' ')}\` in ${cwd}.`)
  process.exit(1)
}

if (process.platform !== 'linux') {
  console.error('The benchmark reads CPU time from /proc, which only Linux has. Run it on Linux or in a container.')
  process.exit(1)
}
if (!existsSync(join(root, 'node_modules/pg'))) run('Installing dependencies', 'npm', ['ci'], root)
if (!existsSync(join(bench, 'node_modules/oidc-provider'))) {
  run('Installing the peer', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], bench)
}

const { readOptions } = await import('./options.mjs')
const options = readOptions(process.argv.slice(2))
if (options.sides.includes('ours'))
  run('Building what is out of date', process.execPath, ['lib/server/node/build.mjs'], root)

const { benchmark } = await import('./benchmark.mjs')
try {
  await benchmark({ bench, root, options })
} catch (error) {
  console.error(error instanceof Error ? error.stack : error)
  process.exitCode = 1
}
