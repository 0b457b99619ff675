import type { Metadata } from 'next'
import { users } from '../../../lib/management/resources/users'
import { say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'
import { Head } from '../_parts/head'
import { NewLink, userPath } from '../_parts/links'
import { List, pageIn, pageQuery } from '../_parts/list'
import { Moment } from '../_parts/moment'
import { consolePage } from '../_parts/page'
import { userQuery } from './query'

export const metadata: Metadata = { title: say('users.title') }

export default consolePage(async ({ console, query }) => {
  const page = pageIn(query)
  const { rows, total } = await console.list(users.list, {
    query: { ...pageQuery(page), q: userQuery(query.q), sort: query.q ? undefined : 'created_at:-1' },
  })
  return (
    <>
      <Head title={say('users.title')} lead={say('users.lead')} />
      <List
        path="/console/users"
        rows={rows}
        total={total}
        page={page}
        query={{ q: query.q }}
        search={{ name: 'q', label: say('users.search'), hint: say('users.search.hint') }}
        empty={say('users.empty')}
        id={({ user_id = '' }) => user_id}
        href={({ user_id = '' }) => userPath(user_id)}
        columns={[
          {
            title: say('column.name'),
            cell: ({ name, email, username, phone_number, user_id }) => (
              <bdi>{name ?? email ?? username ?? phone_number ?? user_id}</bdi>
            ),
          },
          {
            title: say('column.address'),
            cell: ({ email, phone_number, username }) => (
              <bdi>{email ?? phone_number ?? username ?? say('value.none')}</bdi>
            ),
          },
          {
            title: say('column.connection'),
            cell: ({ identities }) => identities?.[0]?.connection ?? say('value.none'),
          },
          { title: say('column.last_login'), cell: ({ last_login }) => <Moment at={last_login} /> },
          {
            title: say('column.state'),
            cell: ({ blocked }) => blocked && <Badge danger>{say('users.blocked')}</Badge>,
          },
        ]}
        action={console.may(users.create) && <NewLink href="/console/users/new" title={say('users.new')} />}
      />
    </>
  )
})
