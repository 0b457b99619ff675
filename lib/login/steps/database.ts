// The database connection of a login; throws if there is none.
import type { DatabaseConnection } from '../../connections/connection'
import { accessDenied } from '../../kernel/errors'
import type { LoginState } from './requirements'

export function databaseOf({ database }: Pick<LoginState, 'database'>): DatabaseConnection {
  if (database) return database
  throw accessDenied('The connection is not available to this application', {
    page: { code: 'connection_unavailable' },
  })
}
