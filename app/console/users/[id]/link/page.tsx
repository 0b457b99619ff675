import type { Metadata } from 'next'
import { userIdentities } from '../../../../../lib/management/resources/user-identities'
import { users } from '../../../../../lib/management/resources/users'
import { lossOf } from '../../../../../lib/server/next/console/person'
import { say } from '../../../../../lib/text/console'
import { Facts } from '../../../_parts/facts'
import { Forbid } from '../../../_parts/forbid'
import { PageLink, userPath } from '../../../_parts/links'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { Rows } from '../../../_parts/rows'
import { Search } from '../../../_parts/search'
import { Above, Empty } from '../../../_parts/states'
import { userQuery } from '../../query'
import { type Person, personPage } from '../person'

export const metadata: Metadata = { title: say('users.link') }

const MOST = '10'

/** The other user is found and looked at first: what is lost cannot be brought back. */
export default personPage('/link', async (person) => {
  const { console, id, query } = person
  if (!console.may(userIdentities.identitiesLink)) throw new Forbid()
  return query.other ? <Compared {...person} other={query.other} /> : await Found({ console, id, query })
})

async function Found({ console, id, query }: Pick<Person, 'console' | 'id' | 'query'>) {
  const path = `${userPath(id)}/link`
  const q = userQuery({ q: query.q }, console.now)
  const found = q ? await console.list(users.list, { query: { q, search_engine: 'v3', per_page: MOST } }) : null
  const others = found?.rows.filter(({ user_id }) => user_id !== id)
  return (
    <Panel title={say('users.link.find')} lead={say('users.link.lead')}>
      <Search path={path} name="q" label={say('users.link.find')} value={query.q} hint={say('users.link.find.lead')} />
      {others?.length === 0 && <Empty title={say('users.link.none')} />}
      {others && others.length > 0 && (
        <Rows
          rows={others}
          id={({ user_id = '' }) => user_id}
          cell={({ name, email, username, user_id, identities }) => (
            <>
              <bdi>{name ?? email ?? username ?? user_id}</bdi> <bdi className="co-hint">{email}</bdi>{' '}
              <span className="co-hint">{identities?.[0]?.connection}</span>
            </>
          )}
          action={({ user_id = '' }) => (
            <PageLink href={`${path}?${new URLSearchParams({ other: user_id })}`} title={say('users.link.choose')} />
          )}
        />
      )}
    </Panel>
  )
}

async function Compared({ console, id, user, name, other }: Person & { other: string }) {
  const [absorbed, above] = await Promise.all([
    console.read(users.read, { params: { id: other } }),
    console.above('users', [other]),
  ])
  const loss = await lossOf(other, absorbed, console)
  const [provider = '', ...rest] = other.split('|')
  const otherName = absorbed.email ?? absorbed.username ?? absorbed.name ?? other
  const accounts = (absorbed.identities ?? []).map((each) => `${each.connection} (${each.provider}|${each.user_id})`)
  return (
    <Panel title={say('users.link.preview')} lead={say('users.link.preview.lead')} danger>
      <Facts
        facts={[
          [say('users.link.keeps'), <bdi key="keeps">{user.email ?? name}</bdi>],
          [say('users.link.moves'), <bdi key="moves">{accounts.join(', ')}</bdi>],
          [
            say('users.link.loses'),
            <ul key="loses">
              {loss.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>,
          ],
        ]}
      />
      <p>{say('users.link.other_id', { id, other })}</p>
      {above.has(other) ? (
        <Above kind="users" />
      ) : (
        <OperationForm
          operation={userIdentities.identitiesLink}
          params={{ id }}
          body={{ provider, user_id: rest.join('|') }}
          submitLabel={say('users.link.submit')}
          confirm={otherName}
          next={`${userPath(id)}/sign-in?done=done`}
          danger
        />
      )}
    </Panel>
  )
}
