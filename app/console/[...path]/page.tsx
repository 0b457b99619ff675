import type { Metadata } from 'next'
import { say } from '../../../lib/text/console'
import { Nowhere } from '../_parts/forbid'
import { consolePage } from '../_parts/page'

export const metadata: Metadata = { title: say('state.missing.title') }

/** Every address below the console that is no page. */
export default consolePage(async () => {
  throw new Nowhere()
})
