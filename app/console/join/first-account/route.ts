import { firstAccountRoute } from '../../../../lib/server/next/console/routes'

export const dynamic = 'force-dynamic'
export const POST = firstAccountRoute
