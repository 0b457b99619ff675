// The user types the organization before the login, where the application requires one and the request names none.
// - An address leads to the organization that has proven its domain. Only the tenant's configuration decides, never its accounts
//   (threat-model.md UP4).
import { findNamed } from '../../data/organizations/organization'
import { toDomain } from '../../kernel/domain'
import type { ViewOf } from '../../pages/screens'
import type { LoginDeps } from '../deps'
import { domainOf } from '../flow/home-realm'
import { asksForOrganization } from '../flow/organization'
import type { FormAction, FormResult } from '../forms/action'
import { cancel } from '../forms/cancel'
import type { LoginState } from '../login-state'
import type { LoginPage, LoginStep, PageContext } from './step'

const MAX_TYPED = 320

const nameOrganization: FormAction = {
  name: 'name-organization',
  async run(state, input, _context, deps): Promise<FormResult> {
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

function viewOf({ state: { client }, shared }: PageContext): ViewOf<'organization-selection'> {
  const methods = client.settings.organization_discovery_methods ?? ['organization_name']
  const [only] = methods
  const asks = methods.length > 1 ? 'either' : only === 'email' ? 'email' : 'name'
  return { ...shared, screen: 'organization-selection', asks }
}

const page: LoginPage<'organization-selection'> = {
  screen: 'organization-selection',
  view: viewOf,
  actions: [nameOrganization, cancel],
}

export const organizationNamed: LoginStep = {
  name: 'organization-named',
  unmet: (state) => asksForOrganization(state, 'pre_login_prompt'),
  pages: [page],
  refusal: { code: 'interaction_required', description: 'Organization selection required' },
}
