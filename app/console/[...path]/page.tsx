import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireSession } from '../../../lib/server/next/console/session'
import { say } from '../../../lib/text/console'

export const metadata: Metadata = { title: say('state.missing.title') }

/** Every address below the console that is no page. */
export default async function Nowhere() {
  await requireSession()
  notFound()
}
