// `npm run doctor`: shows the settings, checks the dependencies of this server and describes the problems. It changes nothing.
// It exits with 1 if a finding is ill, so that a deployment can stop there.
import { join } from 'node:path'
import type { Pool } from 'pg'
import { listSecrets } from '../../../adapters/store/root-secret'
import { systemClock } from '../../../kernel/clock'
import { listSettings } from '../../../settings/catalogue-text'
import { type Finding, type Health, ill, well, worst } from '../../doctor/finding'
import { examine } from '../../maintenance/doctor'
import { examinePackages } from '../../maintenance/packages'
import { openRedis } from '../../runtime/redis'
import { explainFailure, UsageError } from '../failure'
import { type Command, withPool } from './command'

const MARKS: Record<Health, string> = { well: 'ok', doubtful: '!!', ill: 'XX' }
const LAST_WORDS: Record<Health, string> = {
  well: 'All is well.',
  doubtful: 'Working; check what is marked !!.',
  ill: 'Fix what is marked XX.',
}

/** How long the doctor waits for Redis. */
const PATIENCE_MS = 3_000

export const doctor: Command = async (args, context) => {
  if (args.length > 0) throw new UsageError('Usage: `npm run doctor`.')
  const findings = await withPool(context, async ({ env, db, secret }) => {
    const redis = await openRedis(env, { info() {}, warn() {} }, PATIENCE_MS)
    const migrations = join(context.root, 'prisma', 'migrations')
    try {
      const explain = (error: unknown): string | undefined => explainFailure(error, env)
      const found = await examine({ env, migrations, db, clock: systemClock, redis, explain })
      return [...found, ...(await examineSecret(db.pool, secret)), ...(await examinePackages(db.pool, context.root))]
    } finally {
      await redis?.close()
    }
  })
  for (const each of listSettings(context.source)) context.say(each)
  for (const finding of findings) context.say(line(finding))
  context.say(`\n${LAST_WORDS[worst(findings)]}`)
  if (worst(findings) === 'ill') process.exitCode = 1
}

const line = ({ about, health, says }: Finding): string => `${MARKS[health]}  ${about.padEnd(14)}  ${says}`

/** No findings if the database cannot be queried: that is a finding already. */
async function examineSecret(pool: Pool, secret: string): Promise<Finding[]> {
  const kept = await listSecrets(pool, secret).catch(() => [])
  if (kept.length === 0) return []
  return kept.some(({ present }) => present)
    ? [well('secret', 'LATCHKEY_SECRET is valid for this database.')]
    : [ill('secret', 'LATCHKEY_SECRET is not valid for this database: no server starts with it. Correct it.')]
}
