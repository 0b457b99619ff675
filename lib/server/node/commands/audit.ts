// `npm run audit`: lists the audit log, verifies its integrity, and erases a user from it.
import { parseArgs } from 'node:util'
import { withSnapshot } from '../../../adapters/store/sql/audit'
import { type AuditFilter, listRecords, tenantsWithChains } from '../../../adapters/store/sql/audit-read'
import { eraseUser } from '../../../adapters/store/sql/audit-retention'
import { eraseLogins } from '../../../adapters/store/sql/login-records'
import { presentRecord } from '../../../data/audit/record'
import { type ChainVerdict, type NotedHead, verifyChain } from '../../../data/audit/verify'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { UsageError } from '../failure'
import { type Command, type CommandContext, type CommandDatabase, withDatabase } from './command'
import { recordChange } from './record-change'

export const audit: Command = async ([verb, ...args], context) => {
  if (verb === 'list') return list(readOptions(args), context)
  if (verb === 'verify') return verify(args, context)
  if (verb === 'erase' && args[0] !== undefined) return erase(args[0], readOptions(args.slice(1)), context)
  throw new UsageError(
    'Usage: `npm run audit -- list [--user ID] [--type CODE] [--since TIME] [--limit N] [--json]`, `… verify [HEAD]` or `… erase USER_ID`; `--tenant ID` names another tenant than the first.',
  )
}

const OPTIONS = {
  user: { type: 'string' },
  type: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string' },
  tenant: { type: 'string' },
  json: { type: 'boolean' },
} as const

type Options = { [Name in Exclude<keyof typeof OPTIONS, 'json'>]?: string } & { json?: boolean }

function readOptions(args: readonly string[]): Options {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(`\`npm run audit\`: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function list(options: Options, context: CommandContext): Promise<void> {
  const records = await withDatabase(quiet(context), ({ db }) =>
    listRecords(db.pool, options.tenant ?? FIRST_TENANT, filterOf(options)),
  )
  for (const record of records.reverse()) {
    const shown = presentRecord(record)
    context.say(options.json ? JSON.stringify(shown) : lineOf(shown))
  }
}

const quiet = (context: CommandContext): CommandContext => ({ ...context, say: () => {} })

const MAX = 10_000

function filterOf({ user, type, since, limit = '100' }: Options): AuditFilter {
  const from = since === undefined ? undefined : new Date(since)
  if (from && Number.isNaN(from.getTime())) throw new UsageError(`--since ${since} is no time, such as 2027-01-31.`)
  const most = Number(limit)
  if (!Number.isInteger(most) || most < 1 || most > MAX) throw new UsageError(`--limit must be from 1 to ${MAX}.`)
  return {
    limit: most,
    ...(user === undefined ? {} : { userId: user }),
    ...(type === undefined ? {} : { type }),
    ...(from === undefined ? {} : { since: from }),
  }
}

/** A change says which, a refusal its reason. */
function lineOf(shown: Record<string, unknown>): string {
  const { date, type, user_name, user_id, client_id, ip, description } = shown
  const { change, reason } = shown.details as { change?: string; reason?: string }
  const sentence = [change ?? description, ...(reason === undefined ? [] : [`(${reason})`])].join(' ')
  return [
    String(date),
    String(type).padEnd(10),
    user_name ?? user_id ?? '-',
    client_id ?? '-',
    ip ?? '-',
    sentence,
  ].join('  ')
}

async function verify([head, ...more]: string[], context: CommandContext): Promise<void> {
  if (more.length > 0) throw new UsageError('Usage: `npm run audit -- verify`, or add a head from an earlier run.')
  const noted = head === undefined ? null : readHead(head)
  const verdicts = await withDatabase(quiet(context), (opened) => verifyAll(noted, opened))
  if (verdicts.length === 0) context.say('The audit log is empty.')
  for (const each of verdicts) context.say(sentenceOf(each))
  const broken = verdicts.filter(({ problem }) => problem !== null)
  if (broken.length > 0) throw new UsageError('The audit log was modified.')
}

type Named = ChainVerdict & { tenantId: string }

/** A noted head belongs to one tenant, so it must occur in that tenant's chain only. */
async function verifyAll(noted: NotedHead | null, { db, vault }: CommandDatabase): Promise<Named[]> {
  const verdicts: Named[] = []
  for (const tenantId of await tenantsWithChains(db.pool)) {
    const own = tenantId === FIRST_TENANT ? noted : null
    verdicts.push({ tenantId, ...(await withSnapshot(db.pool, (reader) => verifyChain(tenantId, reader, vault, own))) })
  }
  if (noted && verdicts.every(({ tenantId }) => tenantId !== FIRST_TENANT))
    throw new UsageError('The chain of this head no longer exists.')
  return verdicts
}

const sentenceOf = ({ tenantId, records, erased, head, problem }: Named): string =>
  problem === null
    ? `${tenantId}: ${records} records, whole; of ${erased} the personal part was erased. Head ${head}`
    : `${tenantId}: NOT WHOLE after ${records} records. ${problem}`

function readHead(head: string): NotedHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(head) ?? []
  if (seq === undefined || hash === undefined) throw new UsageError(`${head} is no head as \`verify\` shows it.`)
  return { seq: Number(seq), hash }
}

async function erase(userId: string, { tenant = FIRST_TENANT }: Options, context: CommandContext): Promise<void> {
  await withDatabase(context, async (opened) => {
    const logins = await eraseLogins(opened.db.pool, tenant, userId, opened.vault)
    const count = await eraseUser(opened.db.pool, tenant, userId)
    // The record omits the user, because the user's identity was to be erased.
    if (count + logins > 0)
      await recordChange(
        `a person erased from ${count} records of the audit log, and ${logins} logins`,
        opened,
        context,
        tenant,
      )
    context.say(`Erased who and from where in ${count} records, and the steps of ${logins} logins.`)
  })
}
