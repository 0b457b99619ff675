import { checkPage } from '../../../../lib/server/next/page-check'
import { serveEndpoints } from '../../../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const GET = checkPage
export const { POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints()
