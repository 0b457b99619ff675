import type { Metadata } from 'next'
import Link from 'next/link'
import { findObjects } from '../../../lib/server/next/console/find'
import { say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'
import { Head } from '../_parts/head'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { Rows } from '../_parts/rows'
import { Search } from '../_parts/search'
import { Empty } from '../_parts/states'

export const metadata: Metadata = { title: say('find.title') }

/** The search of the frame as a page. Tokens and messages are not for it, because its words are a part of its address. */
export default consolePage(async ({ console, query }) => {
  const found = await findObjects(query.q ?? '', console)
  return (
    <>
      <Head title={say('find.title')} lead={say('find.lead')} />
      <Search path="/console/find" name="q" label={say('find.words')} value={query.q} />
      {query.q &&
        (found.length === 0 ? (
          <Empty title={say('list.empty.found', { query: query.q })} />
        ) : (
          <Panel title={say('find.found')}>
            <Rows
              rows={found}
              id={({ href }) => href}
              cell={({ title, detail, href }) => (
                <>
                  <Link className="co-row-link" href={href} prefetch={false}>
                    <bdi>{title}</bdi>
                  </Link>{' '}
                  <bdi className="co-hint">{detail}</bdi>
                </>
              )}
              action={({ kind }) => <Badge>{kind}</Badge>}
            />
          </Panel>
        ))}
    </>
  )
})
