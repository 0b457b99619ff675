import { serveNow } from '../../../lib/server/next/console/activity'

export const dynamic = 'force-dynamic'
export const GET = serveNow
