// The view data of the pages that ask for an organization: before the login by typing, after it by a choice.
import { type Choices, MAX_CHOICES } from '../../data/organizations/organization'
import type { ViewOf } from '../../pages/screens'
import type { LoginState } from '../steps/requirements'

type SelectionView = ViewOf<'organization-selection'>
type PickerView = ViewOf<'organization-picker'>
type Shared = Pick<SelectionView, 'action' | 'state' | 'client' | 'notice'>

export function organizationSelectionView({ client }: LoginState, shared: Shared): SelectionView {
  const methods = client.settings.organization_discovery_methods ?? ['organization_name']
  const [only] = methods
  const asks = methods.length > 1 ? 'either' : only === 'email' ? 'email' : 'name'
  return { ...shared, screen: 'organization-selection', asks }
}

const NONE: Choices = { found: [], total: 0 }

export function organizationPickerView({ choices, decisions }: LoginState, shared: Shared): PickerView {
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
