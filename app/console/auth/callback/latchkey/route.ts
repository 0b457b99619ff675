import { callbackRoute } from '../../../../../lib/next/console/routes'

export const dynamic = 'force-dynamic'
export const GET = callbackRoute
