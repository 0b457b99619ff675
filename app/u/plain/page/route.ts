import { checkPage } from '../../../../lib/next/page-check'
import { serveNothing } from '../../../../lib/next/serve'

export const dynamic = 'force-dynamic'
export const GET = checkPage
export const { POST, PUT, PATCH, DELETE, OPTIONS } = serveNothing()
