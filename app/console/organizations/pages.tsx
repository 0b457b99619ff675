import type { AnswerOf } from '../../../lib/management/console-call'
import { organizations } from '../../../lib/management/resources/organizations'
import { membersOf } from '../../../lib/server/next/console/affected'
import { say } from '../../../lib/text/console'
import type { ResourcePages } from '../_parts/resource'
import { members } from './members'

export type OrganizationAnswer = AnswerOf<typeof organizations.read>

export const pages: ResourcePages<OrganizationAnswer> = {
  path: '/console/organizations',
  operations: organizations,
  title: say('organizations.title'),
  lead: say('organizations.lead'),
  empty: say('organizations.empty'),
  newTitle: say('organizations.new'),
  id: 'id',
  nameOf: ({ name, display_name }) => display_name ?? name,
  columns: [{ title: say('column.short_name'), sort: 'name', cell: ({ name }) => <code>{name}</code> }],
  newMembers: ['name', 'display_name'],
  view: 'organizations',
  section: 'organizations',
  deleteLead: say('organizations.delete.lead'),
  affected: ({ id }, console) => membersOf(id, console),
  tried: ({ id }) => ({ organization: id }),
  more: ({ id }, console) => members(id, console),
}
