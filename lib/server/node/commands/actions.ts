// `npm run actions`: shows the results of the tenant's recent action runs and their output, tries an action, and bundles packages.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { latestRuns } from '../../../adapters/store/action-runs'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { UsageError } from '../failure'
import { bundlePackages } from './action-bundle'
import { testAction } from './action-test'
import { type Command, withDatabase } from './command'

const DEFAULT_RUNS = 50
const MAX_RUNS = 1000

const USAGE = [
  'Usage: `npm run actions -- logs`, with `--action NAME` or `--limit 100` if you like,',
  'or `npm run actions -- test FILE`, or `npm run actions -- types`, or `npm run actions -- bundle`.',
].join('\n')

export const actions: Command = async ([verb, ...options], context) => {
  if (verb === 'test') return testAction(options, context)
  if (verb === 'bundle') return bundlePackages(options, context)
  if (verb === 'types') return context.say(await readFile(join(context.root, 'dist', 'actions.d.ts'), 'utf8'))
  const wanted = verb === 'logs' ? optionsOf(options) : null
  if (!wanted) throw new UsageError(USAGE)
  await withDatabase(context, async ({ db }) => {
    const runs = await latestRuns(db.pool, FIRST_TENANT, wanted)
    if (runs.length === 0) context.say('No action ran lately.')
    for (const run of runs.reverse()) for (const line of described(run)) context.say(line)
  })
}

function optionsOf(given: readonly string[]): { action: string | null; limit: number } | null {
  const wanted = { action: null as string | null, limit: DEFAULT_RUNS }
  for (let at = 0; at < given.length; at += 2) {
    const [name, value = ''] = given.slice(at, at + 2)
    if (name === '--action' && value !== '') wanted.action = value
    else if (name === '--limit' && /^[1-9]\d{0,3}$/.test(value)) wanted.limit = Math.min(MAX_RUNS, Number(value))
    else return null
  }
  return wanted
}

type Run = Awaited<ReturnType<typeof latestRuns>>[number]

/** Replaces control characters in an action's text, which a terminal would interpret. */
function described({ at, trigger, action, outcome, reason, userId, clientId, milliseconds, lines }: Run): string[] {
  const who = [userId, clientId].filter((id) => id !== null).join(' ')
  const why = reason === null ? '' : `: ${reason}`
  return [
    `${at.toISOString()}  ${outcome.padEnd(9)}  ${trigger}  ${action}  ${milliseconds} ms  ${who}${why}`,
    ...lines.map(({ level, text }) => `    ${level}: ${text}`),
  ].map((line) => line.replace(/\p{Cc}/gu, ' '))
}
