import type { Metadata } from 'next'
import { clients } from '../../../lib/management/resources/clients'
import { say } from '../../../lib/text/console'
import { Head } from '../_parts/head'
import { NewLink } from '../_parts/links'
import { Listed } from '../_parts/listing'
import { consolePage } from '../_parts/page'
import { list } from './list'

export const metadata: Metadata = { title: say('applications.title') }

export default consolePage(async ({ console, query }) => (
  <>
    <Head title={say('applications.title')} lead={say('applications.lead')} />
    {
      await Listed({
        listing: list,
        console,
        requested: query,
        action: console.may(clients.create) && (
          <NewLink href="/console/applications/new" title={say('applications.new')} />
        ),
      })
    }
  </>
))
