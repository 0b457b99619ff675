// Every request below /u/ that is not for a page: proxy.ts sends it here.
import { serveBelowU } from '../../../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serveBelowU()
