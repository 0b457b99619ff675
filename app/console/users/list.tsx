import type { AnswerOf } from '../../../lib/management/console-call'
import { connections } from '../../../lib/management/resources/connections'
import { roles } from '../../../lib/management/resources/roles'
import { userAccess } from '../../../lib/management/resources/user-access'
import { userLogins } from '../../../lib/management/resources/user-logins'
import { users } from '../../../lib/management/resources/users'
import { say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'
import { userPath } from '../_parts/links'
import { choice, type Filter, type Listing, yesOrNo } from '../_parts/listing'
import { Moment } from '../_parts/moment'
import type { BulkAction } from '../_parts/selection'
import { userQuery } from './query'

type User = AnswerOf<typeof users.read>

const MAX_OFFERED = 100

const nameOf = ({ name, email, username, phone_number, user_id = '' }: User): string =>
  name ?? email ?? username ?? phone_number ?? user_id

const connection: Filter = {
  name: 'connection',
  label: say('column.connection'),
  async options(console) {
    if (!console.may(connections.list)) return undefined
    const { rows, total } = await console.list(connections.list, { query: { per_page: String(MAX_OFFERED) } })
    return total > MAX_OFFERED ? undefined : rows.map(({ name }) => ({ value: name, label: name }))
  },
}

export const list: Listing<User> = {
  name: 'users',
  operation: users.list,
  query: (requested, now) => ({ q: userQuery(requested, now), connection: requested.connection }),
  // The users of a connection are found in the order of their ids.
  order: ({ q, connection: at }) => (q || at ? undefined : 'created_at:-1'),
  // What a query finds is counted anyway; all users would be walked through.
  counts: (requested) => userQuery(requested, new Date(0)) !== undefined,
  reach: 1000,
  search: { label: say('users.search'), hint: say('users.search.hint') },
  filters: [
    connection,
    yesOrNo('blocked', say('users.blocked')),
    yesOrNo('verified', say('column.verified')),
    choice('login', say('column.last_login'), {
      week: say('users.login.week'),
      month: say('users.login.month'),
      old: say('users.login.old'),
      never: say('value.never'),
    }),
  ],
  columns: [
    { title: say('column.name'), sort: 'name', cell: (user) => <bdi>{nameOf(user)}</bdi> },
    {
      title: say('column.address'),
      sort: 'email',
      cell: ({ email, phone_number, username }) => <bdi>{email ?? phone_number ?? username ?? say('value.none')}</bdi>,
    },
    {
      title: say('column.connection'),
      cell: ({ identities }) => identities?.[0]?.connection ?? say('value.none'),
    },
    {
      title: say('column.last_login'),
      sort: 'last_login',
      cell: ({ last_login }) => <Moment at={last_login} relative listed />,
    },
    {
      title: say('column.state'),
      cell: ({ blocked }) => blocked && <Badge danger>{say('users.blocked')}</Badge>,
    },
    {
      title: say('column.created'),
      sort: 'created_at',
      optional: true,
      cell: ({ created_at }) => <Moment at={created_at} listed />,
    },
    { title: say('column.logins'), optional: true, cell: ({ logins_count = 0 }) => String(logins_count) },
    {
      title: say('column.verified'),
      optional: true,
      cell: ({ email_verified = false }) => say(email_verified ? 'value.yes' : 'value.no'),
    },
    { title: say('column.username'), sort: 'username', optional: true, cell: ({ username }) => <bdi>{username}</bdi> },
    { title: say('column.phone'), sort: 'phone_number', optional: true, cell: ({ phone_number }) => phone_number },
    { title: say('column.id'), optional: true, cell: ({ user_id }) => <code>{user_id}</code> },
  ],
  id: ({ user_id = '' }) => user_id,
  label: nameOf,
  href: ({ user_id = '' }) => userPath(user_id),
  empty: say('users.empty'),
  async bulk(console) {
    const given = console.may(userAccess.rolesAdd) && console.may(roles.list)
    const offered = given ? await console.read(roles.list, { query: { per_page: String(MAX_OFFERED) } }) : []
    const block = (blocked: boolean): BulkAction => ({
      label: say(blocked ? 'users.bulk.block' : 'users.bulk.unblock'),
      operation: users.update.name,
      param: 'id',
      body: { blocked },
    })
    const actions: (BulkAction | false)[] = [
      console.may(users.update, 'blocked') && block(true),
      console.may(users.update, 'blocked') && block(false),
      offered.length > 0 && {
        label: say('users.bulk.role'),
        operation: userAccess.rolesAdd.name,
        param: 'id',
        choice: {
          member: 'roles',
          label: say('users.bulk.role.which'),
          options: offered.map(({ id, name }) => ({ value: id, label: name })),
        },
      },
      console.may(userLogins.usersSessionsDelete) && {
        label: say('users.bulk.sign_out'),
        operation: userLogins.usersSessionsDelete.name,
        param: 'user_id',
        danger: true,
      },
      console.may(users.delete) && {
        label: say('bulk.delete'),
        operation: users.delete.name,
        param: 'id',
        danger: true,
      },
    ]
    return actions.filter((action) => action !== false)
  },
}
