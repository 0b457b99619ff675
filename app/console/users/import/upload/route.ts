import { serveUpload } from '../../../../../lib/server/next/console/people-import'

export const dynamic = 'force-dynamic'
export const POST = serveUpload
