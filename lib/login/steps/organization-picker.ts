// The user chooses an organization after the login, where the application requires one. A choice is no proof: whether the user is a
// member is judged with every step.
import { MAX_CHOICES, ORGANIZATION_REFUSALS, type OrganizationChoices } from '../../data/organizations/organization'
import type { ViewOf } from '../../pages/screens'
import type { FormAction } from '../forms/action'
import { cancel } from '../forms/cancel'
import type { LoginPage, LoginStep, PageContext } from './step'

declare module '../transaction' {
  interface Decisions {
    /** What the user searches for among the own organizations. */
    organizationSearch?: string
  }
}

const MAX_SEARCH = 100

const chooseOrganization: FormAction = {
  name: 'choose-organization',
  run(state, { account }) {
    const chosen = state.choices?.found.find(({ id }) => id === account)
    if (!chosen) return { kind: 'again', notice: 'session_changed', decisions: state.decisions }
    return { kind: 'progress', decisions: { ...state.decisions, organization: chosen.id } }
  },
}

const searchOrganizations: FormAction = {
  name: 'search-organizations',
  run(state, { search = '' }) {
    const organizationSearch = search.slice(0, MAX_SEARCH).toWellFormed().trim()
    return { kind: 'again', decisions: { ...state.decisions, organizationSearch } }
  },
}

const NONE: OrganizationChoices = { found: [], total: 0 }

function viewOf({ state: { choices, decisions }, shared }: PageContext): ViewOf<'organization-picker'> {
  const { found, total } = choices ?? NONE
  return {
    ...shared,
    screen: 'organization-picker',
    organizations: found.map(({ id, name, logoUrl }) => ({
      id,
      name,
      ...(logoUrl === undefined ? {} : { picture: logoUrl }),
    })),
    ...(total > MAX_CHOICES ? { search: decisions.organizationSearch ?? '' } : {}),
    ...(found.length === 0 ? { notice: 'no_organization_found' as const } : {}),
  }
}

const page: LoginPage<'organization-picker'> = {
  screen: 'organization-picker',
  view: viewOf,
  actions: [chooseOrganization, searchOrganizations, cancel],
}

export const organizationAvailable: LoginStep = {
  name: 'organization-available',
  unmet: ({ choices }) => choices?.total === 0,
  refusal: {
    code: 'invalid_request',
    description: ORGANIZATION_REFUSALS.memberOfNone,
    reason: 'member_of_none',
  },
}

export const organizationChosen: LoginStep = {
  name: 'organization-chosen',
  unmet: ({ choices }) => choices !== null,
  pages: [page],
  refusal: { code: 'interaction_required', description: 'Organization selection required' },
}
