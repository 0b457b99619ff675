// Accounts whose person a script named.
import type { DatabaseAccount } from '../../data/users/user'
import type { ScriptedPerson } from './person'

export type Keeping = {
  /** For an account that has no password yet. */
  passwordHash: string | null
  /** Whether a known account takes over what the script says now. */
  follows: boolean
  at: Date
}

/** `isNew`: this call made it. `hadPassword`: it was known and had one. */
export type Kept = { account: DatabaseAccount; isNew: boolean; hadPassword: boolean }

export type ScriptedAccountPort = {
  /**
   * Finds the account of the person's id at the connection, or makes it: of parallel calls one makes it and the others find it.
   * 'taken' where the id or a name belongs to another account; no account is ever joined to
   * another.
   */
  keep(connectionId: string, person: ScriptedPerson, keeping: Keeping): Promise<Kept | 'taken'>
}
