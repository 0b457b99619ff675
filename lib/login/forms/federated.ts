// Leaves the login page for an upstream provider: by its button, or by an address whose domain belongs to it.
import { homeOf } from '../flow/home-realm'
import { leaveFor } from '../upstream/upstream'
import type { FormAction, FormResult } from './action'
import { MAX_IDENTIFIER } from './password'

export const goToProvider: FormAction = {
  name: 'federated',
  run(state, input, { handle }, deps): Promise<FormResult> | FormResult {
    const connection = state.federated.find(({ name }) => name === input.connection)
    if (connection) return leaveFor(connection, 'chosen', { ...state, decisions: {} }, handle, deps)
    return { kind: 'again', notice: 'upstream_failed', decisions: { ...state.decisions, unreached: null } }
  },
}

export const identify: FormAction = {
  name: 'identify',
  run(state, input, { handle }, deps): Promise<FormResult> | FormResult {
    const identifier = (input.username ?? '').slice(0, MAX_IDENTIFIER).toWellFormed()
    const decisions = { ...state.decisions, identifier }
    if (identifier.trim() === '') return { kind: 'again', notice: 'missing_identifier', decisions }
    const home = homeOf(identifier, state)
    if (home) return leaveFor(home, 'domain', { ...state, decisions }, handle, deps)
    if (state.databases.length === 0) return { kind: 'again', notice: 'unknown_domain', decisions }
    return { kind: 'progress', decisions: { ...decisions, identified: true } }
  },
}
