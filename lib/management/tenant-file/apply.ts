// Applies a tenant file: reads it, plans it against the database, and writes it in one transaction, completely or not at all.
// - Passwords are hashed before the transaction. The transaction plans again under a lock, so two nodes that start with the same
//   file do not both create its entries.
// - Generated client secrets go to `announce` after the commit, never to the log.

import { ensureKeys, type SigningKeyPort } from '../../crypto/keys/keyring'
import type { PasswordHasher } from '../../data/users/password'
import type { Need } from '../../identity/tenant-code/actions/need'
import type { Bundler } from '../../identity/tenant-code/packages/bundle'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { type ReadSibling, SCRIPT_BUNDLE, withCodeFiles } from './code-files'
import type { PlanContext } from './context'
import type { Change, JsonObject, MadeSecret, Plan, Write } from './model'
import { buildPackages } from './packages'
import { planTenant } from './plan'
import type { TenantFileReader, TenantFileStore, TenantFileTransaction } from './port'
import { describePlan } from './print'
import { readTenantFile } from './read'
import { buildScriptPackages, type GivenBundle, givenBundle, type ScriptBuilds, unbuilt } from './script-packages'
import { lookupOf } from './sections/users'
import type { Variables } from './variables'

type TenantFile = {
  path: string
  text: string
  variables: Variables
  /** Reads the files that the tenant file names. */
  readSibling?: ReadSibling
}

export type TenantFileDeps = {
  store: TenantFileStore
  signingKeys: SigningKeyPort
  tenantId: string
  baseUrl: string
  vault: Vault
  random: Random
  clock: Clock
  hasher: Pick<PasswordHasher, 'hash' | 'keepImported'>
  /** What is wrong with a source in Liquid, or null; loaded for a file with templates only. */
  loadTemplateFault(): Promise<(source: string) => string | null>
  /** Which texts of a prompt no page shows; loaded for a file with prompts only. */
  loadUnusedTexts(): Promise<PlanContext['unusedTexts']>
  bundler: Bundler
  /** Prints one line of the diff. */
  print(line: string): void
  announce(secret: MadeSecret): void
}

/** The stored form of each new password, by the index of its entry in the file. */
type Hashes = ReadonlyMap<number, string>

const ATTEMPTS = 3

export async function planTenantFile(file: TenantFile, deps: TenantFileDeps): Promise<Plan> {
  const source = await sourceOf(file, deps)
  const plan = await planOn(deps.store, source, deps)
  const scripts = await scriptsOf(plan, source, deps)
  return report(source, plan, scripts, deps)
}

export async function applyTenantFile(file: TenantFile, deps: TenantFileDeps): Promise<Plan> {
  const source = await sourceOf(file, deps)
  for (let attempt = 1; ; attempt += 1) {
    const intended = await planOn(deps.store, source, deps)
    const scripts = await scriptsOf(intended, source, deps)
    if (intended.changes.length === 0 && scripts.length === 0) return finish(source, intended, scripts, deps)
    const hashes = await hashPasswords(intended.changes, deps)
    const plan = await deps.store.transaction((tx) => write(tx, source, hashes, scripts, deps))
    if (plan) return finish(source, plan, scripts, deps)
    if (attempt === ATTEMPTS) throw new Error(`${file.path}: the tenant's users kept changing while it was applied`)
  }
}

/** The file as it is planned, with what takes long made once before. */
type Source = { path: string; document: JsonObject; built: PlanContext['built']; given: GivenBundle }

async function sourceOf(file: TenantFile, deps: TenantFileDeps): Promise<Source> {
  const { store, tenantId } = deps
  const document = await withCodeFiles(readTenantFile(file.path, file.text, file.variables), file)
  const built = await buildPackages(document, () => store.configuration(tenantId), deps)
  return { path: file.path, document, built, given: givenBundle(document[SCRIPT_BUNDLE]) }
}

function scriptsOf(
  { after }: Plan,
  { given }: Source,
  { store, tenantId, bundler }: TenantFileDeps,
): Promise<ScriptBuilds> {
  const findBundle = (need: Need) => store.findBundle(tenantId, need)
  return buildScriptPackages(after, findBundle, given, bundler)
}

async function finish(source: Source, plan: Plan, scripts: ScriptBuilds, deps: TenantFileDeps): Promise<Plan> {
  const { algorithms } = plan
  if (algorithms.length > 0)
    await ensureKeys(deps.signingKeys, { ...deps, host: new URL(deps.baseUrl).host }, algorithms)
  const reported = report(source, plan, scripts, deps)
  for (const secret of plan.secrets) deps.announce(secret)
  return reported
}

async function planOn(
  reader: TenantFileReader,
  { path: file, document, built }: Source,
  deps: TenantFileDeps,
): Promise<Plan> {
  const { tenantId, baseUrl, vault, random, clock } = deps
  const stored = await reader.configuration(tenantId)
  const users = await reader.users(tenantId, lookupOf(document.users))
  const templateFault = await templateFaultFor(document, deps)
  const unusedTexts = document.prompts ? await deps.loadUnusedTexts() : () => []
  const loaded = { templateFault, unusedTexts, built }
  const basis = { tenantId, baseUrl, stored, users, vault, random, now: clock.now(), ...loaded }
  return planTenant({ file, document, ...basis })
}

const templateFaultFor = async ({ emailTemplates, phoneTemplates }: JsonObject, deps: TenantFileDeps) =>
  emailTemplates || phoneTemplates ? deps.loadTemplateFault() : () => null

async function hashPasswords(changes: readonly Change[], { hasher }: TenantFileDeps): Promise<Hashes> {
  const hashes = new Map<number, string>()
  // Sequentially: a long file must not overflow the queue that bounds logins.
  for (const { credential } of changes) {
    if (credential) {
      hashes.set(
        credential.entry,
        credential.kind === 'plain'
          ? await hasher.hash(credential.password)
          : await hasher.keepImported(credential.hash),
      )
    }
  }
  return hashes
}

/** Null if the plan needs a password that was not hashed before: the users changed in the meantime. */
async function write(
  tx: TenantFileTransaction,
  source: Source,
  hashes: Hashes,
  scripts: ScriptBuilds,
  deps: TenantFileDeps,
): Promise<Plan | null> {
  await tx.lock(deps.tenantId)
  const plan = await planOn(tx, source, deps)
  if (plan.changes.some(({ credential }) => credential && !hashes.has(credential.entry))) return null
  const now = deps.clock.now()
  for (const change of plan.changes)
    for (const each of change.writes) await tx.write(deps.tenantId, withPassword(each, change, hashes), now)
  await tx.keepBuilds(deps.tenantId, scripts, now)
  return plan
}

function withPassword(write: Write, { credential }: Change, hashes: Hashes): Write {
  const passwordHash = credential && hashes.get(credential.entry)
  return 'run' in write || passwordHash === undefined ? write : { ...write, row: { ...write.row, passwordHash } }
}

/** The plan with what of it does not run. */
function report({ path, given }: Source, plan: Plan, scripts: ScriptBuilds, { print }: TenantFileDeps): Plan {
  const reported = { ...plan, notApplied: [...plan.notApplied, ...unbuilt(scripts, given)] }
  for (const line of [`${path}:`, ...describePlan(reported)]) print(line)
  return reported
}
