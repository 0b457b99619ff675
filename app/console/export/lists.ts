// The lists that can be downloaded.

import { listingOf } from '../_parts/resource'
import { pages as apis } from '../apis/pages'
import { list as applications } from '../applications/list'
import { pages as connections } from '../connections/pages'
import { pages as organizations } from '../organizations/pages'
import { pages as roles } from '../roles/pages'
import { list as users } from '../users/list'

export const LISTS = [
  users,
  applications,
  listingOf(apis),
  listingOf(roles),
  listingOf(organizations),
  listingOf(connections),
]
