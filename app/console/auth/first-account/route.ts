import { firstAccountRoute } from '../../../../lib/next/console/routes'

export const dynamic = 'force-dynamic'
export const POST = firstAccountRoute
