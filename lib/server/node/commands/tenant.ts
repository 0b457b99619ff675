// `npm run tenant`: plans, applies and exports the tenant as a file in the format of Auth0's Deploy CLI.
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { administratorStore } from '../../../adapters/store/prisma/console-administrators'
import { tenantFileStore } from '../../../adapters/store/prisma/tenant-file'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { createPasswordHasher } from '../../../data/users/password'
import { createBundler } from '../../../identity/tenant-code/packages/bundle'
import { systemClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import { hashingConcurrency } from '../../../kernel/work-queue'
import { applyTenantFile, planTenantFile, type TenantFileDeps } from '../../../management/tenant-file/apply'
import { exportTenantFile } from '../../../management/tenant-file/export'
import { recordsOf } from '../../../management/tenant-file/print'
import { siblingReader } from '../../runtime/sibling-reader'
import { tenantFileDeps } from '../../runtime/tenant-file-deps'
import { UsageError } from '../failure'
import { type Command, type CommandContext, type CommandDatabase, withDatabase } from './command'
import { recordChanges } from './record-change'

export const tenant: Command = async ([verb, path], context) => {
  if (verb === 'export') return exportTo(path, context)
  if ((verb !== 'plan' && verb !== 'apply') || path === undefined)
    throw new UsageError('Usage: `npm run tenant -- plan FILE`, `… apply FILE` or `… export [FILE]`.')
  const text = await readText(path)
  await withDatabase(context, async (opened) => {
    const variables = { ...context.source, APP_URL: opened.env.appUrl }
    const file = { path, text, variables, readSibling: siblingReader(path) }
    const work = verb === 'plan' ? planTenantFile : applyTenantFile
    const administrators = administratorStore(opened.db, FIRST_TENANT)
    const hadOwner = await administrators.hasOwner()
    const plan = await work(file, fileDeps(opened, context))
    if (verb === 'apply') await recordChanges(recordsOf(plan), opened, context)
    if (hadOwner && !(await administrators.hasOwner()))
      context.say('No owner is left who can sign in. Make the next one: npm run admin -- invite --role owner')
  })
}

async function exportTo(path: string | undefined, context: CommandContext): Promise<void> {
  const quiet = path === undefined ? { ...context, say: () => {} } : context
  const text = await withDatabase(quiet, ({ db, vault }) => exportTenantFile(tenantFileStore(db), FIRST_TENANT, vault))
  if (path === undefined) return context.say(text.trimEnd())
  // Readable by the owner only: the file contains the profiles of all users.
  await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be written (${codeOf(error)}): name a file that is not there yet.`)
  })
  context.say(`Wrote ${path}.`)
}

function fileDeps({ db, vault, env }: CommandDatabase, { say, root }: CommandContext): TenantFileDeps {
  const hasher = createPasswordHasher({ concurrency: hashingConcurrency(availableParallelism()), queueLimit: 1 })
  return tenantFileDeps(
    { db, vault, clock: systemClock, random: systemRandom, bundler: createBundler({ root }), hasher },
    { tenantId: FIRST_TENANT, baseUrl: env.appUrl, print: say, printSecret: say },
  )
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The tenant file ${path} cannot be read (${codeOf(error)}): correct its name.`)
  })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
