import { callbackRoute } from '../../../../../lib/server/next/console/routes'

export const dynamic = 'force-dynamic'
export const GET = callbackRoute
