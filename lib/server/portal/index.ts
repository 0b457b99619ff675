// The pages of the account portal by name.
import type { PortalPageName } from '../../pages/view'
import { activity } from './activity'
import { applications } from './applications'
import { connections } from './connections'
import { data } from './data'
import { factors } from './factors'
import { organizations } from './organizations'
import type { PortalPage } from './page'
import { passkeys } from './passkeys'
import { password } from './password'
import { profile } from './profile'
import { sessions } from './sessions'

export const PAGES: { readonly [Name in PortalPageName]: PortalPage<Name> } = {
  profile,
  password,
  passkeys,
  factors,
  sessions,
  connections,
  applications,
  organizations,
  activity,
  data,
}
