// Asks the scripts of a custom database (docs/scripts.md, ADR 56).
import type { DatabaseConnection } from '../../data/connections/connection'
import { type DatabaseScript, scriptOf } from '../../data/connections/custom-database'
import { openValues } from '../../data/connections/upstream/secrets'
import type { Clock } from '../../kernel/clock'
import type { Json } from '../../kernel/json'
import type { Vault } from '../../kernel/secret'
import type { ScriptAnswer, ScriptRunner } from '../tenant-code/scripts/run-script'
import { packagesOf, type ScriptBuildPort } from '../tenant-code/scripts/script-build'
import type { Denied } from '../tenant-code/trigger'
import { readScriptedPerson, type ScriptedPerson } from './person'
import type { Keeping, Kept, ScriptedAccountPort } from './port'

export type CustomDatabaseDeps = {
  tenantId: string
  scripts: ScriptRunner
  scriptedAccounts: ScriptedAccountPort
  scriptBuilds: ScriptBuildPort
  vault: Vault
  clock: Clock
  /** Reports to the operator why a script did not answer what it should; no caller learns it. */
  noteScript(connection: DatabaseConnection, script: DatabaseScript, problem: string): void
}

/** Who causes the call, for scripts with a context. */
export type Cause = { clientId?: string | null | undefined; ip?: string | undefined }

type Refused = Extract<ScriptAnswer, { outcome: 'refused' }>
type Failed = { outcome: 'failed' }

export const SCRIPT_FAILED: Denied = {
  code: 'access_denied',
  reason: 'The user database could not be asked',
  userMessage: null,
  failed: true,
  by: 'script',
}

/** What the person and the application are shown: a message that the author meant for them, or our own sentence. */
export const deniedBy = (answer: Refused | Failed): Denied =>
  answer.outcome === 'failed' || answer.message === ''
    ? SCRIPT_FAILED
    : { code: 'access_denied', reason: answer.message, userMessage: answer.message, failed: false, by: 'script' }

/** Null where the database has no such script. */
export async function askScript(
  connection: DatabaseConnection,
  script: DatabaseScript,
  args: readonly Json[],
  { cause = {}, secrets = [] }: { cause?: Cause; secrets?: readonly string[] },
  deps: CustomDatabaseDeps,
): Promise<ScriptAnswer | null> {
  const text = scriptOf(connection, script)
  if (text === undefined) return null
  const { name, settings, sealed } = connection
  const context = settings.options.enable_script_context ? [contextOf(connection, cause, deps)] : []
  const configuration = openValues('configuration', sealed, deps.vault)
  const packages = await packagesOf(settings.options.customScripts ?? {}, deps.scriptBuilds)
  if ('problem' in packages) {
    deps.noteScript(connection, script, packages.problem)
    return { outcome: 'failed' }
  }
  const call = { name: `${name}/${script}`, script: text, args: [...args, ...context], configuration, secrets }
  return deps.scripts.run({ ...call, ...packages })
}

const contextOf = ({ name }: DatabaseConnection, { clientId, ip }: Cause, { tenantId }: CustomDatabaseDeps): Json => ({
  tenant: { name: tenantId },
  connection: { name },
  client: { client_id: clientId ?? null },
  request: { ip: ip ?? null },
})

type Found = { outcome: 'found'; person: ScriptedPerson }

/** 'absent': the script knows no such person, or does not exist. */
export async function askForPerson(
  connection: DatabaseConnection,
  script: 'login' | 'get_user',
  args: readonly Json[],
  about: { cause?: Cause; secrets?: readonly string[] },
  deps: CustomDatabaseDeps,
): Promise<Found | { outcome: 'absent' } | Refused | Failed> {
  const answer = await askScript(connection, script, args, about, deps)
  if (answer === null) return { outcome: 'absent' }
  if (answer.outcome !== 'answered') return answer
  if (answer.value === null || answer.value === false) return { outcome: 'absent' }
  const person = await readScriptedPerson(answer.value, connection)
  if (!('problem' in person)) return { outcome: 'found', person }
  deps.noteScript(connection, script, person.problem)
  return { outcome: 'failed' }
}

/**
 * Notifies a database elsewhere of a change before it is made here. Null where that is done, or where there is no such script.
 * @param isDone of the answer; the scripts of a change say `true`
 */
export async function notifyScript(
  connection: DatabaseConnection,
  script: DatabaseScript,
  args: readonly Json[],
  about: { cause?: Cause; secrets?: readonly string[] },
  deps: CustomDatabaseDeps,
  isDone: (value: Json) => boolean = Boolean,
): Promise<Denied | null> {
  const answer = await askScript(connection, script, args, about, deps)
  if (answer === null) return null
  if (answer.outcome !== 'answered') return deniedBy(answer)
  if (isDone(answer.value)) return null
  deps.noteScript(connection, script, 'it did not say that the change is done')
  return SCRIPT_FAILED
}

/** Null where its id or a name belongs to another account. */
export async function keepPerson(
  connection: DatabaseConnection,
  script: DatabaseScript,
  person: ScriptedPerson,
  keeping: Omit<Keeping, 'at'>,
  deps: CustomDatabaseDeps,
): Promise<Kept | null> {
  const kept = await deps.scriptedAccounts.keep(connection.id, person, { ...keeping, at: deps.clock.now() })
  if (kept !== 'taken') return kept
  deps.noteScript(connection, script, 'the id, the address or the user name belongs to another account')
  return null
}
