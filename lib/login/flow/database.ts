// The databases of a login: where people sign in, and the one where they sign up.
// - A password is tried at each database of the login, so that people need not know which one they are in. The number of databases is the
//   number of hashes of every attempt (threat-model.md SE5).
// - If they are more than that, everyone chooses one on the page.
import type { DatabaseConnection } from '../../data/connections/connection'
import { accessDenied } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { LoginState } from '../login-state'
import type { Decisions } from '../transaction'

/** The most hashes of one attempt: no more threads hash at a time. */
export const MAX_TRIED = 3

type Databases = Pick<LoginState, 'databases'>

/** The one for sign-up: the tenant's default directory, or else the first; throws if there is none. */
export function databaseOf({ databases: [database] }: Databases): DatabaseConnection {
  if (database) return database
  throw accessDenied('The connection is not available to this application', {
    reason: 'connection_not_enabled',
    page: { code: 'connection_unavailable' },
  })
}

/** The databases to choose from; empty if all of them are tried. */
export const databaseChoices = ({ databases }: Databases): readonly DatabaseConnection[] =>
  databases.length > MAX_TRIED ? databases : []

/** The choice in a form. */
export const chosenDatabase = ({ database }: Parameters): Pick<Decisions, 'database'> =>
  database === undefined ? {} : { database: database.slice(0, 128).toWellFormed() }

/** The databases of the person, the first one first; empty while the person has to choose. Throws if the login has none. */
export function databasesFor(state: Databases & { decisions: Decisions }): readonly DatabaseConnection[] {
  databaseOf(state)
  const choices = databaseChoices(state)
  return choices.length === 0 ? state.databases : choices.filter(({ name }) => name === state.decisions.database)
}
