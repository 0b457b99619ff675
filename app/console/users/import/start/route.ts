import { serveStart } from '../../../../../lib/server/next/console/people-import'

export const dynamic = 'force-dynamic'
export const POST = serveStart
