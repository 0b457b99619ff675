import { serveFind } from '../../../../lib/server/next/console/ask'

export const dynamic = 'force-dynamic'
export const POST = serveFind
