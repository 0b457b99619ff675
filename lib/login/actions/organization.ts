// The organization of a login that the request does not name: typed before the login, or chosen after it.
// - An address leads to the organization that has proven its domain. Only the tenant's configuration decides, never its accounts
//   (threat-model.md UP4).
// - A choice is no proof: whether the user is a member is judged with every step (steps/requirements.ts).

import { findNamed } from '../../data/organizations/organization'
import { toDomain } from '../../kernel/domain'
import type { LoginDeps } from '../deps'
import { domainOf } from '../steps/home-realm'
import type { LoginState } from '../steps/requirements'
import type { FormAction, Progress } from './action'

const MAX_TYPED = 320
const MAX_SEARCH = 100

export const nameOrganization: FormAction = {
  name: 'name-organization',
  on: ['organization-selection'],
  async run(state, input, _context, deps): Promise<Progress> {
    const typed = (input.organization ?? '').slice(0, MAX_TYPED).toWellFormed().trim()
    const found = await findTyped(typed, state, deps)
    if (!found) return { kind: 'again', notice: 'unknown_organization', decisions: state.decisions }
    const identifier = domainOf(typed) === null ? {} : { identifier: typed }
    return { kind: 'progress', decisions: { ...state.decisions, ...identifier, organization: found } }
  },
}

/** The id of the organization; names are accepted here whatever requests may contain. */
async function findTyped(typed: string, { client }: LoginState, deps: LoginDeps): Promise<string | null> {
  const methods = client.settings.organization_discovery_methods ?? ['organization_name']
  const domain = domainOf(typed)
  if (domain !== null) {
    const canonical = methods.includes('email') ? toDomain(domain) : null
    return canonical === null ? null : ((await deps.organizations.findByDomain(canonical))?.id ?? null)
  }
  if (typed === '' || !methods.includes('organization_name')) return null
  const settings = { tenant: { allow_organization_name_in_authentication_api: true } }
  const named = await findNamed(typed, client.settings, { organizations: deps.organizations, settings })
  return 'refused' in named ? null : named.organization.id
}

export const chooseOrganization: FormAction = {
  name: 'choose-organization',
  on: ['organization-picker'],
  run(state, { account }) {
    const chosen = state.choices?.found.find(({ id }) => id === account)
    if (!chosen) return { kind: 'again', notice: 'session_changed', decisions: state.decisions }
    return { kind: 'progress', decisions: { ...state.decisions, organization: chosen.id } }
  },
}

export const searchOrganizations: FormAction = {
  name: 'search-organizations',
  on: ['organization-picker'],
  run(state, { search = '' }) {
    const organizationSearch = search.slice(0, MAX_SEARCH).toWellFormed().trim()
    return { kind: 'again', decisions: { ...state.decisions, organizationSearch } }
  },
}
