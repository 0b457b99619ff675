import type { Metadata } from 'next'
import { jobs } from '../../../lib/management/jobs/resource'
import { users } from '../../../lib/management/resources/users'
import { say } from '../../../lib/text/console'
import { Head } from '../_parts/head'
import { NewLink, PlainLink } from '../_parts/links'
import { Listed } from '../_parts/listing'
import { consolePage } from '../_parts/page'
import { list } from './list'

export const metadata: Metadata = { title: say('users.title') }

export default consolePage(async ({ console, query }) => (
  <>
    <Head title={say('users.title')} lead={say('users.lead')} />
    {
      await Listed({
        listing: list,
        console,
        requested: query,
        action: (
          <div className="co-row-actions">
            {console.may(jobs.usersExports) && <PlainLink href="/console/users/export" title={say('export.link')} />}
            {console.may(jobs.usersImports) && <PlainLink href="/console/users/import" title={say('import.link')} />}
            {console.may(users.create) && <NewLink href="/console/users/new" title={say('users.new')} />}
          </div>
        ),
      })
    }
  </>
))
