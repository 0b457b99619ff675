import type { AnswerOf } from '../../../lib/management/console-call'
import { roles } from '../../../lib/management/resources/roles'
import { holdersOf } from '../../../lib/server/next/console/affected'
import { say } from '../../../lib/text/console'
import type { ResourcePages } from '../_parts/resource'
import { holdersAndPermissions } from './holders'

export type Role = AnswerOf<typeof roles.read>

export const pages: ResourcePages<Role> = {
  path: '/console/roles',
  operations: roles,
  title: say('roles.title'),
  lead: say('roles.lead'),
  empty: say('roles.empty'),
  newTitle: say('roles.new'),
  id: 'id',
  columns: [{ title: say('column.description'), cell: ({ description }) => description ?? say('value.none') }],
  search: 'name_filter',
  newMembers: ['name', 'description'],
  view: 'roles',
  section: 'roles',
  deleteLead: say('roles.delete.lead'),
  affected: ({ id }, console) => holdersOf(id, console),
  ranked: 'roles',
  more: ({ id }, console) => holdersAndPermissions(id, console),
}
