// The password of a person who is in the database of a script. The caller has counted the guess, and asks only for what it may evaluate.
// - With `import_mode` the person is here from then on, with this password; without it no password is stored.
// - A person whose account here has a password already has that one: what the script accepts counts no more.
import type { DatabaseConnection } from '../../data/connections/connection'
import { scriptOf } from '../../data/connections/custom-database'
import { type BreachDeps, isRefusedAsBreached } from '../../data/users/breached-passwords'
import type { User } from '../../data/users/user'
import type { Denied } from '../tenant-code/trigger'
import { askForPerson, type Cause, type CustomDatabaseDeps, deniedBy, keepPerson, SCRIPT_FAILED } from './ask'

export type PasswordVerifier = {
  /** `null` stands in for an account that does not exist. */
  verify(stored: string | null, plain: string): Promise<{ ok: boolean; rehash: boolean }>
  hash(plain: string): Promise<string>
}

export type ScriptLoginDeps = CustomDatabaseDeps &
  BreachDeps & {
    passwords: PasswordVerifier
  }

type ScriptLogin = { user: User } | { denied: Denied } | null

const FAILED: ScriptLogin = { denied: SCRIPT_FAILED }

/** Null for a wrong password, an unknown person and a blocked one. */
export async function loginByScript(
  connection: DatabaseConnection,
  { name, password, cause }: { name: string; password: string; cause: Cause },
  deps: ScriptLoginDeps,
): Promise<ScriptLogin> {
  const { import_mode } = connection.settings.options
  if (scriptOf(connection, 'login') === undefined) return import_mode ? null : FAILED
  const answer = await askForPerson(connection, 'login', [name, password], { cause, secrets: [password] }, deps)
  if (answer.outcome === 'absent') return null
  if (answer.outcome === 'refused' && answer.error === 'WrongUsernameOrPasswordError') return null
  if (answer.outcome !== 'found') return { denied: deniedBy(answer) }
  // A password that is known from a breach opens nothing, so it is not taken over either.
  const isKept = import_mode && !(await isRefusedAsBreached(password, 'login', deps))
  const passwordHash = isKept ? await deps.passwords.hash(password) : null
  const kept = await keepPerson(connection, 'login', answer.person, { passwordHash, follows: !import_mode }, deps)
  if (!kept) return FAILED
  const { account, hadPassword } = kept
  if (account.user.blocked) return null
  const isStale = import_mode && hadPassword && !(await deps.passwords.verify(account.passwordHash, password)).ok
  return isStale ? null : { user: account.user }
}
