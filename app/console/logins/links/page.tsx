import type { Metadata } from 'next'
import { loginShares } from '../../../../lib/management/resources/login-shares'
import { say } from '../../../../lib/text/console'
import { PageLink } from '../../_parts/links'
import { type Column, List, pageIn, pageQuery } from '../../_parts/list'
import { Moment } from '../../_parts/moment'
import { consolePage } from '../../_parts/page'
import { Maker, makersOf, type Share, Tries, Withdraw } from '../../_parts/shares'
import { TabbedHead } from '../../_parts/tabs'
import { LOGINS } from '../tabs'

export const metadata: Metadata = { title: say('logins.links') }

const PATH = '/console/logins/links'

/** Every link that opens a login or a test for people without an account here. */
export default consolePage(async ({ console, query }) => {
  const page = pageIn(query)
  const { rows, total } = await console.list(loginShares.list, { query: pageQuery(page) })
  const names = await makersOf(rows, console)
  const columns: readonly Column<Share>[] = [
    { title: say('logins.links.of'), cell: (share) => <Subject share={share} /> },
    {
      title: say('logins.links.maker'),
      cell: (share) => <Maker share={share} name={names.get(share.created_by.user_id ?? '')} />,
    },
    { title: say('logins.links.until'), cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      title: say('logins.links.openings'),
      cell: ({ openings }) => say('logins.links.times', { count: String(openings) }),
    },
    { title: say('logins.links.result'), cell: (share) => share.kind === 'test' && <Tries share={share} /> },
    ...(console.may(loginShares.delete)
      ? [{ title: say('logins.share.withdraw'), cell: ({ id }: Share) => <Withdraw id={id} /> }]
      : []),
  ]
  return (
    <>
      <TabbedHead {...LOGINS} console={console} path={PATH} />
      <p>{say('logins.links.lead')}</p>
      <List
        path={PATH}
        rows={rows}
        total={total}
        page={page}
        empty={say('logins.links.empty')}
        id={({ id }) => id}
        columns={columns}
      />
    </>
  )
})

function Subject({ share }: { share: Share }) {
  const { kind, login_id, client_name, client_id, connection, organization_name } = share
  const named = [
    client_name ?? client_id,
    connection && say('logins.test.connection', { name: connection }),
    organization_name && say('logins.test.organization', { name: organization_name }),
  ].filter(Boolean)
  const title = `${say(`logins.links.${kind}.one`)}: ${named.join(' · ')}`
  return login_id === null ? <bdi>{title}</bdi> : <PageLink href={`/console/logins/${login_id}`} title={title} />
}
